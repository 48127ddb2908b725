// docs/clean-steps.md is written from the catalogue: `npm run test:unit -- docs -u` writes it anew.
import { expect, it } from "vitest";
import { cleanSteps } from "@/server/domain/cleaning/steps/catalogue";
import { stepInterfaces } from "@/server/domain/cleaning/steps/step";
import type { CleanStep } from "@/server/domain/cleaning/steps/step";

const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
const list = (values: readonly string[]): string => (values.length === 0 ? "–" : values.join(", "));

function row(step: CleanStep): string {
  const marks = [
    ...(step.erases ? ["erases"] : []),
    ...(step.abortable ? ["can be aborted"] : []),
    ...(step.restarts ? ["restarts the host"] : []),
    ...(step.reserved ? ["reserved"] : []),
  ];
  return line([
    `\`${step.interface}.${step.step}\``,
    step.priority === 0 ? "manual" : String(step.priority),
    step.where,
    step.summary,
    list(marks),
    list(step.proves.map((gate) => `\`${gate}\``)),
    `\`${step.failureCause}\``,
  ]);
}

const withArguments = cleanSteps.filter((step) => step.args.length > 0);
const order = [...cleanSteps].sort(
  (a, b) =>
    b.priority - a.priority || stepInterfaces.indexOf(a.interface) - stepInterfaces.indexOf(b.interface),
);

const page = `# Clean steps

This page lists every clean step, from the catalogue in \`server/domain/cleaning/steps\`; a test keeps this page in sync with it. How steps are planned and run is in [cleaning](cleaning.md).

The priority is the default; a site, a SKU or a host can override it. *manual*: the step is in no automated plan unless an override gives it a priority.

| step | priority | runs on | does | | proves | fails as |
|---|---|---|---|---|---|---|
${order.map(row).join("\n")}

## Arguments

| step | argument | | means |
|---|---|---|---|
${withArguments.flatMap((step) => step.args.map((arg) => line([`\`${step.interface}.${step.step}\``, `\`${arg.name}\``, arg.required ? "required" : "optional", arg.description]))).join("\n")}
`;

it("says what the catalogue says", async () => {
  expect(order.length).toBeGreaterThan(30);
  await expect(page).toMatchFileSnapshot("../clean-steps.md");
});

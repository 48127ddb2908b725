// docs/clean-steps.md is written from the catalogue: `npm run test:unit -- docs -u` writes it anew.
import { expect, it } from "vitest";
import { cleanSteps } from "@/server/domain/cleaning/steps/catalogue";
import { stepInterfaces } from "@/server/domain/cleaning/steps/step";
import type { CleanStep } from "@/server/domain/cleaning/steps/step";

const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
const list = (values: readonly string[]): string => (values.length === 0 ? "–" : values.join(", "));

/** What a step does besides what its summary says. */
const marks = (step: CleanStep): readonly string[] => [
  ...(step.erases ? ["erases"] : []),
  ...(step.abortable ? ["can be aborted"] : []),
  ...(step.restarts ? ["restarts the host"] : []),
  ...(step.reserved ? ["reserved"] : []),
];
const proves = (step: CleanStep): readonly string[] => step.proves.map((gate) => `\`${gate}\``);

const automated = (step: CleanStep): string =>
  line([
    `\`${step.interface}.${step.step}\``,
    String(step.priority),
    step.where,
    step.summary,
    list(marks(step)),
    list(proves(step)),
    `\`${step.failureCause}\``,
  ]);

const manual = (step: CleanStep): string =>
  line([
    `\`${step.interface}.${step.step}\``,
    step.where,
    step.summary,
    list([
      ...marks(step),
      ...proves(step).map((gate) => `proves ${gate}`),
      ...(step.failureCause === "CleanFailed" ? [] : [`fails as \`${step.failureCause}\``]),
    ]),
  ]);

const withArguments = cleanSteps.filter((step) => step.args.length > 0);
const order = [...cleanSteps].sort(
  (a, b) =>
    b.priority - a.priority || stepInterfaces.indexOf(a.interface) - stepInterfaces.indexOf(b.interface),
);

const page = `# Clean steps

Every clean step, from the catalogue in \`server/domain/cleaning/steps\`. How steps are planned and run is in [cleaning](cleaning.md).

## In automated plans

The priority is the default; a site, a SKU or a host can override it.

| step | priority | runs on | does | | proves | fails as |
|---|---|---|---|---|---|---|
${order
  .filter((step) => step.priority > 0)
  .map(automated)
  .join("\n")}

## Only in manual cleanings

An override can give such a step a priority. It fails as \`CleanFailed\`, unless its row says otherwise.

| step | runs on | does | |
|---|---|---|---|
${order
  .filter((step) => step.priority === 0)
  .map(manual)
  .join("\n")}

## Arguments

| step | argument | | means |
|---|---|---|---|
${withArguments.flatMap((step) => step.args.map((arg) => line([`\`${step.interface}.${step.step}\``, `\`${arg.name}\``, arg.required ? "required" : "optional", arg.description]))).join("\n")}
`;

it("says what the catalogue says", async () => {
  expect(order.length).toBeGreaterThan(30);
  await expect(page).toMatchFileSnapshot("../clean-steps.md");
});

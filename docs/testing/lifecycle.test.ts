// docs/lifecycle.md is written from the table of states: `npm run test:unit -- docs -u` writes it anew.
import { expect, it } from "vitest";
import { gateNames, gateTable } from "@/server/domain/reclamations/gates/gate-names";
import { stateTable } from "@/server/domain/lifecycle/state-table";
import { nextSteps } from "@/server/domain/hosts/next-steps";
import { isState } from "@/server/domain/lifecycle/states";
import type { State } from "@/server/domain/lifecycle/states";

const rows = Object.entries(stateTable).flatMap(([state, row]) =>
  isState(state) ? [{ state, ...row }] : [],
);
const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;

/** Acts by their words, and the rest by its name. */
const then = (state: State): string =>
  nextSteps(state, "")
    .map(({ words }) => words)
    .join(", ");

const inUse = rows.filter((row) => !row.state.startsWith("Failed/"));
const failed = rows.filter((row) => row.state.startsWith("Failed/"));

/** What all failed states have in common stands above their table. */
const ofFailed = { waitsFor: "A person", tenantWords: "not proven clean yet; the provider is working on it" };

const page = `# States of a host

Every state of a host: what it waits for, what to check next, and what to do then. The console and the API show the same texts (\`server/domain/lifecycle/state-table.ts\`). The rules behind the states are in [lifecycle](design/lifecycle.md); one release from end to end is in [architecture](architecture.md#from-release-to-ready).

## In use

In the order of the lifecycle.

| state | shown as | waits for | check next | then | a tenant reads |
|---|---|---|---|---|---|
${inUse.map((row) => line([`\`${row.state}\``, row.label, row.waitsFor, row.checkNext, then(row.state), row.tenantWords])).join("\n")}

## Failed

A reclamation that cannot continue stops here and waits for a person; a tenant reads *${ofFailed.tenantWords}*. The host stays powered on, and is in maintenance if a step was running. \`retry\` continues at the failed step, or after failed tests with a new inventory. \`restart\` makes a new plan. \`manage\` ends the reclamation and keeps the debt.

| state | check next | then |
|---|---|---|
${failed.map((row) => line([`\`${row.state}\``, row.checkNext, then(row.state)])).join("\n")}

## Gates

A host is \`Ready\` only when none of these gates is unsatisfied. [Lifecycle](design/lifecycle.md#gates) explains their statuses; the rule of each is in \`server/domain/reclamations/gates/evaluate.ts\`.

| gate | holds when |
|---|---|
${gateNames.map((gate) => line([`\`${gate}\``, gateTable[gate].meaning])).join("\n")}
`;

it("leaves nothing out of the table of failed states", () => {
  for (const row of failed)
    expect(row).toMatchObject({ ...ofFailed, label: row.state.replace("Failed/", "Failed, ") });
});

it("says what the table of states says", async () => {
  expect(rows.length).toBe(Object.keys(stateTable).length);
  await expect(page).toMatchFileSnapshot("../lifecycle.md");
});

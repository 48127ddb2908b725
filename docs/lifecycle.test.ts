// docs/lifecycle.md is written from the table of states: `npm run test:unit -- docs -u` writes it anew.
import { expect, it } from "vitest";
import { gateMeaning, gateNames } from "@/server/domain/gates/gate-names";
import { stateTable } from "@/server/domain/lifecycle/state-table";
import { handlerOf } from "@/server/controller/handlers";
import { noHandler } from "@/server/controller/handlers/cleanup";
import { nextSteps } from "@/server/domain/hosts/next-steps";
import { isState } from "@/server/domain/lifecycle/states";
import type { State } from "@/server/domain/lifecycle/states";

const rows = Object.entries(stateTable).flatMap(([state, row]) => (isState(state) ? [{ state, ...row, works: handlerOf(state) !== noHandler }] : []));
const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;

/** Acts by their words, and the rest by its name. */
const then = (state: State): string => nextSteps(state, "").map(({ words }) => words).join(", ");

function section(title: string, words: string, chosen: typeof rows): string {
  return [`## ${title}`, "", words, "", line(["state", "shown as", "waits for", "check next", "then", "a tenant reads"]), "|---|---|---|---|---|---|", ...chosen.map((row) => line([`\`${row.state}\``, row.label, row.waitsFor, row.checkNext, then(row.state), row.tenantWords])), ""].join("\n");
}

const page = `# States of a host

Written from \`server/domain/lifecycle/state-table.ts\`, which the console, the API and this page share; a test keeps them equal. How a host gets from one to the next is in [\`architecture.md\`](architecture.md).

${section("The way", "States that this version works in.", rows.filter((row) => row.works && !row.state.startsWith("Failed/")))}
${section("Failed", "A reclamation that cannot go on is stopped here, with the host in maintenance when a step was running, and left on. `retry` goes on from the failed step, after failed tests from a new inventory, `restart` makes the plan anew, `manage` ends the reclamation and keeps the debt. Causes of parts that are not built yet are raised by nothing.", rows.filter((row) => row.state.startsWith("Failed/")))}
${section("Not entered yet", "In the lifecycle, but nothing leads here in this version.", rows.filter((row) => !row.works))}
## Gates

A host is \`Ready\` only when none of these is unsatisfied. \`server/domain/gates/evaluate.ts\` has the rule of each; a gate that says *not implemented* passes on a demo site only ([ADR 10](adr/0010-demo-sites.md)).

| gate | holds when |
|---|---|
${gateNames.map((gate) => line([`\`${gate}\``, gateMeaning[gate]])).join("\n")}
`;

it("says what the table of states says", async () => {
  expect(rows.length).toBe(Object.keys(stateTable).length);
  await expect(page).toMatchFileSnapshot("lifecycle.md");
});

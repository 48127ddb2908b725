// Which hosts a manual cleaning can run on, read from a real database.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cleaningCandidates } from "@/server/usecases/cleaning/cleaning-candidates";
import { createWorld } from "@/server/usecases/testing/world";
import type { World } from "@/server/usecases/testing/world";

let world: World;
const runbookId = randomUUID();
beforeAll(async () => {
  world = await createWorld();
  for (const [name, state] of [
    ["a-ready", "Ready"],
    ["b-manageable", "Manageable"],
    ["c-failed", "Failed/NVMECleanFailed"],
    ["d-unreachable", "Failed/BmcUnreachable"],
  ] as const)
    await world.put(await world.host(name), state);
  await world.backend.database.host.update({ where: { name: "c-failed" }, data: { traits: ["gpu"] } });
  await world.backend.database.runbook.create({
    data: { id: runbookId, name: "Blink", traits: ["gpu"], steps: [] },
  });
});
afterAll(() => world.stop());

const find = async (filter: string, runbook?: string) => {
  const read = await cleaningCandidates(world.backend, world.actor("operator"), {
    filter,
    runbookId: runbook,
  });
  if (!read.ok) throw new Error(read.problem.detail);
  const { can, cannot, ...rest } = read.value;
  return {
    ...rest,
    can: can.map(({ name }) => name),
    cannot: Object.fromEntries(cannot.map(({ name, reason }) => [name, reason])),
  };
};

describe("who can be cleaned manually", () => {
  it("is Manageable, or its cleaning failed; the others have a reason", async () => {
    const read = await find("");
    expect(read).toMatchObject({ can: ["b-manageable", "c-failed"], total: 4, problem: null });
    expect(read.cannot).toEqual({
      "a-ready": expect.stringContaining("in Ready"),
      "d-unreachable": expect.stringContaining("in Failed/BmcUnreachable"),
    });
  });
  it("shares a trait with the runbook", async () => {
    const read = await find("manageable", runbookId);
    expect(read).toMatchObject({ can: [], total: 1 });
    expect(read.cannot["b-manageable"]).toContain("shares no trait with the runbook Blink");
    expect((await find("", runbookId)).can).toEqual(["c-failed"]);
  });
  it("is asked for by a filter that is understood, of a runbook that is there, by who may clean", async () => {
    expect((await find("colour:red")).problem).toMatchObject({ position: 0 });
    const ask = (role: "operator" | "auditor", runbook?: string) =>
      cleaningCandidates(world.backend, world.actor(role), { filter: "", runbookId: runbook });
    expect(await ask("operator", randomUUID())).toMatchObject({ ok: false });
    expect(await ask("auditor")).toMatchObject({ ok: false, problem: { code: "forbidden" } });
  });
});

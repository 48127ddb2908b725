// Requesting a self-audit, reading past ones, and acknowledging faults: who may, what is logged, and what alerts again.
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { writeAudit } from "@/server/db/audit";
import { poolOf } from "@/server/db/prisma";
import { systemEvent } from "@/server/db/testing/system-event";
import { Findings } from "@/server/domain/audit-log/self-audit/findings";
import { auditLogTarget, selfAuditAction } from "@/server/domain/audit-log/self-audit/self-audit";
import { acknowledgeFaults } from "@/server/usecases/audit-log/acknowledge-faults";
import { askSelfAudit, listSelfAudits, readSelfAudit } from "@/server/usecases/audit-log/self-audits";
import type { Outcome } from "@/server/usecases/problem";
import { createWorld } from "@/server/usecases/testing/world";
import type { World } from "@/server/usecases/testing/world";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.stop());
beforeEach(() => poolOf(world.backend.database).query("DELETE FROM audit_check; DELETE FROM audit_event"));

function must<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(outcome.problem.detail);
  return outcome.value;
}
const admin = () => world.actor("provider-admin");

let checks = 0;
/** Ascending, because the times of two events may be the same millisecond, and then the id orders them. */
const nextId = (): string => `00000000-0000-4000-8000-${String((checks += 1)).padStart(12, "0")}`;

/** Adds the event of a check that found the histories of these reclamations changed. */
async function addCheck(...given: readonly (string | readonly ["log"])[]): Promise<string> {
  const findings = new Findings();
  const changed = given.filter((each) => typeof each === "string");
  if (changed.length < given.length) findings.addUncounted("log", "c", "has more faults");
  findings.addAll(
    changed.map((key) => ({
      kind: "changedHistory",
      key,
      hostId: null,
      reclamationId: key,
      says: "has changed",
    })),
  );
  const id = nextId();
  await writeAudit(world.backend.database, {
    ...systemEvent,
    id,
    action: selfAuditAction,
    targetId: auditLogTarget,
    after: {
      ok: findings.count === 0,
      events: 1,
      faults: findings.count,
      first: [],
      kinds: findings.kinds.map((kind) => ({ ...kind })),
      named: findings.named.map((each) => ({ ...each, hostName: null })),
    },
  });
  return id;
}
const standing = async () => must(await readSelfAudit(world.backend, admin()));
const acknowledge = (check: string, keys?: string[]) =>
  acknowledgeFaults(world.backend, admin(), world.request(), { check, keys, reason: "ticket 1" });
const logged = async (action: string) =>
  (await world.backend.database.auditEvent.findMany({ where: { action, outcome: "done" } })).map(
    ({ after }) => after,
  );

it("runs one at a time: who asks again is told so, and nothing is logged of it", async () => {
  const ask = (role: "auditor" | "provider-admin") =>
    askSelfAudit(world.backend, world.actor(role), world.request(), {});
  expect(must(await ask("provider-admin"))).toEqual({ already: false });
  expect(must(await ask("provider-admin"))).toEqual({ already: true });
  expect(await ask("auditor")).toMatchObject({ ok: false, problem: { code: "forbidden" } });
  expect(await logged("auditLog.askCheck")).toHaveLength(1);
  expect((await standing()).now).toMatchObject({ standing: "asked", askedBy: admin().name });
});

it("alerts until its faults are acknowledged, and again for new ones", async () => {
  const first = await addCheck("r1", "r2");
  expect(await standing()).toMatchObject({ last: { id: first, faults: 2, open: 2 }, now: null });
  expect(must(await acknowledge(first, ["r1"]))).toEqual({ acknowledged: 1, open: 1 });
  expect(must(await acknowledge(first))).toEqual({ acknowledged: 1, open: 0 });
  expect(must(await acknowledge(first))).toEqual({ acknowledged: 0, open: 0 });
  expect(await logged("auditLog.acknowledge")).toMatchObject([
    { check: first, keys: ["r1"], reason: "ticket 1" },
    { check: first, keys: ["r2"], kinds: [expect.stringMatching(/^changedHistory:/)] },
  ]);
  const second = await addCheck("r1", "r2", "r3");
  const { last, faults } = await standing();
  expect(last).toMatchObject({ id: second, faults: 3, open: 1 });
  expect(faults.map(({ key, acknowledged }) => [key, acknowledged?.by ?? null])).toEqual([
    ["r1", admin().name],
    ["r2", admin().name],
    ["r3", null],
  ]);
});

it("acknowledges only what the last check found", async () => {
  const old = await addCheck("r1");
  const newest = await addCheck("r1", "r2");
  expect(await acknowledge(old)).toMatchObject({ ok: false, problem: { code: "conflict" } });
  expect(await acknowledge(newest, ["r9"])).toMatchObject({ ok: false, problem: { code: "invalid" } });
  const auditor = await acknowledgeFaults(world.backend, world.actor("auditor"), world.request(), {
    check: newest,
    reason: "x",
  });
  expect(auditor).toMatchObject({ ok: false, problem: { code: "forbidden" } });
  expect((await standing()).last).toMatchObject({ open: 2 });
});

it("does not acknowledge all faults where some were not counted", async () => {
  const check = await addCheck(["log"], "r1");
  expect(await acknowledge(check)).toMatchObject({ ok: false, problem: { code: "conflict", field: "keys" } });
  expect(must(await acknowledge(check, ["r1"]))).toEqual({ acknowledged: 1, open: 1 });
});

it("lists past ones, the newest first, in pages", async () => {
  const ids = [await addCheck(), await addCheck("r1"), await addCheck()].reverse();
  const read = async (cursor: string | null) =>
    must(await listSelfAudits(world.backend, admin(), { cursor, limit: 2 }));
  const first = await read(null);
  const second = await read(first.nextCursor);
  expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(ids);
  expect(second.nextCursor).toBeNull();
  expect(first.items[1]).toMatchObject({
    ok: false,
    open: 1,
    kinds: [{ label: "History changed", count: 1 }],
  });
  expect(
    await listSelfAudits(world.backend, world.actor("operator"), { cursor: null, limit: 2 }),
  ).toMatchObject({
    ok: false,
  });
});

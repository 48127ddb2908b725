// Time in which no agent could have reached us does not count: deadlines are moved by the gap, once, before any host is judged.
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { claimHosts } from "@/server/db/hot/host/claim";
import { signOfListening } from "@/server/db/hot/fleet/listening";
import { announceController } from "@/server/db/hot/fleet/lease";
import {
  post,
  startMachineServer,
  type MachineFixture,
} from "@/server/surfaces/machine/testing/machine-fixture";
import { addHost, type TestHost } from "@/server/surfaces/machine/testing/machine-rows";
import { progressOf, registered, runStep } from "@/server/surfaces/machine/testing/agent-session";

let fixture: MachineFixture;
let host: TestHost;
let stepRunId: string;
let token: string;
beforeAll(async () => {
  fixture = await startMachineServer();
});
afterAll(() => fixture.close());
beforeEach(async () => {
  await fixture.query("DELETE FROM listening");
  host = await addHost(fixture);
  token = await registered(fixture, host);
  ({ stepRunId } = await runStep(fixture, host));
  await post(
    fixture,
    `/agent/v1/step-runs/${stepRunId}/progress`,
    token,
    progressOf({
      devices: [
        { serial: "A", percent: 1, status: "", remainingMs: 3_600_000 },
        { serial: "B", percent: 1, status: "", remainingMs: null },
      ],
    }),
  );
  await fixture.query("UPDATE step_run SET deadline_at = now() + interval '30 min' WHERE id = $1", [
    stepRunId,
  ]);
  await fixture.query(
    `UPDATE host_run SET context = '{"boot": {"orderedAt": "2026-01-01T00:00:00.000Z"}, "eraseUntil": null}', due_at = now() + interval '20 min' WHERE host_id = $1`,
    [host.id],
  );
});

const minute = 60_000;
const times = async () =>
  (
    await fixture.query<Record<string, number>>(
      `
  SELECT round(extract(epoch FROM t.deadline_at - now()) / 60)::int AS deadline, round(extract(epoch FROM a.progress_at - now()) / 60)::int AS progress,
    round(((a.erase_ends ->> 'A')::float8 / 1000 - extract(epoch FROM now())) / 60)::int AS ends, (a.erase_ends ->> 'B')::float8 AS unknown,
    round(extract(epoch FROM g.last_seen_at - now()) / 60)::int AS seen, round(extract(epoch FROM g.expires_at - now()) / 60)::int AS session,
    round(extract(epoch FROM r.due_at - now()) / 60)::int AS due, round(extract(epoch FROM (r.context #>> '{boot,orderedAt}')::timestamptz - '2026-01-01T00:00:00Z'::timestamptz) / 60)::int AS ordered
  FROM step_run t JOIN step_attempt a ON a.step_run_id = t.id JOIN host_run r ON r.host_id = t.host_id JOIN agent_session g ON g.host_id = t.host_id WHERE t.id = $1`,
      [stepRunId],
    )
  )[0];
/** Sets how long ago the last sign was; below 0: it lies ahead of the database's clock. */
const lastSign = (minutes: number) =>
  fixture.query("UPDATE listening SET until = now() - $1 * interval '1 min'", [minutes]);
/** Moves all times of the host back by this many minutes, as if the clock had been set forward since. */
const earlier = async (minutes: number): Promise<void> => {
  const by = `interval '${minutes} min'`;
  await fixture.query(`UPDATE step_run SET deadline_at = deadline_at - ${by} WHERE id = $1`, [stepRunId]);
  await fixture.query(
    `UPDATE step_attempt SET progress_at = progress_at - ${by}, erase_ends = erase_ends || jsonb_build_object('A', (erase_ends ->> 'A')::float8 - ${minutes * minute}) WHERE step_run_id = $1`,
    [stepRunId],
  );
  await fixture.query(
    `UPDATE agent_session SET last_seen_at = last_seen_at - ${by}, registered_at = registered_at - ${by}, expires_at = expires_at - ${by} WHERE host_id = $1`,
    [host.id],
  );
  await fixture.query(`UPDATE host_run SET due_at = due_at - ${by} WHERE host_id = $1`, [host.id]);
};
const claimed = async () => {
  await fixture.query("UPDATE host_run SET due_at = now(), lease_owner = NULL WHERE host_id = $1", [host.id]);
  const id = crypto.randomUUID();
  const session = await fixture.pool.connect();
  session.on("error", () => undefined);
  try {
    await announceController(session, { id, name: "test", pid: 1 });
    return (await claimHosts(fixture.pool, id, 100, 1_000)).length > 0;
  } finally {
    session.release(true);
  }
};

it("goes on without a gap while signs come", async () => {
  expect(await signOfListening(fixture.pool)).toBeNull();
  const before = await times();
  await fixture.query("UPDATE listening SET until = now() - interval '8 s', since = now() - interval '1 h'");
  expect(await signOfListening(fixture.pool)).toBeNull();
  expect(await times()).toEqual(before);
  expect(
    (
      await fixture.query(
        "SELECT since < now() - interval '59 min' AS long, until > now() - interval '1 s' AS fresh FROM listening",
      )
    )[0],
  ).toEqual({ long: true, fresh: true });
});

it("moves what a forward jump or an outage would have made late, and only once", async () => {
  await signOfListening(fixture.pool);
  const before = await times();
  await earlier(300);
  await lastSign(300);
  expect(await claimed()).toBe(false);
  expect(Math.round(((await signOfListening(fixture.pool)) ?? 0) / minute)).toBe(300);
  expect(await times()).toEqual({ ...before, due: 0, ordered: 300 });
  expect(await signOfListening(fixture.pool)).toBeNull();
  expect(await times()).toMatchObject({ ordered: 300 });
  expect(await claimed()).toBe(true);
});

it("an agent that was silent before the gap stays silent, and one that was not is heard before it is judged", async () => {
  await signOfListening(fixture.pool);
  await fixture.query(
    "UPDATE agent_session SET last_seen_at = now() - interval '2 min', registered_at = now() - interval '1 h' WHERE host_id = $1",
    [host.id],
  );
  await earlier(5);
  await lastSign(5);
  await signOfListening(fixture.pool);
  expect(await times()).toMatchObject({ seen: -2 });
  await fixture.query(
    "UPDATE agent_session SET last_seen_at = now() - interval '40 s' - interval '5 min' WHERE host_id = $1",
    [host.id],
  );
  await lastSign(5);
  await signOfListening(fixture.pool);
  expect(await times()).toMatchObject({ seen: 0 });
});

it("moves what a clock that was set back would have put off, and takes the host out of the hands of who has it", async () => {
  await signOfListening(fixture.pool);
  const before = await times();
  await earlier(-600);
  await lastSign(-600);
  await fixture.query(
    "UPDATE host_run SET lease_owner = gen_random_uuid(), lease_until = now() + interval '10 h' WHERE host_id = $1",
    [host.id],
  );
  const [{ generation = 0n } = {}] = await fixture.query<{ generation: bigint }>(
    "SELECT generation FROM host_run WHERE host_id = $1",
    [host.id],
  );
  expect(await claimed()).toBe(false);
  await fixture.query(
    "UPDATE host_run SET lease_owner = gen_random_uuid(), due_at = now() + interval '10 h' WHERE host_id = $1",
    [host.id],
  );
  await signOfListening(fixture.pool);
  expect(await times()).toEqual({ ...before, due: 0, ordered: -600 });
  expect(
    (await fixture.query("SELECT lease_owner, generation FROM host_run WHERE host_id = $1", [host.id]))[0],
  ).toEqual({ lease_owner: null, generation: generation + 1n });
});

it("two processes that find one gap move it once", async () => {
  await signOfListening(fixture.pool);
  const before = await times();
  await earlier(90);
  await lastSign(90);
  await Promise.all([1, 2, 3].map(() => signOfListening(fixture.pool)));
  expect(await times()).toEqual({ ...before, due: -70, ordered: 90 });
});

it("a session that was used stays used, and one that was not stays unused, also by a clock that was set back right after", async () => {
  const isUsed = async () =>
    (
      await fixture.query<{ used: boolean }>(
        "SELECT last_seen_at > registered_at AS used FROM agent_session WHERE host_id = $1",
        [host.id],
      )
    )[0]?.used;
  // By the old clock, five minutes ahead: it registered a second after the last sign.
  const session = (usedAfter: string) =>
    fixture.query(
      `UPDATE agent_session SET registered_at = l.until + interval '1 s', last_seen_at = l.until + interval '1 s' + interval '${usedAfter}', expires_at = l.until + interval '15 min' FROM listening l WHERE host_id = $1`,
      [host.id],
    );
  for (const [usedAfter, used] of [
    ["1 ms", true],
    ["500 ms", true],
    ["0", false],
  ] as const) {
    await signOfListening(fixture.pool);
    await lastSign(-5);
    await session(usedAfter);
    expect(await signOfListening(fixture.pool), usedAfter).toBeLessThan(0);
    expect(await isUsed(), usedAfter).toBe(used);
  }
});

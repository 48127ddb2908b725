// Time in which no agent could have reached us, or the address that it uses, does not count: deadlines are moved by the gap, once, before any host is judged.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
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
  for (const table of ["listening", "listening_address", "listening_server"])
    await fixture.query(`DELETE FROM ${table}`);
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
/** What the fixture's server tells hosts to call. */
const here = { address: "http://hosts.reclaim.test", server: "one 127.0.0.1:3000" };
const there = { address: "http://elsewhere.reclaim.test", server: "two 127.0.0.1:3000" };
const sign = async (server = here, heard = false) => signOfListening(fixture.pool, server, heard);
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
const claimed = async (hostId = host.id) => {
  await fixture.query(
    "UPDATE host_run SET due_at = CASE WHEN host_id = $1 THEN now() END, lease_owner = NULL",
    [hostId],
  );
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
  expect(await sign()).toBeNull();
  const before = await times();
  await fixture.query("UPDATE listening SET until = now() - interval '8 s', since = now() - interval '1 h'");
  expect(await sign()).toBeNull();
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
  await sign();
  const before = await times();
  await earlier(300);
  await lastSign(300);
  expect(await claimed()).toBe(false);
  expect(Math.round(((await sign())?.ms ?? 0) / minute)).toBe(300);
  expect(await times()).toEqual({ ...before, due: 0, ordered: 300 });
  expect(await sign()).toBeNull();
  expect(await times()).toMatchObject({ ordered: 300 });
  expect(await claimed()).toBe(true);
});

it("an agent that was silent before the gap stays silent, and one that was not is heard before it is judged", async () => {
  await sign();
  await fixture.query(
    "UPDATE agent_session SET last_seen_at = now() - interval '2 min', registered_at = now() - interval '1 h' WHERE host_id = $1",
    [host.id],
  );
  await earlier(5);
  await lastSign(5);
  await sign();
  expect(await times()).toMatchObject({ seen: -2 });
  await fixture.query(
    "UPDATE agent_session SET last_seen_at = now() - interval '40 s' - interval '5 min' WHERE host_id = $1",
    [host.id],
  );
  await lastSign(5);
  await sign();
  expect(await times()).toMatchObject({ seen: 0 });
});

it("moves what a clock that was set back would have put off, and takes the host out of the hands of who has it", async () => {
  await sign();
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
  await sign();
  expect(await times()).toEqual({ ...before, due: 0, ordered: -600 });
  expect(
    (await fixture.query("SELECT lease_owner, generation FROM host_run WHERE host_id = $1", [host.id]))[0],
  ).toEqual({ lease_owner: null, generation: generation + 1n });
});

it("two processes that find one gap move it once", async () => {
  await sign();
  const before = await times();
  await earlier(90);
  await lastSign(90);
  await Promise.all([1, 2, 3].map(() => sign()));
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
    await sign();
    await lastSign(-5);
    await session(usedAfter);
    expect((await sign())?.ms, usedAfter).toBeLessThan(0);
    expect(await isUsed(), usedAfter).toBe(used);
  }
});

describe("per address", () => {
  /** How long ago the last sign at an address was, and that its server was heard. */
  const awayFor = async (minutes: number, { address, server } = here): Promise<void> => {
    await fixture.query(
      "UPDATE listening_address SET until = now() - $2 * interval '1 min' WHERE address = $1",
      [address, minutes],
    );
    await fixture.query(
      "UPDATE listening_server SET heard_at = now() - $3 * interval '1 min' WHERE address = $1 AND server = $2",
      [address, server, minutes],
    );
  };
  /** Its boot and its agent were there before any address went away. */
  const longThere = (hostId: string) =>
    fixture.query(
      "WITH w AS (UPDATE boot_window SET opened_at = now() - interval '1 h' WHERE host_id = $1) UPDATE agent_session SET registered_at = now() - interval '50 min' WHERE host_id = $1",
      [hostId],
    );
  beforeEach(async () => {
    await longThere(host.id);
    await sign(here, true);
    await sign(there, true);
  });

  it("knows at which address an agent was heard last", async () => {
    const url = async () =>
      (await fixture.query("SELECT server_url FROM agent_session WHERE host_id = $1", [host.id]))[0]?.[
        "server_url"
      ];
    expect(await url()).toBe(here.address);
    await fixture.query(
      "UPDATE agent_session SET server_url = NULL, last_seen_at = now() - interval '1 min' WHERE host_id = $1",
      [host.id],
    );
    await post(fixture, "/agent/v1/poll", token, { working: null, finished: [] });
    expect(await url()).toBe(here.address);
  });

  it("does not judge a host while its own address is away, and moves what it waits for when that is back", async () => {
    const before = await times();
    const other = await addHost(fixture);
    await registered(fixture, other);
    await longThere(other.id);
    await fixture.query("UPDATE agent_session SET server_url = $2 WHERE host_id = $1", [
      other.id,
      there.address,
    ]);
    const seenThere = async () =>
      (
        await fixture.query("SELECT last_seen_at, expires_at FROM agent_session WHERE host_id = $1", [
          other.id,
        ])
      )[0];
    const unmoved = await seenThere();
    await earlier(5);
    await awayFor(5);
    expect(await sign(there)).toBeNull();
    expect(await claimed()).toBe(false);
    expect(await claimed(other.id)).toBe(true);
    await fixture.query("UPDATE host_run SET due_at = now() + interval '15 min' WHERE host_id = $1", [
      host.id,
    ]);
    const gap = await sign();
    expect([Math.round((gap?.ms ?? 0) / minute), gap?.whole]).toEqual([5, false]);
    expect(await times()).toEqual({ ...before, due: 0, ordered: 5 });
    expect(await seenThere()).toEqual(unmoved);
    expect(await sign()).toBeNull();
    expect(await times()).toMatchObject({ ordered: 5 });
    expect(await claimed()).toBe(true);
  });

  it("does not take the word of a server that agents do not reach for one that they do", async () => {
    await awayFor(5);
    expect(await sign({ ...here, server: "three 127.0.0.1:3001" })).toBeNull();
    expect(await claimed()).toBe(false);
    // An agent was heard there: it is reached now.
    expect(await sign({ ...here, server: "three 127.0.0.1:3001" }, true)).not.toBeNull();
    expect(await claimed()).toBe(true);
    // The first is back, by the same name.
    await awayFor(1);
    expect(await sign()).not.toBeNull();
  });

  it("gives an address up after a while, so that its hosts are not left for ever", async () => {
    const before = await times();
    await awayFor(20);
    expect(await claimed()).toBe(false);
    expect(await sign(there)).toBeNull();
    expect(await claimed()).toBe(true);
    expect(await sign()).toBeNull();
    expect(await times()).toMatchObject({ deadline: before?.["deadline"], ordered: 0 });
  });

  it("holds neither a host that waits for no agent, nor a boot that was ordered since", async () => {
    await awayFor(5);
    await fixture.query("UPDATE host_run SET state = 'Manageable' WHERE host_id = $1", [host.id]);
    expect(await claimed()).toBe(true);
    await fixture.query("UPDATE host_run SET state = 'WaitingForCleanup/HostCleanup' WHERE host_id = $1", [
      host.id,
    ]);
    expect(await claimed()).toBe(false);
    await fixture.query("UPDATE agent_session SET registered_at = now() WHERE host_id = $1", [host.id]);
    await fixture.query("UPDATE boot_window SET opened_at = now() WHERE host_id = $1", [host.id]);
    expect(await claimed()).toBe(true);
  });

  it("holds a host of which no address is known only while all are away", async () => {
    await fixture.query("UPDATE agent_session SET server_url = NULL WHERE host_id = $1", [host.id]);
    await awayFor(5);
    expect(await claimed()).toBe(true);
    await awayFor(3, there);
    expect(await claimed()).toBe(false);
    const gap = await sign();
    expect([Math.round((gap?.ms ?? 0) / minute), await claimed()]).toEqual([5, true]);
    expect(await times()).toMatchObject({ ordered: 3 });
  });

  it("moves the addresses with everything else when the clock is set or nobody could be reached", async () => {
    await awayFor(3);
    await fixture.query("UPDATE listening_address SET until = until - interval '2 h'");
    await lastSign(120);
    expect((await sign(there))?.whole).toBe(true);
    expect(Math.round(((await sign())?.ms ?? 0) / minute)).toBe(3);
  });
});

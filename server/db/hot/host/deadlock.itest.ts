// Statements about many hosts at once, from several processes: they wait for each other, and none is lost in a deadlock.
import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { expect, it } from "vitest";
import { claimHosts } from "@/server/db/hot/host/claim";
import { commitHosts } from "@/server/db/hot/host/commit";
import { named } from "@/server/db/hot/pool";
import { signalHosts } from "@/server/db/hot/signal";
import { fileDatabase } from "@/server/db/testing/file-database";
import { emptyLists } from "@/server/domain/hosts/record/written";
import { addIdleHosts, addSite } from "@/server/db/testing/rows";
import { isWhole } from "@/server/testing/drawn";

let pool: Pool;
const hostIds = Array.from({ length: 60 }, () => randomUUID());
const backwards = [...hostIds].reverse();

fileDatabase(8, async (started) => {
  pool = started;
  const siteId = await addSite(pool);
  await addIdleHosts(pool, siteId, hostIds);
});

/** Deadlocks that PostgreSQL has found in this database so far, whichever statement it cancelled. */
async function deadlocks(): Promise<number> {
  await pool.query("SELECT pg_stat_force_next_flush()");
  return (
    (
      await pool.query<{ deadlocks: number }>(
        "SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()",
      )
    ).rows[0]?.deadlocks ?? -1
  );
}

const nudges = (of: readonly string[]) =>
  of.map((hostId) => ({ hostId, kind: "look" as const, payload: {} }));

it("signals to the same hosts in any order make no deadlock", async () => {
  const rounds = isWhole() ? 100 : 30;
  const send = async (of: readonly string[]): Promise<void> => {
    for (let round = 0; round < rounds; round += 1) await signalHosts(pool, nudges(of));
  };
  await Promise.all([send(hostIds), send(backwards), send([...hostIds.slice(30), ...hostIds.slice(0, 30)])]);
  expect(await deadlocks()).toBe(0);
  expect((await pool.query<{ n: number }>("SELECT min(wake_seq)::int AS n FROM host_run")).rows[0]?.n).toBe(
    3 * rounds,
  );
});

it("signals make no deadlock with the commits of a controller", async () => {
  const controllerId = randomUUID();
  let committing = true;
  const send = async (of: readonly string[]): Promise<void> => {
    while (committing) await signalHosts(pool, nudges(of));
  };
  const commit = async (): Promise<void> => {
    for (let round = 0; round < (isWhole() ? 60 : 20); round += 1) {
      const claims = await claimHosts(pool, controllerId, 60, 60_000);
      const runs = claims
        .flatMap((claim) => (claim.ok ? [claim.view.run] : []))
        .map((run) => ({
          ...run,
          strict: false,
          expectEvidenceSeq: null,
          keepLease: false,
          entered: 0,
          waitReason: null,
          limitAtMs: null,
          instanceId: null,
          tenantId: null,
          cleanStep: null,
          bootHeld: false,
          dueAtMs: 0,
          touchedSet: false,
          maintenanceSet: false,
          erasingSet: false,
          commandSet: false,
          command: null,
          commandEpoch: null,
          cleanBegins: false,
          cleanSet: false,
          cleanMessage: null,
          bootProven: false,
        }));
      // In the order of the claim: by when they were due.
      expect((await commitHosts(pool, controllerId, { ...emptyLists(), runs })).size).toBe(runs.length);
    }
  };
  const before = await deadlocks();
  await Promise.all([
    send(hostIds),
    send(backwards),
    commit().finally(() => {
      committing = false;
    }),
  ]);
  expect(await deadlocks()).toBe(before);
});

/** Locks one host, waits, and then locks the other. */
const oneThenOther = named<{ host_id: string }, [string, string]>(
  "one_then_other",
  `
  WITH one AS (UPDATE host_run SET evidence_seq = evidence_seq + 1 WHERE host_id = $1::uuid RETURNING host_id), waited AS (SELECT pg_sleep(0.3)::text AS over FROM one)
  UPDATE host_run r SET evidence_seq = r.evidence_seq + 1 FROM waited WHERE r.host_id = $2::uuid RETURNING r.host_id`,
);

it("a statement that was undone for a deadlock runs again", async () => {
  const [one = "", other = ""] = hostIds;
  const before = await deadlocks();
  await Promise.all([oneThenOther(pool, one, other), oneThenOther(pool, other, one)]);
  expect(await deadlocks()).toBeGreaterThan(before);
  const counted = await pool.query<{ n: number }>(
    "SELECT evidence_seq::int AS n FROM host_run WHERE host_id = ANY($1::uuid[])",
    [[one, other]],
  );
  expect(counted.rows.map((row) => row.n)).toEqual([2, 2]);
});

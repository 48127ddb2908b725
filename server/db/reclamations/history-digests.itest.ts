// The end of a reclamation puts the digest of its history into the audit log, once, and a later change of the history is detected.
import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { expect, it } from "vitest";
import { logHistoryDigests, readHistories } from "@/server/db/reclamations/history-digests";
import { fileDatabase } from "@/server/db/testing/file-database";
import { addHost, addSite } from "@/server/db/testing/rows";
import { historyDigest, reclamationHistory } from "@/server/domain/reclamations/history-digest";

let pool: Pool;
// A single connection, so that a setting on it applies to everything.
fileDatabase(1, (made) => {
  pool = made;
  return Promise.resolve();
});

const digestNow = async (id: string) =>
  historyDigest(reclamationHistory.parse((await readHistories(pool, [id])).get(id)));

it("logs what a reclamation was when it ended", async () => {
  const [hostId, id] = [randomUUID(), randomUUID()];
  await addHost(pool, hostId, { siteId: await addSite(pool) });
  await pool.query(
    "INSERT INTO reclamation (id, host_id, host_serial, kind, policy_version, policy) VALUES ($1, $2, 'S-1', 'release', 1, '{}')",
    [id, hostId],
  );
  await pool.query(
    `INSERT INTO state_history (host_id, version, state, reason, reclamation_id, generation)
     VALUES ($1, 1001, 'ReturnToAllocation/Init', 'begun', $2, 1), ($1, 1002, 'Ready', NULL, $2, 1)`,
    [hostId, id],
  );
  expect(await logHistoryDigests(pool)).toBe(0);
  await pool.query("UPDATE reclamation SET ended_at = now(), outcome = 'ready' WHERE id = $1", [id]);
  // The host moves on before the job runs, and its rows keep the reclamation's id.
  await pool.query(
    `INSERT INTO state_history (host_id, version, state, reclamation_id, generation) VALUES ($1, 1003, 'Manageable', $2, 1)`,
    [hostId, id],
  );
  // The connection's time zone does not affect the digest.
  await pool.query("SET TIME ZONE 'Asia/Tokyo'");
  const then = await digestNow(id);
  expect(await logHistoryDigests(pool)).toBe(1);
  expect(await logHistoryDigests(pool)).toBe(0);
  await pool.query("SET TIME ZONE 'UTC'");
  expect(await digestNow(id)).toEqual(then);
  const { rows } = await pool.query<{ target_id: string; after: unknown }>(
    "SELECT target_id, after FROM audit_event WHERE action = 'reclamation.end'",
  );
  expect(rows).toEqual([{ target_id: id, after: then }]);
  expect(then).toMatchObject({ transitions: 2, lastVersion: "1002", stepRuns: 0, outcome: "ready" });
  await pool.query("UPDATE state_history SET reason = 'another' WHERE host_id = $1 AND version = 1001", [
    hostId,
  ]);
  expect((await digestNow(id)).sha256).not.toBe(then.sha256);
});

// The self-audit on a database: it says so when all is well, and names each thing that was changed, check after check; what is broken off leaves nothing.
import { randomBytes, randomUUID } from "node:crypto";
import pino from "pino";
import type { Pool, PoolClient } from "pg";
import { afterEach, describe, expect, it } from "vitest";
import { readCheckNow, readChecks, readLastCheck } from "@/server/db/audit-log/check-rows";
import { addFirstKey } from "@/server/db/audit-log/keys";
import { readKeptCheckpoint, readUnsigned, whileChecking } from "@/server/db/audit-log/self-audit";
import { signNews } from "@/server/db/audit-log/sign";
import { numberAll } from "@/server/db/audit-log/testing/number-all";
import { withConnection } from "@/server/db/connection";
import { logHistoryDigests } from "@/server/db/reclamations/history-digests";
import { createSecretBox } from "@/server/db/secrets/secret-box";
import { sqlOn } from "@/server/db/sql";
import { fileDatabase } from "@/server/db/testing/file-database";
import { addHost, addSite } from "@/server/db/testing/rows";
import { parseCheckpoint } from "@/server/domain/audit-log/checkpoint";
import { gateNames } from "@/server/domain/reclamations/gates/gate-names";
import { selfAudit } from "@/server/jobs/audit-log/self-audit";

let pool: Pool;
const secrets = createSecretBox(randomBytes(32));
const logger = pino({ level: "silent" });
const [hostId, first, second, instanceId, tenantId] = [
  randomUUID(),
  randomUUID(),
  randomUUID(),
  randomUUID(),
  randomUUID(),
];

/** As the owner with triggers off, like somebody who does not want to be seen. */
const tamper = (work: (client: PoolClient) => Promise<unknown>): Promise<void> =>
  withConnection(pool, async (client) => {
    await client.query("SET session_replication_role = replica");
    try {
      await work(client);
    } finally {
      await client.query("RESET session_replication_role");
    }
  });

/** One trip of a host, in the commits that a controller makes; `minute` of one day. */
async function addTrip(
  client: PoolClient,
  {
    id,
    kind,
    from,
    minute,
    states,
  }: { id: string; kind: string; from: number; minute: number; states: readonly string[] },
): Promise<void> {
  const at = (n: number) => `2026-11-20T10:${String(minute + n).padStart(2, "0")}:00.000Z`;
  const last = states.length - 1;
  await client.query(
    `INSERT INTO reclamation (id, host_id, host_serial, kind, instance_id, policy_version, policy, started_at, ended_at, outcome)
     VALUES ($1, $2, 'S-1', $3, $4, 1, '{}', $5, $6, 'ready')`,
    [id, hostId, kind, kind === "release" ? instanceId : null, at(0), at(last)],
  );
  for (const [n, state] of states.entries())
    await client.query(
      "INSERT INTO state_history (host_id, version, state, reason, reclamation_id, generation, at) VALUES ($1, $2, $3, 'x', $4, $2, $5)",
      [hostId, from + n, state, id, at(n)],
    );
  await client.query(
    `INSERT INTO step_run (id, reclamation_id, host_id, plan_epoch, position, interface, step, "where", priority, priority_source, proves, status, attempt, max_attempts)
     VALUES (gen_random_uuid(), $1, $2, 1, 0, 'deploy', 'erase_nvme', 'agent', 90, 'default', '{storageSanitized}', 'succeeded', 1, 3)`,
    [id, hostId],
  );
  for (const gate of gateNames)
    await client.query(
      "INSERT INTO gate (reclamation_id, gate, status, reason, evidence, generation, evidence_seq) VALUES ($1, $2, 'satisfied', '', '{}', 1, 1)",
      [id, gate],
    );
  await client.query(
    "INSERT INTO certificate (id, reclamation_id, host_id, kind, type, statement, sha256) VALUES (gen_random_uuid(), $1, $2, 'certificate', 'certificate', '{}', '')",
    [id, hostId],
  );
  await client.query("INSERT INTO history_digest_due (reclamation_id) VALUES ($1)", [id]);
}

const cleaned = [
  "WaitingForCleanup/Queued",
  "WaitingForCleanup/HostCleanup",
  "ReturnToAllocation/EvaluatingGates",
  "Ready",
];
const tenant = ["Assigned/WaitingForNetworkConfig", "Assigned/Ready"];

async function addLife(): Promise<void> {
  await addHost(pool, hostId, { siteId: await addSite(pool) });
  await tamper(async (client) => {
    await client.query("INSERT INTO tenant (id, org, name) VALUES ($1, 'acme', 'Acme')", [tenantId]);
    await client.query(
      `INSERT INTO instance (id, name, tenant_id, host_id, created_at, ended_at)
       VALUES ($1, 'one', $2, $3, '2026-11-20T10:10:00Z', '2026-11-20T10:20:00Z')`,
      [instanceId, tenantId, hostId],
    );
    await addTrip(client, { id: first, kind: "onboarding", from: 2, minute: 1, states: cleaned });
    for (const [n, state] of tenant.entries())
      await client.query(
        "INSERT INTO state_history (host_id, version, state, reclamation_id, generation, at) VALUES ($1, $2, $3, $4, $2, '2026-11-20T10:15:00Z')",
        [hostId, 6 + n, state, first],
      );
    await addTrip(client, {
      id: second,
      kind: "release",
      from: 8,
      minute: 18,
      states: ["Assigned/BootingWithDiscoveryImage", ...cleaned],
    });
    await client.query(
      "UPDATE host_run SET state = 'Ready', state_version = 12, state_since = '2026-11-20T10:22:00Z', reclamation_id = $2 WHERE host_id = $1",
      [hostId, second],
    );
  });
  while ((await logHistoryDigests(pool)) > 0);
}

fileDatabase(4, async (made) => {
  pool = made;
  await addFirstKey(pool, secrets, "reclaim.test/audit-log");
  // Ended before the migrations of this database, which is new: as if they had been there.
  await pool.query("UPDATE _prisma_migrations SET finished_at = '2026-11-01'");
  await addLife();
});

async function check(signal = new AbortController().signal) {
  await numberAll(pool);
  await signNews(pool, secrets, () => undefined);
  await withConnection(pool, (client) => whileChecking(client, () => selfAudit(client, logger, signal)));
  return readLastCheck(sqlOn(pool));
}

const said = (found: Awaited<ReturnType<typeof check>>) =>
  found?.named.map(({ kind, says }) => `${kind}: ${says}`);

it("finds nothing in what is whole, and says what it has covered", async () => {
  expect(await check()).toMatchObject({
    ok: true,
    faults: 0,
    open: 0,
    askedBy: null,
    covered: { hosts: 1, transitions: 12, instances: 1, reclamations: 2, digests: 2, undigested: 0 },
  });
});

describe("of the states of hosts", () => {
  const undo: string[] = [];
  afterEach(async () => {
    await tamper(async (client) => {
      for (const statement of undo.splice(0).reverse()) await client.query(statement);
    });
    expect(await check()).toMatchObject({ ok: true });
  });
  const breakBy = async (statement: string, back: string) => {
    undo.push(back);
    await tamper((client) => client.query(statement));
    return said(await check());
  };

  it("names a transition that was changed", async () =>
    expect(
      await breakBy(
        `UPDATE state_history SET reason = 'y' WHERE host_id = '${hostId}' AND version = 9`,
        `UPDATE state_history SET reason = 'x' WHERE host_id = '${hostId}' AND version = 9`,
      ),
    ).toEqual([
      "changedHistory: has changed since it ended (a transition, a step run or the reclamation itself reads otherwise)",
    ]));

  it("names a step run that was changed", async () =>
    expect(
      await breakBy(
        `UPDATE step_run SET attempt = 2 WHERE reclamation_id = '${second}'`,
        `UPDATE step_run SET attempt = 1 WHERE reclamation_id = '${second}'`,
      ),
    ).toEqual([expect.stringMatching(/^changedHistory: has changed since it ended/)]));

  it("names a transition that was deleted", async () =>
    expect(
      await breakBy(
        `DELETE FROM state_history WHERE host_id = '${hostId}' AND version = 10`,
        `INSERT INTO state_history (host_id, version, state, reason, reclamation_id, generation, at) VALUES ('${hostId}', 10, 'WaitingForCleanup/HostCleanup', 'x', '${second}', 10, '2026-11-20T10:20:00Z')`,
      ),
    ).toEqual([
      "stateHistory: transition 10 is missing from the history",
      "changedHistory: has changed since it ended (transitions: 5 then, 4 now)",
    ]));

  it("names a host that is Ready with a tenant on it, and that a gate did not pass", async () => {
    await breakBy(
      `UPDATE instance SET ended_at = NULL WHERE id = '${instanceId}'`,
      `UPDATE instance SET ended_at = '2026-11-20T10:20:00Z' WHERE id = '${instanceId}'`,
    );
    expect(
      await breakBy(
        `UPDATE gate SET status = 'unsatisfied' WHERE reclamation_id = '${second}' AND gate = 'storageSanitized'`,
        `UPDATE gate SET status = 'satisfied' WHERE reclamation_id = '${second}' AND gate = 'storageSanitized'`,
      ),
    ).toEqual([
      "unprovenReady: became Ready, but gates did not pass: storageSanitized is unsatisfied",
      `boundReady: is Ready, but instance ${instanceId} on it is older and has not ended`,
    ]);
  });

  it("names a host that was made Ready by hand", async () => {
    const back = `UPDATE host_run SET state = 'Ready', instance_id = NULL, state_version = 12 WHERE host_id = '${hostId}'`;
    const rows = `INSERT INTO state_history (host_id, version, state, reason, reclamation_id, generation, at)
      SELECT host_id, version, state, reason, reclamation_id, generation, at FROM kept_history`;
    undo.push("DROP TABLE kept_history", rows, back);
    await tamper(async (client) => {
      await client.query("CREATE TABLE kept_history AS SELECT * FROM state_history WHERE version > 7");
      await client.query("DELETE FROM state_history WHERE version > 7");
      await client.query(
        `UPDATE host_run SET instance_id = '${instanceId}', state_version = 7 WHERE host_id = '${hostId}'`,
      );
    });
    expect(said(await check())).toEqual([
      "stateHistory: is Ready (version 7), but its history ends with Assigned/Ready (version 7)",
      `boundReady: is Ready, but its record still names instance ${instanceId}`,
      "changedHistory: has changed since it ended (transitions: 5 then, 0 now)",
    ]);
  });

  const newest = "'2026-11-20T11:00:00Z'";
  const addInstance = (ended: string) =>
    `INSERT INTO instance (id, name, tenant_id, host_id, created_at, ended_at) VALUES (gen_random_uuid(), 'two', '${tenantId}', '${hostId}', ${newest}, ${ended})`;
  const dropInstance = `DELETE FROM instance WHERE host_id = '${hostId}' AND name = 'two'`;

  it("names a host that was taken from a tenant: the end of its history was deleted, and its instance ended", async () =>
    expect(await breakBy(addInstance("now()"), dropInstance)).toEqual([
      expect.stringMatching(
        /^unprovenReady: is Ready, but no complete reclamation follows its last instance/,
      ),
    ]));

  it("names a Ready host with a claim that no controller has read", async () =>
    expect(await breakBy(addInstance("NULL"), dropInstance)).toEqual([
      expect.stringMatching(/^boundReady: .* no controller has read the claim of /),
    ]));

  it("names a reclamation that was deleted, and one without a digest", async () => {
    undo.push(
      "DROP TABLE kept_reclamation",
      "INSERT INTO reclamation OVERRIDING SYSTEM VALUE SELECT * FROM kept_reclamation",
      `DELETE FROM reclamation WHERE kind = 'recheck'`,
    );
    await tamper(async (client) => {
      await client.query(`CREATE TABLE kept_reclamation AS SELECT * FROM reclamation WHERE id = '${first}'`);
      await client.query(`DELETE FROM reclamation WHERE id = '${first}'`);
      await client.query(
        `INSERT INTO reclamation (host_id, host_serial, kind, policy_version, policy, ended_at, outcome, id)
         VALUES ($1, 'S-1', 'recheck', 1, '{}', now() - interval '1 hour', 'abandoned', gen_random_uuid())`,
        [hostId],
      );
    });
    expect(said(await check())).toEqual([
      "unprovenReady: became Ready, but its reclamation does not exist",
      "changedHistory: has ended as the audit log says, but is gone or open again",
      "missingDigest: has ended, but the audit log has no digest of it",
    ]);
  });
});

describe("one that is broken off", () => {
  it("leaves no result, and is begun again", async () => {
    const before = await readChecks(sqlOn(pool), 100, null);
    const client = await pool.connect();
    client.on("error", () => undefined);
    const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    const lock = await pool.connect();
    lock.on("error", () => undefined);
    // It comes as far as the transitions, which somebody else has.
    await lock.query("BEGIN; LOCK TABLE state_history IN ACCESS EXCLUSIVE MODE");
    const broken = whileChecking(client, () => selfAudit(client, logger, new AbortController().signal));
    const ended = expect(broken).rejects.toThrow();
    await expect.poll(() => readCheckNow(sqlOn(pool))).toMatchObject({ standing: "running" });
    // As when its process is killed: the connection ends in the middle.
    await pool.query("SELECT pg_terminate_backend($1)", [rows[0]?.pid]);
    await ended;
    await lock.query("ROLLBACK");
    lock.release();
    client.release(true);
    expect(await readChecks(sqlOn(pool), 100, null)).toEqual(before);
    await pool.query("UPDATE audit_check SET beat_at = now() - interval '2 minutes'");
    expect(await readCheckNow(sqlOn(pool))).toMatchObject({ standing: "brokenOff" });
    expect(await check()).toMatchObject({ ok: true });
    expect(await readCheckNow(sqlOn(pool))).toBeNull();
    expect(await readChecks(sqlOn(pool), 100, null)).toHaveLength(before.length + 1);
  });
});

it("finds an event that was changed since, and events without a number", async () => {
  const { events = 0 } = (await check()) ?? {};
  await tamper((client) =>
    client.query(
      "UPDATE audit_event SET actor_name = 'Mallory' WHERE id = (SELECT event_id FROM audit_leaf WHERE seq = 1)",
    ),
  );
  const found = await check();
  expect(found).toMatchObject({ ok: false, events: events + 1 });
  expect(found?.first.join()).toMatch(/event 1 .*is not what was logged/);
  expect(await check()).toMatchObject({ ok: false, events: events + 2 });
  // The fault stays for ever: what the log must begin with goes on all the same.
  const kept = await withConnection(pool, readKeptCheckpoint);
  expect(parseCheckpoint(kept ?? "")?.size).toBe(events + 2);
  await tamper((client) =>
    client.query(
      "INSERT INTO audit_event (id, actor_kind, action, outcome) VALUES ($1, 'system', 'host.retry', 'done')",
      [randomUUID()],
    ),
  );
  expect((await check())?.faults).toBe((found?.faults ?? 0) + 1);
});

it("compares with the newest checkpoint, and tells each stop of signing apart", async () => {
  const later = async (by: string) => {
    await tamper((client) => client.query(`UPDATE audit_event SET at = at ${by}`));
    await tamper((client) => client.query(`UPDATE audit_pending SET at = at ${by}`));
  };
  const unsigned = () => withConnection(pool, (client) => readUnsigned(client));
  const add = async () => {
    await pool.query(
      "INSERT INTO audit_event (id, actor_kind, action, outcome) VALUES ($1, 'system', 'host.retry', 'done')",
      [randomUUID()],
    );
    await numberAll(pool);
  };
  await add();
  await later("- interval '20 minutes'");
  const { unsignedFrom: first } = await unsigned();
  expect(first).not.toBeNull();
  // Signed while the check read the log: nothing is late any more.
  await signNews(pool, secrets, () => undefined);
  expect(await unsigned()).toMatchObject({ unsignedFrom: null });
  await add();
  await later("- interval '20 minutes'");
  const { unsignedFrom: second } = await unsigned();
  expect([null, first]).not.toContain(second);
});

it("leaves it to the process that is at it", async () => {
  const others: string[] = [];
  await withConnection(pool, (one) =>
    whileChecking(one, () =>
      withConnection(pool, (other) =>
        whileChecking(other, async () => {
          others.push("checked");
        }),
      ),
    ),
  );
  expect(others).toEqual([]);
});

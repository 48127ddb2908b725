// Returns for tests of the proof desk: hosts that tenants gave up, with one drive each, and what is on record of them.
import { randomUUID } from "node:crypto";
import { readSigners } from "@/server/db/audit-log/keys";
import { signNews } from "@/server/db/audit-log/sign";
import { numberAll } from "@/server/db/audit-log/testing/number-all";
import { issueCertificates } from "@/server/db/certificates/issue";
import { poolOf } from "@/server/db/prisma";
import { gateNames } from "@/server/domain/reclamations/gates/gate-names";
import type { GateName, GateStatus } from "@/server/domain/reclamations/gates/gate-names";
import { result } from "@/server/domain/cleaning/sanitization/testing/device-results";
import { nvme, reportHardware } from "@/server/usecases/testing/hardware";
import { addReclamation } from "@/server/usecases/testing/reclamations";
import type { World } from "@/server/usecases/testing/world";

interface Given {
  readonly tenant: "acme" | "vela" | "repair";
  readonly startedAt: string;
  readonly serial: string;
  /** Left out: in progress. */
  readonly outcome?: "ready" | "abandoned";
  /** An exception lets a gate through. */
  readonly excepted?: boolean;
  /** A gate that is not satisfied, and why it let the host go on. */
  readonly departs?: readonly [gate: GateName, status: GateStatus, reason: string];
  /** The judgement of the drive's erase; left out: `sanitized`. */
  readonly verdict?: "sanitized" | "failed";
}

export interface AddedReturn {
  readonly id: string;
  readonly instanceId: string;
  readonly hostId: string;
}

const secret = { reason: "secret reason", by: "Sara Duarte", approvedBy: "Priya Raman" };
const exceptedGate = "platformAtBaseline";

async function addException(
  world: World,
  exception: string,
  { id: reclamationId, hostId }: AddedReturn,
  { gate, drive }: { readonly gate: GateName; readonly drive: string | null },
): Promise<void> {
  const approval = randomUUID();
  const pool = poolOf(world.backend.database);
  await pool.query(
    `INSERT INTO approval (id, kind, subject_id, evidence, host_id, asked_by, asked_by_name, asked_at, reason, valid_until)
     VALUES ($1, 'exception', $2, repeat('0', 64), $3, $4, $5, now(), $6, now() + interval '20 days')`,
    [approval, exception, hostId, world.actor("operator").personId, secret.by, secret.reason],
  );
  await pool.query(
    `INSERT INTO gate_exception (id, site_id, host_id, host_name, reclamation_id, gate, found, measure, risk, approval_id, drive_serial, drive_model)
     VALUES ($5, $1, $2, 'x', $3, $6, '{}', 'secret measure', 'secret risk', $4, $7, $8)`,
    [world.siteId, hostId, reclamationId, approval, exception, gate, drive, drive === null ? null : "PM9A3"],
  );
  await pool.query(
    "UPDATE approval SET decision = 'approved', decided_by = $2, decided_by_name = $3, decided_reason = 'agreed', decided_at = now() WHERE id = $1",
    [approval, world.actor("provider-admin").personId, secret.approvedBy],
  );
}

async function addRecords(world: World, added: AddedReturn, given: Given): Promise<void> {
  const { id, hostId } = added;
  const pool = poolOf(world.backend.database);
  await pool.query(
    `INSERT INTO device_result (reclamation_id, host_id, step_run_id, attempt, plan_epoch, serial, model, media, technique, standard, level, technique_table, verdict, reason, report)
     VALUES ($1, $2, gen_random_uuid(), 1, 1, $3, 'PM9A3', 'nvme', 'nvme-sanitize-crypto', 'ieee-2883', 'purge', 2, $5, 'verified', $4)`,
    [
      ...[id, hostId, given.serial, JSON.stringify(result(given.serial, { model: "PM9A3" }))],
      given.verdict ?? "sanitized",
    ],
  );
  const { startedAt: at } = given;
  const used = {
    ...secret,
    id: randomUUID(),
    askedAt: at,
    approvedAt: at,
    until: "2027-01-01T00:00:00.000Z",
  };
  for (const gate of gateNames) {
    const [departing, status, why] = given.departs ?? [exceptedGate, "excepted", "ok"];
    const departs = gate === departing && (given.departs !== undefined || given.excepted === true);
    const excepted = departs && status === "excepted";
    const [is, reason] = departs ? [status, why] : ["satisfied", "ok"];
    if (excepted)
      await addException(world, used.id, added, {
        gate,
        drive: gate === "storageSanitized" ? given.serial : null,
      });
    await pool.query(
      "INSERT INTO gate (reclamation_id, gate, status, reason, evidence, generation, evidence_seq) VALUES ($1, $2, $3, $5, $4, 1, 1)",
      [id, gate, is, JSON.stringify(excepted ? { exceptions: [used] } : {}), reason],
    );
  }
}

/** The host is called `name`, its instance `of-name` and its chassis serial `SN-name`. */
export async function addReturn(world: World, name: string, given: Given): Promise<AddedReturn> {
  const { database } = world.backend;
  const pool = poolOf(database);
  const hostId = await world.host(name);
  await reportHardware(world, hostId, [nvme(given.serial, { model: "PM9A3", slot: "bay 0" })]);
  await pool.query("UPDATE drive_stay SET from_at = '2026-01-01' WHERE host_id = $1", [hostId]);
  const tenantId = world.tenants[given.tenant];
  const instanceId = randomUUID();
  const startedAt = new Date(given.startedAt);
  await database.instance.create({
    data: {
      ...{ id: instanceId, name: `of-${name}`, tenantId, hostId },
      ...{ createdAt: new Date("2026-02-01T00:00:00Z"), releaseRequestedAt: startedAt, endedAt: startedAt },
    },
  });
  const drive = { serial: given.serial, model: "PM9A3", media: "nvme", sources: ["bmc", "agent"] };
  const { id } = await addReclamation(world, hostId, {
    ...{ kind: "release", hostSerial: `SN-${name}`, tenantId, instanceId, startedAt, planEpoch: 1 },
    devices: { expected: [drive], excluded: [], missing: [], answered: [] },
  });
  await pool.query(
    "INSERT INTO debt (id, chassis_serial, drive_serials, instance_id, tenant_id) VALUES (gen_random_uuid(), $1, $2, $3, $4)",
    [`SN-${name}`, [given.serial], instanceId, tenantId],
  );
  const added = { id, instanceId, hostId };
  if (given.outcome === undefined) return added;
  if (given.outcome === "ready") await addRecords(world, added, given);
  const standing =
    given.departs !== undefined
      ? null // by what is on record, as the database computes it
      : given.outcome === "abandoned"
        ? "notProven"
        : given.excepted === true
          ? "provenWithExceptions"
          : "proven";
  await pool.query("UPDATE reclamation SET ended_at = $2, outcome = $3, standing = $4 WHERE id = $1", [
    ...[id, new Date(startedAt.getTime() + 3_600_000), given.outcome, standing],
  ]);
  return added;
}

/** The host is Ready by what its return is said to have proved, and owes nothing. */
export async function putInReadyBy(world: World, { id, hostId }: AddedReturn): Promise<void> {
  const pool = poolOf(world.backend.database);
  await pool.query(
    "UPDATE debt SET cleared_at = now(), cleared_by = $1, cleared_note = 'let go' WHERE chassis_serial = (SELECT serial FROM host WHERE id = $2)",
    [id, hostId],
  );
  await pool.query(
    "UPDATE host_run SET state = 'Ready', state_version = state_version + 1, state_since = now(), allocatable = true, reclamation_id = $2 WHERE host_id = $1",
    [hostId, id],
  );
}

/** Issues, numbers and signs what waits, as the controller's jobs do. */
export async function signAll({ backend: { database, secrets } }: World): Promise<void> {
  const pool = poolOf(database);
  for (let round = 0; round < 4; round += 1) {
    await issueCertificates(
      pool,
      () => readSigners(pool, secrets),
      undefined,
      () => Promise.resolve(null),
    );
    await numberAll(pool);
    await signNews(pool, secrets);
  }
}

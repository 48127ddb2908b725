// Asks one batch of hosts of a started bulk act, skipping those that changed state since, in a few statements whatever the number of hosts.
import { sql } from "kysely";
import { execute, queryRows } from "@/server/db/sql";
import { hostActions } from "@/server/domain/hosts/host-actions";
import { actionRefusal } from "@/server/domain/hosts/action-refusal";
import { bulkIntents, isSignalled } from "@/server/domain/hosts/bulk-intents";
import type { BulkIntent } from "@/server/domain/hosts/bulk-intents";
import { stepName } from "@/server/domain/cleaning/steps/step";
import { writeAudit } from "@/server/db/audit";
import type { AuditAction } from "@/server/domain/access/audit-actions";
import type { AuditEvent } from "@/server/db/audit";
import { tellWithin } from "@/server/db/hot/signal";
import type { Transaction } from "@/server/db/prisma";
import { bulkArgs } from "@/server/usecases/hosts/bulk/bulk-args";
import type { BulkArgs } from "@/server/usecases/hosts/bulk/bulk-args";
import type { IntentSignal } from "@/server/usecases/hosts/acts/request-of-host";
import { factsColumns, toIntentFacts } from "@/server/usecases/hosts/host-facts";
import type { FactsRow } from "@/server/usecases/hosts/host-facts";
import { writeMaintenance } from "@/server/usecases/hosts/maintenance/maintenance";

/** Hosts per transaction, which keeps their rows locked against the controller. */
export const portionHosts = 250;

/** What a batch needs of a started bulk act. */
export interface StartedBulk {
  readonly id: string;
  readonly intent: BulkIntent;
  readonly args: BulkArgs;
  readonly personId: string | null;
  readonly personName: string;
  /** Id of the request that started it. */
  readonly requestId: string;
}

interface BulkRow {
  readonly id: string;
  readonly intent: string;
  readonly args: unknown;
  readonly createdBy: string | null;
  readonly createdByName: string;
  readonly requestId: string;
}

export const isBulkIntent = (value: string): value is BulkIntent =>
  bulkIntents.some((intent) => intent === value);

/** Throws if this version does not know the stored act. */
export function toStarted(row: BulkRow): StartedBulk {
  if (!isBulkIntent(row.intent)) throw new Error(`act ${row.id} is of the unknown intent ${row.intent}`);
  return {
    id: row.id,
    intent: row.intent,
    args: bulkArgs.parse(row.args),
    personId: row.createdBy,
    personName: row.createdByName,
    requestId: row.requestId,
  };
}

const auditActionOf = {
  clean: "host.clean",
  abort: "host.abort",
  hold: "host.hold",
  resume: "host.resume",
  retry: "host.retry",
  restart: "host.restart",
  manage: "host.manage",
  provide: "host.provide",
  decommission: "host.decommission",
  forceDelete: "host.delete",
  setMaintenance: "host.setMaintenance",
  clearMaintenance: "host.clearMaintenance",
} as const satisfies Record<BulkIntent, AuditAction>;

/** The signals carry the act's id as their request id, by which later refusals of the controller and new reclamations are found. */
function signalOf({ id, intent, args, personId, personName }: StartedBulk): IntentSignal | null {
  if (!isSignalled(intent)) return null;
  const by = { personId, name: personName, requestId: id };
  switch (intent) {
    case "clean":
      return {
        kind: "clean",
        payload: {
          by,
          steps: args.steps ?? [],
          runbook: args.runbook === null ? null : { id: args.runbook.id, name: args.runbook.name },
          bulkId: id,
        },
      };
    case "hold":
      return { kind: "hold", payload: { by, reason: args.reason ?? "", forMs: args.forMs } };
    case "decommission":
      return { kind: "decommission", payload: { by, reason: args.reason ?? "", keepAccount: false } };
    default:
      return { kind: intent, payload: { by } };
  }
}

interface PortionRow extends FactsRow {
  readonly seen: bigint;
  readonly reclamation_id: string | null;
}

/** Locks only rows that nobody else is writing to; the others are left for the next batch, so there is no deadlock. */
const readPortion = (tx: Transaction, id: string): Promise<PortionRow[]> =>
  queryRows(
    tx,
    sql<PortionRow>`
  SELECT ${factsColumns}, b.state_version AS seen, r.reclamation_id::text
  FROM bulk_act_host b JOIN host_run r ON r.host_id = b.host_id LEFT JOIN instance i ON i.host_id = r.host_id AND i.ended_at IS NULL
  WHERE b.bulk_id = ${id}::uuid
    AND b.status = 'can' -- safety: many hosts: who cannot is not asked
  ORDER BY b.host_id LIMIT ${portionHosts} FOR UPDATE OF r SKIP LOCKED`,
  );

function whyNot(row: PortionRow, { intent }: StartedBulk): string | null {
  // safety: many hosts: one that moved on since the preview
  if (row.state_version !== row.seen)
    return `its state has changed since the preview; it is now in ${row.state}`;
  if (intent !== "hold" && row.pending.includes(intent))
    return `${hostActions[intent].words} was already requested`;
  return actionRefusal(intent, toIntentFacts(row), {
    on: row.maintenance,
    by: row.maintenance_by,
    touchUncovered: true,
  });
}

/** These intents act on the open reclamation of the host; the others begin a new one, which names the bulk act. */
const ofOpenReclamation: readonly BulkIntent[] = ["retry", "restart", "abort", "hold", "resume"];

/** The audit event for one host. The event of the bulk act has the steps with their arguments. */
function eventOf(bulk: StartedBulk, row: PortionRow): AuditEvent {
  return {
    actor: { kind: "person", id: bulk.personId, name: bulk.personName },
    action: auditActionOf[bulk.intent],
    targetId: row.host_id,
    tenantId: row.tenant_id,
    requestId: bulk.requestId,
    address: null,
    outcome: "done",
    before: { state: row.state },
    after: {
      intent: bulk.intent,
      bulkId: bulk.id,
      ...(bulk.args.steps === null
        ? {}
        : { steps: bulk.args.steps.map(stepName), runbook: bulk.args.runbook?.name ?? null }),
      ...(bulk.args.reason === null ? {} : { reason: bulk.args.reason }),
    },
  };
}

/** Asks the next hosts of a bulk act in this transaction. Returns how many it settled; 0 if none is left, or if all that are left are locked. */
export async function askPortion(tx: Transaction, bulk: StartedBulk): Promise<number> {
  const rows = await readPortion(tx, bulk.id);
  const gone = await execute(
    tx,
    sql`
    UPDATE bulk_act_host b SET status = 'refused', message = 'the host is gone', at = now()
    WHERE b.bulk_id = ${bulk.id}::uuid AND b.status = 'can' AND NOT EXISTS (SELECT 1 FROM host_run r WHERE r.host_id = b.host_id)`,
  );
  if (rows.length === 0) return gone;
  const lines = rows.map((row) => ({ row, reason: whyNot(row, bulk) }));
  const asked = lines.flatMap(({ row, reason }) => (reason === null ? [row] : []));
  const settled = JSON.stringify(
    lines.map(({ row, reason }) => ({
      host_id: row.host_id,
      status: reason === null ? "asked" : "refused",
      message: reason,
      reclamation_id: reason === null && ofOpenReclamation.includes(bulk.intent) ? row.reclamation_id : null,
    })),
  );
  await execute(
    tx,
    sql`
    UPDATE bulk_act_host b SET status = x.status, message = x.message, reclamation_id = x.reclamation_id, at = now()
    FROM jsonb_to_recordset(${settled}::jsonb) AS x (host_id uuid, status text, message text, reclamation_id uuid) WHERE b.bulk_id = ${bulk.id}::uuid AND b.host_id = x.host_id`,
  );
  if (asked.length === 0) return rows.length + gone;
  const signal = signalOf(bulk);
  if (signal === null)
    await writeMaintenance(
      tx,
      asked.map(({ host_id }) => host_id),
      bulk.intent === "setMaintenance"
        ? { kind: "set", reason: bulk.args.reason ?? "", personId: bulk.personId }
        : { kind: "end" },
    );
  await tellWithin(tx, {
    signals: signal === null ? [] : asked.map(({ host_id }) => ({ hostId: host_id, ...signal })),
    wake: signal === null,
    feed: asked.map(({ host_id, tenant_id }) => ({
      hostId: host_id,
      tenantId: tenant_id,
      what: signal === null ? "maintenance" : "intent",
    })),
  });
  await writeAudit(tx, ...asked.map((row) => eventOf(bulk, row)));
  return rows.length + gone;
}

/** Marks the act as fully asked if no host is pending. */
export async function closeWhenAsked(tx: Transaction, id: string): Promise<void> {
  await execute(
    tx,
    sql`UPDATE bulk_act SET asked_all_at = now() WHERE id = ${id}::uuid AND asked_all_at IS NULL AND NOT EXISTS (SELECT 1 FROM bulk_act_host b WHERE b.bulk_id = ${id}::uuid AND b.status = 'can')`,
  );
}

// The status of each host of a bulk act: from the act's own rows, refusals of the controller, and the reclamation that it began.
import { z } from "zod";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { bulkIntents } from "@/server/domain/hosts/bulk-intents";
import { hostActions } from "@/server/domain/hosts/host-actions";
import type { BulkIntent } from "@/server/domain/hosts/bulk-intents";
import { storedState } from "@/server/domain/lifecycle/states";
import type { Tone } from "@/server/domain/lifecycle/state-rows/state-row";
import { bulkArgs } from "@/server/usecases/hosts/bulk/bulk-args";
import { bulkStatuses } from "@/server/contract/hosts/bulk-answers";
import type { BulkHead, BulkHost, BulkStatus } from "@/server/contract/hosts/bulk-answers";
import { stepName } from "@/server/domain/cleaning/steps/step";

const bulkIntent = z.enum(bulkIntents);

/** Intents whose result is that of a reclamation; the others are done once the controller has read them. */
const withTrip: readonly BulkIntent[] = ["clean", "provide", "retry", "restart"];

export interface BulkHostRow {
  readonly host_id: string;
  readonly name: string;
  readonly status: string;
  readonly message: string | null;
  readonly state: string | null;
  readonly step: string | null;
  readonly percent: number | null;
  readonly reclamation_id: string | null;
  readonly number: bigint | null;
  readonly outcome: string | null;
}

/**
 * Rows of `BulkHostRow` for the hosts that `of` selects (a query on `bulk_act_host b`). The refusals of an act are one index read; reclamations are
 * looked up by host, which has few.
 */
export function standing(id: string, intent: BulkIntent, of: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    SELECT b.host_id::text, b.name, r.state, c.id::text AS reclamation_id, c.number, c.outcome,
      CASE WHEN c.ended_at IS NULL AND c.id = r.reclamation_id THEN r.clean_step END AS step, CASE WHEN c.ended_at IS NULL AND c.id = r.reclamation_id THEN r.clean_percent END AS percent,
      CASE WHEN b.status <> 'asked' THEN b.message WHEN f.reason IS NOT NULL THEN f.reason WHEN c.ended_at IS NULL AND c.stopped_at IS NOT NULL THEN coalesce(c.stopped_cause || ': ' || c.message, c.stopped_cause) WHEN c.ended_at IS NOT NULL THEN c.outcome END AS message,
      CASE WHEN b.status <> 'asked' THEN b.status
           WHEN f.reason IS NOT NULL THEN 'refusedLater'
           WHEN EXISTS (SELECT 1 FROM signal s WHERE s.host_id = b.host_id AND s.kind = ${intent} AND s.payload -> 'by' ->> 'requestId' = ${id}) THEN 'asked'
           WHEN c.id IS NULL THEN 'accepted'
           WHEN c.ended_at IS NOT NULL THEN 'ended'
           WHEN c.stopped_at IS NOT NULL THEN 'failed'
           ELSE 'running' END AS status
    FROM (${of}) b
    LEFT JOIN host_run r ON r.host_id = b.host_id
    LEFT JOIN (SELECT host_id, min(reason) AS reason FROM intent_refusal WHERE request_id = ${id} GROUP BY host_id) f ON f.host_id = b.host_id
    LEFT JOIN LATERAL (
      SELECT t.* FROM reclamation t WHERE ${withTrip.includes(intent)} AND t.host_id = b.host_id AND (t.id = b.reclamation_id OR t.bulk_id = ${id}::uuid OR t.request_id = ${id}) ORDER BY t.started_at DESC, t.number DESC LIMIT 1
    ) c ON b.status = 'asked'`;
}

const isBulkStatus = (value: string): value is BulkStatus => bulkStatuses.some((status) => status === value);

const tones = {
  can: "neutral",
  cannot: "attention",
  asked: "waiting",
  refused: "attention",
  refusedLater: "attention",
  running: "working",
  failed: "failed",
  accepted: "good",
} as const satisfies Record<Exclude<BulkStatus, "ended">, Tone>;
const goodOutcomes: readonly string[] = ["ready", "cleaned", "handedToRepair"];

/** Throws on a status that this version does not know. */
export function toBulkHost(row: BulkHostRow): BulkHost {
  const { status, state } = row;
  if (!isBulkStatus(status)) throw new Error(`host ${row.host_id} has the unknown status ${status}`);
  const tone: Tone =
    status !== "ended" ? tones[status] : goodOutcomes.includes(row.outcome ?? "") ? "good" : "failed";
  return {
    hostId: row.host_id,
    name: row.name,
    status,
    tone,
    message: row.message,
    state: state === null ? null : storedState(state),
    step: row.step,
    percent: row.percent,
    reclamationId: row.reclamation_id,
    reclamationNumber: row.number === null ? null : `R-${row.number}`,
    outcome: row.outcome,
  };
}

interface HeadRow {
  readonly id: string;
  readonly intent: string;
  readonly args: unknown;
  readonly filter: string | null;
  readonly total: number;
  readonly createdAt: Date;
  readonly createdByName: string;
  readonly startedAt: Date | null;
  readonly askedAllAt: Date | null;
}

/** Throws a ZodError on an intent or arguments that this version does not know. */
export function toBulkHead(row: HeadRow): BulkHead {
  const intent = bulkIntent.parse(row.intent);
  const { steps, runbook, reason } = bulkArgs.parse(row.args);
  return {
    id: row.id,
    intent,
    words: hostActions[intent].words,
    runbookName: runbook?.name ?? null,
    reason,
    steps: steps?.map(stepName) ?? [],
    filter: row.filter,
    total: row.total,
    createdAt: row.createdAt,
    createdByName: row.createdByName,
    startedAt: row.startedAt,
    askedAllAt: row.askedAllAt,
  };
}

// Firmware rollouts as they are stored, and how each host of a SKU stands (docs/adr/0148-firmware-rollouts.md).
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { rolloutHostState, rolloutIsOpen } from "@/server/db/firmware-in-force";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import type {
  FirmwareImage,
  RolloutHostState,
  RolloutStage,
  RolloutState,
} from "@/server/domain/hosts/platform/rollout";

type Firmware = readonly { readonly component: string; readonly version: string }[];

export interface StoredRollout {
  readonly id: string;
  readonly skuId: string;
  readonly sku: string;
  readonly over: Firmware;
  readonly firmware: Firmware;
  readonly images: readonly FirmwareImage[];
  readonly stages: readonly RolloutStage[];
  readonly stage: number;
  readonly maxFailures: number;
  readonly reason: string;
  readonly createdAt: Date;
  readonly approvalId: string;
  readonly askedBy: string;
  readonly decision: string | null;
  readonly decidedBy: string | null;
  readonly voided: boolean;
  readonly resumedAt: Date;
  readonly pausedAt: Date | null;
  readonly pausedBy: string | null;
  readonly pausedReason: string | null;
  readonly endedAt: Date | null;
  readonly outcome: "finished" | "aborted" | null;
}

/** Those that `where` selects of `firmware_rollout x`, its `approval a` and its `sku u`; open ones first, then the newest. */
export const readRollouts = (
  reader: SqlReader,
  where: RawBuilder<unknown>,
  { locked = false, most = 100 }: { readonly locked?: boolean; readonly most?: number | null } = {},
): Promise<readonly StoredRollout[]> =>
  queryRows(
    reader,
    sql<StoredRollout>`
    SELECT x.id::text, x.sku_id::text AS "skuId", u.name AS sku, x.over, x.firmware, x.images, x.stages, x.stage, x.max_failures AS "maxFailures", x.reason,
      x.created_at AS "createdAt", x.approval_id::text AS "approvalId", a.asked_by_name AS "askedBy", a.decision, a.decided_by_name AS "decidedBy",
      a.voided_at IS NOT NULL AS voided, x.resumed_at AS "resumedAt", x.paused_at AS "pausedAt", x.paused_by AS "pausedBy", x.paused_reason AS "pausedReason",
      x.ended_at AS "endedAt", x.outcome
    FROM firmware_rollout x JOIN approval a ON a.id = x.approval_id JOIN sku u ON u.id = x.sku_id
    WHERE ${where} ORDER BY x.ended_at IS NOT NULL, x.created_at DESC LIMIT ${most} ${locked ? sql`FOR UPDATE OF x` : sql``}`,
  );

export const inForce = sql.raw(rolloutIsOpen);

/** How a rollout stands. Pure. */
export function rolloutState(row: StoredRollout): RolloutState {
  if (row.outcome !== null) return row.outcome;
  if (row.decision === "rejected" || row.voided) return "rejected";
  if (row.decision === null) return "waits";
  return row.pausedAt === null ? "running" : "paused";
}

const stateOfHost = sql.raw(rolloutHostState);

export interface HostsOfRollout {
  readonly rolloutId: string;
  readonly state: RolloutHostState;
  readonly hosts: number;
  /** Of these, hosts that were let in. */
  readonly taken: number;
  /** Of these, hosts that stopped since the rollout was started or resumed. */
  readonly newlyFailed: number;
}

/** Hosts of the SKUs by what these rollouts did with them. */
export const countHostsOf = (reader: SqlReader, ids: readonly string[]): Promise<readonly HostsOfRollout[]> =>
  queryRows(
    reader,
    sql<HostsOfRollout>`
    SELECT c.id AS "rolloutId", c.state, count(*)::int AS hosts, (count(*) FILTER (WHERE c.takes))::int AS taken,
      (count(*) FILTER (WHERE c.state = 'failed' AND c.state_since > c.resumed_at))::int AS "newlyFailed"
    FROM (SELECT x.id::text, ${stateOfHost} AS state, coalesce(t.takes, false) AS takes, r.state_since, x.resumed_at
      FROM firmware_rollout x JOIN host h ON h.sku_id = x.sku_id JOIN host_run r ON r.host_id = h.id
        LEFT JOIN firmware_rollout_host t ON t.rollout_id = x.id AND t.host_id = h.id
      WHERE x.id = ANY(${[...ids]}::uuid[])) c GROUP BY 1, 2`,
  );

export interface HostOfRollout {
  readonly hostId: string;
  readonly host: string;
  readonly state: RolloutHostState;
  readonly hostState: string;
  readonly decidedAt: Date | null;
}

/** The hosts of a rollout's SKU: those that failed first, then those that are on their way, and the rest by name. */
export const listHostsOf = (reader: SqlReader, id: string, most: number): Promise<readonly HostOfRollout[]> =>
  queryRows(
    reader,
    sql<HostOfRollout>`
    SELECT * FROM (
      SELECT h.id::text AS "hostId", h.name AS host, ${stateOfHost} AS state, r.state AS "hostState", t.decided_at AS "decidedAt"
      FROM firmware_rollout x JOIN host h ON h.sku_id = x.sku_id JOIN host_run r ON r.host_id = h.id
        LEFT JOIN firmware_rollout_host t ON t.rollout_id = x.id AND t.host_id = h.id
      WHERE x.id = ${id}::uuid) l
    ORDER BY array_position(ARRAY['failed', 'running', 'done', 'pending'], l.state), l.host LIMIT ${most}`,
  );

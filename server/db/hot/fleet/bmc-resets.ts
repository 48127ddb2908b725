// Which BMCs a person wants to be restarted (docs/hardware.md#reset-bmc).
import { aliveController } from "@/server/db/hot/fleet/lease";
import { named } from "@/server/db/hot/pool";
import type { HotDatabase } from "@/server/db/hot/pool";

interface OpenRow {
  readonly host_id: string;
  readonly phase: string;
  readonly requested_at: Date;
  readonly before: unknown;
  readonly answered: boolean;
  readonly sent_at: Date | null;
  readonly away_at: Date | null;
  readonly says: string | null;
}

const open = named<OpenRow & Record<string, unknown>, [string]>(
  "bmc_resets_open",
  `
  SELECT b.host_id::text, b.phase, b.requested_at, b.before, b.answered, b.sent_at, b.away_at, b.says FROM bmc_reset b
  WHERE b.ended_at IS NULL
    AND $1::uuid = (SELECT c.id FROM controller c WHERE ${aliveController("c")} ORDER BY c.lock_key LIMIT 1)
  ORDER BY b.sent_at IS NOT NULL, b.requested_at, b.host_id LIMIT 1000`,
);

export interface OpenReset {
  readonly hostId: string;
  readonly phase: string;
  readonly requestedAt: Date;
  /** What the BMC told before; null: nothing was sent. */
  readonly before: unknown;
  readonly answered: boolean;
  readonly sentAt: Date | null;
  readonly awayAt: Date | null;
  readonly says: string | null;
}

/** Restarts of BMCs that have not ended, those first that were not sent. Empty unless this controller was announced first of those alive: only that one restarts. */
export const openResets = async (
  database: HotDatabase,
  controllerId: string,
): Promise<readonly OpenReset[]> =>
  (await open(database, controllerId)).map((row) => ({
    hostId: row.host_id,
    phase: row.phase,
    requestedAt: row.requested_at,
    before: row.before,
    answered: row.answered,
    sentAt: row.sent_at,
    awayAt: row.away_at,
    says: row.says,
  }));

// The boots of a reclamation: from their records while these are kept, and from evidence after that (docs/adr/0034-boots-are-evidence.md).
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";

export interface Boot {
  readonly bootEpoch: number;
  /** When the boot was ordered, and when its restart was confirmed. */
  readonly openedAt: Date;
  readonly resetDoneAt: Date | null;
  /** Null if no agent registered. */
  readonly registeredAt: Date | null;
  readonly lastSeenAt: Date | null;
  readonly agentVersion: string | null;
  /** Null for the image that the server is configured with. */
  readonly image: string | null;
  /** Its records and hardware calls are past their retention. */
  readonly old: boolean;
}

interface BootsRequest {
  readonly hostId: string;
  readonly reclamationId: string;
  readonly from: Date;
  readonly to: Date | null;
}

/** In order. */
export const readBoots = (
  reader: SqlReader,
  { hostId, reclamationId, from, to }: BootsRequest,
): Promise<readonly Boot[]> =>
  queryRows(
    reader,
    sql<Boot>`
    SELECT k.boot_epoch AS "bootEpoch", k.opened_at AS "openedAt", k.reset_done_at AS "resetDoneAt", k.registered_at AS "registeredAt",
      k.last_seen_at AS "lastSeenAt", k.agent_version AS "agentVersion", k.image_version AS image, true AS old
    FROM reclamation_boot k WHERE k.reclamation_id = ${reclamationId}::uuid
    UNION ALL
    SELECT w.boot_epoch, w.opened_at, w.reset_done_at, g.registered_at, g.last_seen_at, g.agent_version, i.version, false
    FROM boot_window w LEFT JOIN agent_session g ON g.host_id = w.host_id AND g.boot_epoch = w.boot_epoch LEFT JOIN agent_image i ON i.id = w.image_id
    WHERE w.host_id = ${hostId}::uuid AND w.opened_at >= ${from} AND w.opened_at <= coalesce(${to}::timestamptz, 'infinity')
    ORDER BY 1`,
  );

// Tells people that a host which waited in Ready is no longer what was proven (docs/security.md#security-events).
import type { Pool } from "pg";
import { recordSecurityEvent } from "@/server/db/security-events";
import { sqlOn } from "@/server/db/sql";

/** After the host was taken out of allocation; nothing waits for it. */
export function tellReadyChanged(
  pool: Pool,
  { hostId, why, path }: { readonly hostId: string; readonly why: string; readonly path: string },
  onError: (error: unknown) => void,
): void {
  // Who changed it is not known.
  recordSecurityEvent(sqlOn(pool), {
    kind: "readyChanged",
    hostId,
    address: "unknown",
    tried: why,
    path,
  }).catch(onError);
}

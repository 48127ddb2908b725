// Records a refused call as a security event, if it is one (docs/security.md#security-events).
import type { RefusedCall } from "@/server/agents/refusal";
import { flushSecurityEvents, recordSecurityEvent } from "@/server/db/security-events";
import type { Database } from "@/server/db/prisma";
import { securityEventOf } from "@/server/domain/access/security-events/of-refusals";

export async function noteAttempt(
  database: Database,
  { action, code, facts, hostId, address, requestId }: RefusedCall,
): Promise<void> {
  const event = securityEventOf(action, code, facts);
  if (event !== null) await recordSecurityEvent(database, { ...event, hostId, address, requestId });
}

/** Writes the repeats that are only counted so far. */
export const flushAttempts = flushSecurityEvents;

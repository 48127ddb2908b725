// Ends one session of a person: other devices stay signed in. A kept copy of its cookie is refused until it would have run out by itself.
import { sql } from "kysely";
import { execute } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import { randomUUID } from "node:crypto";
import { writeAudit } from "@/server/db/audit";
import type { Database } from "@/server/db/prisma";
import { inTransaction } from "@/server/db/transaction";
import { perDatabase } from "@/server/usecases/timed-cache";
import { accessChanged, accessKey } from "@/server/usecases/access/access-changes";
import { actorAgeMs } from "@/server/usecases/access/read-actor";
import { done } from "@/server/usecases/problem";

/** How long a session lasts at most without being used, in seconds; its cookie is given anew while it is. */
export const sessionSeconds = 12 * 3600;

interface EndingSession {
  readonly sessionId: string;
  readonly personId: string;
}

const cacheOf = perDatabase("endedSessions", { ttlMs: actorAgeMs, max: 10_000 });

/** From now on the session's cookie is refused. Returns how many sessions that ended: a second end is none. */
export function markEnded(tx: SqlReader, sessionId: string): Promise<number> {
  return execute(
    tx,
    sql`
    INSERT INTO ended_session (session_id, expires_at) VALUES (${sessionId}::uuid, now() + ${sessionSeconds} * interval '1 second') ON CONFLICT (session_id) DO NOTHING`,
  );
}

/** Ends a session, and writes the event with it. Ending it twice is one end. Other processes hear of it within `actorAgeMs`. */
export async function signOut(database: Database, { sessionId, personId }: EndingSession): Promise<void> {
  await inTransaction(database, async (tx) => {
    await execute(tx, sql`DELETE FROM ended_session WHERE expires_at <= now()`);
    const ended = await markEnded(tx, sessionId);
    const person =
      ended === 0
        ? null
        : await tx.person.findUnique({ where: { id: personId }, select: { name: true, tenantId: true } });
    if (person !== null) {
      const actor = { kind: "person", id: personId, name: person.name } as const;
      await writeAudit(tx, {
        actor,
        action: "session.signOut",
        targetId: personId,
        tenantId: person.tenantId,
        requestId: randomUUID(),
        address: null,
        outcome: "done",
        before: null,
        after: null,
      });
    }
    return done(null);
  });
  accessChanged();
}

/** Whether a session was signed out; the answer may be `actorAgeMs` old. */
export function isSignedOut(database: Database, sessionId: string): Promise<boolean> {
  return cacheOf(database).get(
    accessKey(sessionId),
    async () => (await database.endedSession.count({ where: { sessionId } })) > 0,
  );
}

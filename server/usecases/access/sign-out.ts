// Ends one session of a person; other devices stay signed in. A saved copy of the cookie is refused until it would have expired anyway.
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

/** Maximum idle time of a session, in seconds; using it renews the cookie. */
export const sessionSeconds = 12 * 3600;

interface EndingSession {
  readonly sessionId: string;
  readonly personId: string;
}

const cacheOf = perDatabase<boolean>("endedSessions", { ttlMs: actorAgeMs, max: 10_000 });

/** Refuses the session's cookie from now on. Returns how many sessions that ended: 0 if it had ended before. */
export function markEnded(tx: SqlReader, sessionId: string): Promise<number> {
  return execute(
    tx,
    sql`
    INSERT INTO ended_session (session_id, expires_at) VALUES (${sessionId}::uuid, now() + ${sessionSeconds} * interval '1 second') ON CONFLICT (session_id) DO NOTHING`,
  );
}

/** Ends a session and logs the event. Idempotent. Other processes see it within `actorAgeMs`. */
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

/** Whether a session was signed out; the answer may be up to `actorAgeMs` old. */
export function isSignedOut(database: Database, sessionId: string): Promise<boolean> {
  return cacheOf(database).get(
    accessKey(sessionId),
    async () => (await database.endedSession.count({ where: { sessionId } })) > 0,
  );
}

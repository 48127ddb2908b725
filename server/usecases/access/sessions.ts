// Sessions of the console: listing and ending them (docs/adr/0057-people-tokens-sessions.md).
import { sql } from "kysely";
import { sessions } from "@/server/contract/access/people";
import type { SessionLine } from "@/server/contract/access/people";
import type { Database } from "@/server/db/prisma";
import { execute, queryRows } from "@/server/db/sql";
import { accessChanged, accessKey } from "@/server/usecases/access/access-changes";
import { personScope } from "@/server/usecases/access/person-scope";
import { markEnded, sessionSeconds } from "@/server/usecases/access/sign-out";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { acted, defineAct } from "@/server/usecases/define-act";
import { done } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { perDatabase } from "@/server/usecases/timed-cache";

/** Precision of the recorded time of last use. */
const noteEveryMs = 60_000;

const cacheOf = perDatabase<true>("seenSessions", { ttlMs: noteEveryMs, max: 10_000 });

interface SeenSession {
  readonly sessionId: string;
  readonly personId: string;
  readonly epoch: number;
  readonly address: string | null;
}

/** Records the use of a session, once a minute. The first use also makes the session known: until then only its cookie exists. */
export async function noteSession(
  database: Database,
  { sessionId, personId, epoch, address }: SeenSession,
): Promise<void> {
  await cacheOf(database).get(accessKey(`${sessionId} ${address ?? ""}`), async () => {
    await execute(
      database,
      sql`
      INSERT INTO session (id, person_id, epoch, address) VALUES (${sessionId}::uuid, ${personId}::uuid, ${epoch}, ${address})
      ON CONFLICT (id) DO UPDATE SET used_at = now(), address = excluded.address`,
    );
    return true as const;
  });
}

export async function listSessions(
  { database }: Backend,
  actor: Actor,
  { personId }: { readonly personId?: string | undefined },
): Promise<Outcome<readonly SessionLine[]>> {
  const scope = personScope(actor, "session.read", personId);
  if (!scope.ok) return scope;
  const rows = await queryRows(
    database,
    sql<Omit<SessionLine, "current">>`
    SELECT s.id::text AS "sessionId", s.person_id::text AS "personId", p.name AS "personName", s.began_at AS "beganAt", s.used_at AS "usedAt", s.address
    FROM session s JOIN person p ON p.id = s.person_id
    WHERE s.epoch = p.session_epoch AND s.used_at > now() - ${sessionSeconds} * interval '1 second' AND p.disabled_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM ended_session e WHERE e.session_id = s.id)
      AND (${scope.value}::uuid IS NULL OR s.person_id = ${scope.value}::uuid)
    ORDER BY s.used_at DESC, s.id LIMIT 1000`,
  );
  return done(rows.map((row) => ({ ...row, current: row.sessionId === actor.sessionId })));
}

export const endSession = defineAct({
  ...sessions.end,
  names: ({ sessionId }) => ({ kind: "session", id: sessionId }),
  find: async ({ tx }, { sessionId }) => {
    const session = await tx.session.findUnique({
      where: { id: sessionId },
      include: { person: { select: { tenantId: true, name: true } } },
    });
    if (session === null) return null;
    const { personId, person } = session;
    return { id: sessionId, belongs: { tenantId: person.tenantId, personId }, value: session };
  },
  run: async ({ tx }, { id: sessionId, personId, person }) => {
    const ended = await markEnded(tx, sessionId);
    return done({
      value: { sessionId },
      changes:
        ended === 0
          ? []
          : [
              {
                targetId: sessionId,
                tenantId: person.tenantId,
                before: { personId, name: person.name },
                after: null,
              },
            ],
    });
  },
  committed: accessChanged,
});

export const endAllSessions = defineAct({
  ...sessions.endAll,
  names: ({ personId }) => ({ kind: "person", id: personId }),
  find: async ({ tx }, { personId }) => {
    const person = await tx.person.findUnique({ where: { id: personId } });
    return person === null
      ? null
      : { id: personId, belongs: { tenantId: person.tenantId, personId }, value: person };
  },
  run: async ({ tx }, { id: personId, tenantId, email }) => {
    await tx.person.update({ where: { id: personId }, data: { sessionEpoch: { increment: 1 } } });
    return acted({ value: { personId }, targetId: personId, tenantId, before: null, after: { email } });
  },
  committed: accessChanged,
});

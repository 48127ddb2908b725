// Challenges for authenticators to sign: stored, because any process may receive the answer, and used only once (docs/adr/0113-passkeys.md).
import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { z } from "zod";
import type { Database, Transaction } from "@/server/db/prisma";
import { execute, queryRows } from "@/server/db/sql";
import { challengeMs } from "@/server/domain/access/passkeys";
import type { ConfirmMethod, StoredChallenge } from "@/server/domain/access/passkeys";
import { purposeDigest } from "@/server/domain/access/passkey-purpose";
import type { PasskeyPurpose } from "@/server/domain/access/passkey-purpose";
import type { Actor } from "@/server/usecases/actor";
import { done, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

/** The session in which a passkey is used. */
interface InConsole {
  readonly personId: string;
  readonly sessionId: string;
}

/** Refuses a caller without a session: authenticators answer in a browser. */
export function inConsole({ kind, personId, sessionId }: Actor): Outcome<InConsole> {
  return kind === "person" && sessionId !== undefined
    ? done({ personId, sessionId })
    : refused("forbidden", "Passkeys are used in the console, signed in there.");
}

/** Maximum number open in a session, for example in several windows. */
const maxOpen = 10;

/** @param confirmedWith for a new passkey: what the request was confirmed with */
export async function makeChallenge(
  tx: Transaction,
  { personId, sessionId }: InConsole,
  purpose: PasskeyPurpose,
  confirmedWith: ConfirmMethod | null = null,
): Promise<string> {
  await execute(
    tx,
    sql`
    DELETE FROM passkey_challenge WHERE challenge IN (
      SELECT challenge FROM passkey_challenge WHERE expires_at <= now() OR challenge IN (
        SELECT challenge FROM passkey_challenge WHERE session_id = ${sessionId}::uuid ORDER BY expires_at DESC OFFSET ${maxOpen - 1})
      FOR UPDATE SKIP LOCKED)`,
  );
  const challenge = randomBytes(32).toString("base64url");
  await execute(
    tx,
    sql`
    INSERT INTO passkey_challenge (challenge, person_id, session_id, purpose, confirmed_with, expires_at)
    VALUES (${challenge}, ${personId}::uuid, ${sessionId}::uuid, ${purposeDigest(purpose)}, ${confirmedWith}, now() + ${challengeMs} * interval '1 millisecond')`,
  );
  return challenge;
}

export interface TakenChallenge extends StoredChallenge {
  readonly confirmedWith: ConfirmMethod | null;
}

/** Consumes a challenge, whatever the result, so that it cannot be answered twice. Null if there is none. */
export async function takeChallenge(database: Database, challenge: string): Promise<TakenChallenge | null> {
  const [row] = await queryRows(
    database,
    sql<{
      person: string;
      session: string;
      purpose: string;
      confirmedWith: ConfirmMethod | null;
      expiresAt: Date;
      now: Date;
    }>`
    DELETE FROM passkey_challenge WHERE challenge = ${challenge}
    RETURNING person_id::text AS person, session_id::text AS session, purpose, confirmed_with AS "confirmedWith", expires_at AS "expiresAt", clock_timestamp() AS now`,
  );
  if (row === undefined) return null;
  const { person: personId, session: sessionId, purpose, confirmedWith, expiresAt, now } = row;
  return {
    personId,
    sessionId,
    purpose,
    confirmedWith,
    expiresAtMs: expiresAt.getTime(),
    nowMs: now.getTime(),
  };
}

const clientData = z.object({ challenge: z.string() });

/** The challenge that an answer refers to; null if it is not a valid answer. */
export function challengeOf(clientDataJSON: string): string | null {
  try {
    return clientData.parse(JSON.parse(Buffer.from(clientDataJSON, "base64url").toString())).challenge;
  } catch {
    return null;
  }
}

// Counts of sign-ins, with a single row per name or address, and the addresses that people have signed in from.
import { sql } from "kysely";
import { execute, queryRows } from "@/server/db/sql";
import type { Database } from "@/server/db/prisma";

const batchRows = 2_000;

/** Counts one attempt for each subject, and returns each subject's attempts since its first one within the window. */
export async function countSignIn(
  database: Database,
  subjects: readonly string[],
  windowMs: number,
): Promise<ReadonlyMap<string, number>> {
  const seconds = windowMs / 1000;
  const rows = await queryRows(
    database,
    sql<{ subject: string; attempts: number }>`
    INSERT INTO sign_in_count AS c (subject, attempts) SELECT s, 1 FROM unnest(${[...subjects]}::text[]) s ORDER BY s
    ON CONFLICT (subject) DO UPDATE SET
      attempts = CASE WHEN c.since < now() - ${seconds} * interval '1 second' THEN 1 ELSE least(c.attempts + 1, 1000000) END,
      since = CASE WHEN c.since < now() - ${seconds} * interval '1 second' THEN now() ELSE c.since END
    RETURNING subject, attempts`,
  );
  return new Map(rows.map(({ subject, attempts }) => [subject, attempts]));
}

/** A success is not a failed attempt: it clears the person's own counts, and takes back its one attempt from the address. */
export async function forgetSignIn(
  database: Database,
  { own, shared }: { readonly own: readonly string[]; readonly shared: readonly string[] },
): Promise<void> {
  await execute(
    database,
    sql`
    WITH cleared AS (DELETE FROM sign_in_count WHERE subject = ANY(${[...own]}::text[]))
    UPDATE sign_in_count SET attempts = attempts - 1 WHERE subject = ANY(${[...shared]}::text[]) AND attempts > 0`,
  );
}

export async function noteSignInAddress(
  database: Database,
  personId: string,
  address: string,
): Promise<void> {
  await execute(
    database,
    sql`
    INSERT INTO sign_in_address (person_id, address) VALUES (${personId}::uuid, ${address})
    ON CONFLICT (person_id, address) DO UPDATE SET last_at = now()`,
  );
}

/** The emails of people who have signed in from an address within this many days. */
export async function emailsAt(
  database: Database,
  address: string,
  days: number,
): Promise<ReadonlySet<string>> {
  const rows = await queryRows(
    database,
    sql<{ email: string }>`
    SELECT p.email FROM sign_in_address a JOIN person p ON p.id = a.person_id
    WHERE a.address = ${address} AND a.last_at > now() - ${days} * interval '1 day' ORDER BY a.last_at DESC LIMIT 10000`,
  );
  return new Set(rows.map(({ email }) => email));
}

/** Removes counts, addresses and sessions that are no longer needed, at most 2,000 rows of each kind. Returns how many. */
export async function pruneSignIns(database: Database, windowMs: number, days: number): Promise<number> {
  const counts = await execute(
    database,
    sql`
    DELETE FROM sign_in_count WHERE subject IN (
      SELECT subject FROM sign_in_count WHERE since < now() - ${windowMs / 1000} * interval '1 second' LIMIT ${batchRows} FOR UPDATE SKIP LOCKED)`,
  );
  const addresses = await execute(
    database,
    sql`
    DELETE FROM sign_in_address WHERE (person_id, address) IN (
      SELECT person_id, address FROM sign_in_address WHERE last_at < now() - ${days} * interval '1 day' LIMIT ${batchRows} FOR UPDATE SKIP LOCKED)`,
  );
  const sessions = await execute(
    database,
    sql`
    DELETE FROM session WHERE id IN (
      SELECT id FROM session WHERE used_at < now() - interval '1 day' ORDER BY used_at LIMIT ${batchRows} FOR UPDATE SKIP LOCKED)`,
  );
  return counts + addresses + sessions;
}

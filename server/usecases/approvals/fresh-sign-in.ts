// Whether who decides has just proven to be who they say: the password with the decision, or in the same session a moment ago (docs/adr/0102).
import { sql } from "kysely";
import { verifyPassword } from "@/server/db/secrets/passwords";
import type { Transaction } from "@/server/db/prisma";
import { execute, queryRows } from "@/server/db/sql";
import { countSignIn, forgetSignIn } from "@/server/db/sign-in-counts";
import { isFresh } from "@/server/domain/approvals/approval";
import { signInLimits } from "@/server/domain/access/sign-in-limits";
import { signInGuard } from "@/server/usecases/access/sign-in-guard";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { done, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

/** When the password was last given in the caller's session; null: never, or there is no session. */
async function passwordAt(tx: Transaction, { personId, sessionId }: Actor): Promise<boolean> {
  if (sessionId === undefined) return false;
  const [row] = await queryRows(
    tx,
    sql<{ at: Date | null; now: Date }>`
    SELECT password_at AS at, clock_timestamp() AS now FROM session WHERE id = ${sessionId}::uuid AND person_id = ${personId}::uuid`,
  );
  return row !== undefined && isFresh(row.at?.getTime() ?? null, row.now.getTime());
}

/** The right password also holds for what the same session decides next. */
export async function isFreshSignIn(
  tx: Transaction,
  actor: Actor,
  password: string | undefined,
): Promise<Outcome<boolean>> {
  if (actor.kind === "local") return done(false);
  if (password === undefined) return done(await passwordAt(tx, actor));
  const person = await tx.person.findUnique({
    where: { id: actor.personId },
    select: { passwordHash: true },
  });
  if (!(await verifyPassword(password, person?.passwordHash ?? null)))
    return refused("forbidden", "The password is wrong.", "password");
  if (actor.sessionId !== undefined)
    await execute(
      tx,
      sql`UPDATE session SET password_at = clock_timestamp() WHERE id = ${actor.sessionId}::uuid AND person_id = ${actor.personId}::uuid`,
    );
  return done(true);
}

/** Around an act that takes a password: attempts are counted before it is looked at, and hashed in one of the few places for sign-ins. */
export async function withPassword<O>(
  { database }: Backend,
  actor: Actor,
  password: string | undefined,
  work: () => Promise<Outcome<O>>,
): Promise<Outcome<O>> {
  if (password === undefined) return work();
  const subject = `password:${actor.personId}`;
  const counts = await countSignIn(database, [subject], signInLimits.windowMs);
  // safety: sign-in: attempts at the password of a decision are limited
  if ((counts.get(subject) ?? 0) > signInLimits.perEmail)
    return refused("tooMany", "Too many failed attempts. Wait a quarter of an hour.");
  const leave = await signInGuard().enter(true);
  if (typeof leave === "string")
    return refused("unavailable", "Too many sign-ins in progress. Try again in a few seconds.");
  try {
    const result = await work();
    if (result.ok) await forgetSignIn(database, { own: [subject], shared: [] });
    return result;
  } finally {
    leave();
  }
}

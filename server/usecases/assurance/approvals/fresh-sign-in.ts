// Whether the decider has just proven their identity: with a passkey or the password, given with the decision or shortly before in the same session
// (docs/adr/0102-approvals-and-procedures.md, docs/adr/0113-passkeys.md).
import { sql } from "kysely";
import { verifyPassword } from "@/server/db/secrets/passwords";
import type { Transaction } from "@/server/db/prisma";
import { execute, queryRows } from "@/server/db/sql";
import { countSignIn, forgetSignIn } from "@/server/db/sign-in-counts";
import { confirmRefusal, requiredMethod } from "@/server/domain/access/passkeys";
import type { ConfirmMethod } from "@/server/domain/access/passkeys";
import { isFresh } from "@/server/domain/assurance/approvals/approval";
import { routes } from "@/server/domain/console/routes";
import { signInLimits } from "@/server/domain/access/sign-in-limits";
import { signInGuard } from "@/server/usecases/access/sign-in-guard";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import type { ActContext } from "@/server/usecases/define-act";
import { done, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

/** Whether the caller's session gave the password in the last minutes. */
async function passwordIsFresh(tx: Transaction, { personId, sessionId }: Actor): Promise<boolean> {
  if (sessionId === undefined) return false;
  const [row] = await queryRows(
    tx,
    sql<{ at: Date | null; now: Date }>`
    SELECT password_at AS at, clock_timestamp() AS now FROM session WHERE id = ${sessionId}::uuid AND person_id = ${personId}::uuid`,
  );
  return row !== undefined && isFresh(row.at?.getTime() ?? null, row.now.getTime());
}

interface Confirming {
  readonly password?: string | undefined;
  /** Whether a password given in this session in the last minutes also counts, for people without a passkey. */
  readonly recentCounts: boolean;
}

/**
 * How the caller proved their identity, as `requiredMethod` demands. Null if nothing was given and no earlier proof counts. A correct password also
 * counts for the session's next decisions.
 */
export async function freshSignIn(
  { tx, actor, publicUrl }: Pick<ActContext, "tx" | "actor" | "publicUrl">,
  { password, recentCounts }: Confirming,
): Promise<Outcome<ConfirmMethod | null>> {
  const { personId, sessionId, byPasskey = false, passwordWasRight } = actor;
  const person =
    actor.kind === "local"
      ? null
      : await tx.person.findUnique({
          where: { id: personId },
          select: { passwordHash: true, _count: { select: { passkeys: true } } },
        });
  if (person === null) return done(null);
  const no = confirmRefusal({
    required: requiredMethod(person._count.passkeys),
    given: byPasskey ? "passkey" : password === undefined ? null : "password",
    inConsole: sessionId !== undefined,
    decideAt: publicUrl === undefined ? null : `${publicUrl}${routes.assurance()}`,
  });
  if (no !== null) return refused("forbidden", no, "passkey");
  if (byPasskey) return done("passkey");
  if (password === undefined) {
    const recent = recentCounts && (await passwordIsFresh(tx, actor));
    return done(recent ? "password" : null);
  }
  // safety: sign-in: no password is looked at that was not counted
  if (passwordWasRight === undefined)
    return refused("conflict", "Your passkeys have changed just now. Try again.", "password");
  if (!(await verifyPassword(password, person.passwordHash)))
    return refused("forbidden", "The password is wrong.", "password");
  passwordWasRight();
  if (sessionId !== undefined)
    await execute(
      tx,
      sql`UPDATE session SET password_at = clock_timestamp() WHERE id = ${sessionId}::uuid AND person_id = ${personId}::uuid`,
    );
  return done("password");
}

/**
 * Wraps an act that takes the caller's password: the attempt is counted before the password is checked, and hashing takes one of the few sign-in slots.
 * A correct password resets the count, even if the act is refused for another reason; a refusal that never checked the password does not.
 */
export async function withPassword<O>(
  { database }: Backend,
  actor: Actor,
  work: (actor: Actor) => Promise<Outcome<O>>,
): Promise<Outcome<O>> {
  const subject = `password:${actor.personId}`;
  const counts = await countSignIn(database, [subject], signInLimits.windowMs);
  // safety: sign-in: attempts at the own password are limited
  if ((counts.get(subject) ?? 0) > signInLimits.perEmail)
    return refused("tooMany", "Too many failed attempts. Wait 15 minutes.");
  const leave = await signInGuard().enter(true);
  if (leave === null)
    return refused("unavailable", "Too many sign-ins in progress. Try again in a few seconds.");
  try {
    let wasRight = false;
    const passwordWasRight = () => {
      wasRight = true;
    };
    const result = await work({ ...actor, passwordWasRight });
    if (wasRight) await forgetSignIn(database, { own: [subject], shared: [] });
    return result;
  } finally {
    leave();
  }
}

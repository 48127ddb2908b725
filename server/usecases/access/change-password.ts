// The caller's own password. The present one is asked for, and as often as a sign-in may fail: a session that was left open is not enough.
import { signInLimits } from "@/server/domain/access/sign-in-limits";
import { account } from "@/server/contract/access/people";
import { hashPassword, verifyPassword } from "@/server/db/secrets/passwords";
import { countSignIn, forgetSignIn } from "@/server/db/sign-in-counts";
import { accessChanged } from "@/server/usecases/access/access-changes";
import { signInGuard } from "@/server/usecases/access/sign-in-guard";
import type { Actor, Request } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { defineAct } from "@/server/usecases/define-act";
import { done, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

type Input = Parameters<typeof change>[3];
type Changed = Awaited<ReturnType<typeof change>>;

const change = defineAct({
  ...account.changePassword,
  names: () => ({ kind: "person", id: "of the caller" }),
  find: async ({ tx, actor: { personId } }) => {
    const person = await tx.person.findUnique({ where: { id: personId } });
    return person === null
      ? null
      : { id: personId, belongs: { tenantId: person.tenantId, personId }, value: person };
  },
  run: async ({ tx, actor }, { id: personId, tenantId, passwordHash }, { current, next }) => {
    if (actor.kind !== "person")
      return refused("forbidden", "A password is changed in the console, by who signed in there.");
    if (!(await verifyPassword(current, passwordHash)))
      return refused("forbidden", "The current password is wrong.", "current");
    if (current === next) return refused("invalid", "The new password is the present one.", "next");
    await tx.person.update({
      where: { id: personId },
      data: { passwordHash: await hashPassword(next), sessionEpoch: { increment: 1 } },
    });
    return done({
      value: { personId },
      changes: [{ targetId: personId, tenantId, before: null, after: null }],
    });
  },
  committed: accessChanged,
});

/** Counted before the password is looked at, and hashed in one of the few places for sign-ins. */
export async function changePassword(
  backend: Backend,
  actor: Actor,
  request: Request,
  input: Input,
): Promise<Changed> {
  const { database } = backend;
  const subject = `password:${actor.personId}`;
  const counts = await countSignIn(database, [subject], signInLimits.windowMs);
  // safety: sign-in: attempts at the present password are limited
  if ((counts.get(subject) ?? 0) > signInLimits.perEmail) return tooMany();
  const leave = await signInGuard().enter(true);
  if (typeof leave === "string")
    return refused("unavailable", "Too many sign-ins in progress. Try again in a few seconds.");
  try {
    const result = await change(backend, actor, request, input);
    if (result.ok) await forgetSignIn(database, { own: [subject], shared: [] });
    return result;
  } finally {
    leave();
  }
}

const tooMany = (): Outcome<never> =>
  refused("tooMany", "Too many failed attempts. Wait a quarter of an hour.");

// Changes the caller's own password. The current one is required, with the same limit on failures as sign-in: an unattended session is not enough.
import { account } from "@/server/contract/access/people";
import { hashPassword, verifyPassword } from "@/server/db/secrets/passwords";
import { accessChanged } from "@/server/usecases/access/access-changes";
import type { Actor, Request } from "@/server/usecases/actor";
import { withPassword } from "@/server/usecases/assurance/approvals/fresh-sign-in";
import type { Backend } from "@/server/usecases/backend";
import { acted, defineAct } from "@/server/usecases/define-act";
import { refused } from "@/server/usecases/problem";

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
      return refused("forbidden", "A password can only be changed in the console, after signing in there.");
    if (!(await verifyPassword(current, passwordHash)))
      return refused("forbidden", "The current password is wrong.", "current");
    actor.passwordWasRight?.();
    if (current === next)
      return refused("invalid", "The new password is the same as the current one.", "next");
    await tx.person.update({
      where: { id: personId },
      // Not `resetBy`: whoever reset the password may be the one who changes it now.
      data: {
        passwordHash: await hashPassword(next),
        firstPasswordBy: null,
        sessionEpoch: { increment: 1 },
      },
    });
    return acted({ value: { personId }, targetId: personId, tenantId, before: null, after: null });
  },
  committed: accessChanged,
});

/** The attempt is counted before the password is checked, and hashing takes one of the few sign-in slots. */
export const changePassword = (
  backend: Backend,
  actor: Actor,
  request: Request,
  input: Input,
): Promise<Changed> => withPassword(backend, actor, (counted) => change(backend, counted, request, input));

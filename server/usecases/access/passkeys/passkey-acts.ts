// Adding, renaming and removing of passkeys by their owner (docs/adr/0113-passkeys.md).
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { passkeys as contract } from "@/server/contract/access/passkeys";
import type { Transaction } from "@/server/db/prisma";
import { queryRows } from "@/server/db/sql";
import { challengeRefusal, maxPasskeys, requiredMethod } from "@/server/domain/access/passkeys";
import { purposeDigest } from "@/server/domain/access/passkey-purpose";
import type { Actor, Request } from "@/server/usecases/actor";
import { freshSignIn } from "@/server/usecases/assurance/approvals/fresh-sign-in";
import type { Backend } from "@/server/usecases/backend";
import { acted, unchanged, auditRefusal, defineAct } from "@/server/usecases/define-act";
import { ofCaller } from "@/server/usecases/access/passkeys/begin-passkey";
import { challengeOf, inConsole, takeChallenge } from "@/server/usecases/access/passkeys/challenges";
import type { TakenChallenge } from "@/server/usecases/access/passkeys/challenges";
import { siteOf, withConfirmation } from "@/server/usecases/access/passkeys/use-passkey";
import { verifyRegistration } from "@/server/usecases/access/passkeys/verify";
import { refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

/** Serializes changes of a person's passkeys, because the rules count all of them. */
const lockPerson = (tx: Transaction, personId: string) =>
  queryRows(tx, sql`SELECT 1 FROM person WHERE id = ${personId}::uuid FOR UPDATE`);

const onPasskey = {
  names: ({ passkeyId }: { readonly passkeyId: string }) => ({ kind: "passkey", id: passkeyId }),
  find: async (
    { tx, actor }: { readonly tx: Transaction; readonly actor: Actor },
    { passkeyId }: { readonly passkeyId: string },
  ) => {
    await lockPerson(tx, actor.personId);
    const passkey = await tx.passkey.findUnique({
      where: { id: passkeyId },
      include: { person: { select: { tenantId: true } } },
    });
    if (passkey === null) return null;
    const { personId, person } = passkey;
    return { id: passkeyId, belongs: { tenantId: person.tenantId, personId }, value: passkey };
  },
};

type Added = Outcome<{ readonly passkeyId: string }>;
type AddInput = Parameters<ReturnType<typeof addFor>>[3];

/** The act for a challenge that was consumed. */
const addFor = (backend: Backend, taken: TakenChallenge, challenge: string) =>
  defineAct({
    ...contract.add,
    ...ofCaller,
    run: async ({ tx, actor }, personId, { name, created }) => {
      const site = siteOf(backend);
      if (!site.ok) return site;
      const key = await verifyRegistration(site.value, challenge, created);
      if (!key.ok) return key;
      await lockPerson(tx, personId);
      const before = await tx.passkey.findMany({ where: { personId }, select: { name: true } });
      if (before.length >= maxPasskeys)
        return refused("conflict", `You have ${maxPasskeys} passkeys. Remove one first.`);
      // safety: passkeys: one that was begun with the password is the first
      if (requiredMethod(before.length) === "passkey" && taken.confirmedWith !== "passkey")
        return refused("conflict", "You have a passkey by now. Begin again, and confirm with it.");
      if (before.some((passkey) => passkey.name === name))
        return refused("conflict", `You have a passkey with the name ${name}.`, "name");
      const { credentialId, publicKey, counter } = key.value;
      if ((await tx.passkey.count({ where: { credentialId } })) > 0)
        return refused("conflict", "This passkey is set up already.");
      const { id: passkeyId } = await tx.passkey.create({
        data: {
          id: randomUUID(),
          personId,
          credentialId,
          publicKey,
          counter,
          transports: created.response.transports ?? [],
          rpId: site.value.rpId,
          name,
        },
      });
      return acted({
        value: { passkeyId },
        targetId: passkeyId,
        tenantId: actor.tenantId,
        before: null,
        after: { name, personId, confirmedWith: taken.confirmedWith },
      });
    },
  });

/** The challenge is consumed, whatever the result. */
export async function addPasskey(
  backend: Backend,
  actor: Actor,
  request: Request,
  input: AddInput,
): Promise<Added> {
  const here = inConsole(actor);
  const challenge = challengeOf(input.created.response.clientDataJSON) ?? "";
  const taken = here.ok ? await takeChallenge(backend.database, challenge) : null;
  const no = here.ok
    ? challengeRefusal(taken, { ...here.value, purpose: purposeDigest({ purpose: "register" }) })
    : here.problem.detail;
  if (no === null && taken !== null) return addFor(backend, taken, challenge)(backend, actor, request, input);
  const refusal = refused("forbidden", no ?? "There is no such confirmation.");
  await auditRefusal(backend, actor, request, {
    action: contract.add.action,
    targetId: null,
    problem: refusal.problem,
  });
  return refusal;
}

export const renamePasskey = defineAct({
  ...contract.rename,
  ...onPasskey,
  run: async ({ tx }, { id: passkeyId, personId, name: before, person: { tenantId } }, { name }) => {
    if (name === before) return unchanged({ passkeyId });
    if ((await tx.passkey.count({ where: { personId, name } })) > 0)
      return refused("conflict", `You have a passkey with the name ${name}.`, "name");
    await tx.passkey.update({ where: { id: passkeyId }, data: { name } });
    return acted({
      value: { passkeyId },
      targetId: passkeyId,
      tenantId,
      before: { name: before },
      after: { name },
    });
  },
});

const remove = defineAct({
  ...contract.remove,
  ...onPasskey,
  run: async (context, { id: passkeyId, personId, name, person: { tenantId } }) => {
    const fresh = await freshSignIn(context, { recentCounts: false });
    if (!fresh.ok) return fresh;
    await context.tx.passkey.delete({ where: { id: passkeyId } });
    return acted({
      value: { passkeyId },
      targetId: passkeyId,
      tenantId,
      before: { name, personId },
      after: null,
    });
  },
});

export const removePasskey = (
  backend: Backend,
  actor: Actor,
  request: Request,
  input: Parameters<typeof remove>[3],
): ReturnType<typeof remove> =>
  withConfirmation(
    backend,
    { actor, request, action: contract.remove.action },
    { passkey: input.passkey },
    { purpose: "remove", passkeyId: input.passkeyId },
    (confirmed) => remove(backend, confirmed, request, input),
  );

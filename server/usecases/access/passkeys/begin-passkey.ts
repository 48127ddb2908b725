// Creates what an authenticator is asked for: a signature for one purpose, or a new key. Decides and adds nothing itself.
import { passkeys as contract } from "@/server/contract/access/passkeys";
import type { Transaction } from "@/server/db/prisma";
import { challengeMs } from "@/server/domain/access/passkeys";
import type { Actor, Request } from "@/server/usecases/actor";
import { freshSignIn } from "@/server/usecases/assurance/approvals/fresh-sign-in";
import type { Backend } from "@/server/usecases/backend";
import { unchanged, defineAct } from "@/server/usecases/define-act";
import type { ActContext, Target } from "@/server/usecases/define-act";
import { inConsole, makeChallenge } from "@/server/usecases/access/passkeys/challenges";
import { siteOf, withConfirmation } from "@/server/usecases/access/passkeys/use-passkey";
import { algorithms } from "@/server/usecases/access/passkeys/verify";
import { refused } from "@/server/usecases/problem";

const credentialsOf = async (tx: Transaction, personId: string, rpId: string) =>
  (
    await tx.passkey.findMany({
      where: { personId, rpId },
      select: { credentialId: true, transports: true },
      orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    })
  ).map(({ credentialId: id, transports }) => ({ id, type: "public-key" as const, transports }));

/** For acts on the caller's own account. */
export const ofCaller = {
  names: () => ({ kind: "person", id: "of the caller" }),
  find: ({ actor: { personId, tenantId } }: ActContext): Promise<Target<string>> =>
    Promise.resolve({ id: personId, belongs: { tenantId, personId }, value: personId }),
};

export const beginPasskey = defineAct({
  ...contract.begin,
  ...ofCaller,
  run: async ({ tx, actor, publicUrl }, personId, purpose) => {
    const site = siteOf({ publicUrl });
    if (!site.ok) return site;
    const here = inConsole(actor);
    if (!here.ok) return here;
    const { rpId, origin } = site.value;
    const allowCredentials = await credentialsOf(tx, personId, rpId);
    if (allowCredentials.length === 0)
      return refused(
        "notAllowedNow",
        `You have no passkey for ${rpId}. If you lost yours, ask a provider admin to reset your passkeys.`,
      );
    const challenge = await makeChallenge(tx, here.value, purpose);
    const options = {
      challenge,
      rpId,
      allowCredentials,
      userVerification: "required" as const,
      timeout: challengeMs,
    };
    return unchanged({ options, origin });
  },
});

const beginAdd = defineAct({
  ...contract.beginAdd,
  ...ofCaller,
  run: async (context, personId, { password }) => {
    const { tx, actor } = context;
    const site = siteOf(context);
    if (!site.ok) return site;
    const here = inConsole(actor);
    if (!here.ok) return here;
    const fresh = await freshSignIn(context, { password, recentCounts: false });
    if (!fresh.ok) return fresh;
    const method = fresh.value;
    // safety: passkeys: none is added without a confirmation
    if (method === null) return refused("forbidden", "Enter your password to set up a passkey.", "password");
    const { rpId, origin } = site.value;
    const challenge = await makeChallenge(tx, here.value, { purpose: "register" }, method);
    const options = {
      challenge,
      rp: { id: rpId, name: "Reclaim" },
      user: {
        id: Buffer.from(personId.replaceAll("-", ""), "hex").toString("base64url"),
        name: actor.email,
        displayName: actor.name,
      },
      pubKeyCredParams: algorithms.map((alg) => ({ type: "public-key" as const, alg })),
      excludeCredentials: await credentialsOf(tx, personId, rpId),
      authenticatorSelection: { residentKey: "preferred" as const, userVerification: "required" as const },
      attestation: "none" as const,
      timeout: challengeMs,
    };
    return unchanged({ options, origin });
  },
});

export const beginAddPasskey = (
  backend: Backend,
  actor: Actor,
  request: Request,
  input: Parameters<typeof beginAdd>[3],
): ReturnType<typeof beginAdd> =>
  withConfirmation(
    backend,
    { actor, request, action: contract.beginAdd.action },
    input,
    { purpose: "add" },
    (confirmed) => beginAdd(backend, confirmed, request, input),
  );

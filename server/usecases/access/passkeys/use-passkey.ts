// One use of a passkey: consumes the challenge, checks the answer, stores the counter. The act that it confirms runs afterwards and logs the method.
import { sql } from "kysely";
import type { Assertion } from "@/server/contract/access/webauthn";
import type { Database } from "@/server/db/prisma";
import { execute, queryRows } from "@/server/db/sql";
import { inTransaction } from "@/server/db/transaction";
import type { AuditAction } from "@/server/domain/access/audit-actions";
import {
  challengeRefusal,
  counterRefusal,
  passkeySite,
  requiredMethod,
} from "@/server/domain/access/passkeys";
import type { PasskeySite } from "@/server/domain/access/passkeys";
import { purposeDigest } from "@/server/domain/access/passkey-purpose";
import type { PasskeyPurpose } from "@/server/domain/access/passkey-purpose";
import type { Actor, Request } from "@/server/usecases/actor";
import { withPassword } from "@/server/usecases/assurance/approvals/fresh-sign-in";
import type { Backend } from "@/server/usecases/backend";
import { auditRefusal } from "@/server/usecases/define-act";
import { challengeOf, inConsole, takeChallenge } from "@/server/usecases/access/passkeys/challenges";
import { verifyAssertion } from "@/server/usecases/access/passkeys/verify";
import { done, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

type Site = Extract<PasskeySite, { readonly ok: true }>;

/** The WebAuthn site of this server, or why it takes no passkeys. */
export function siteOf({ publicUrl }: Pick<Backend, "publicUrl">): Outcome<Site> {
  const site = passkeySite(publicUrl);
  return site.ok ? done(site) : refused("notAllowedNow", site.reason);
}

interface Row {
  readonly id: string;
  readonly personId: string;
  readonly publicKey: Uint8Array;
  readonly counter: string;
}

/** Checks the signature and stores the counter. */
function signedBy(
  database: Database,
  site: Site,
  personId: string,
  challenge: string,
  answer: Assertion,
): Promise<Outcome<null>> {
  return inTransaction(database, async (tx) => {
    const [passkey] = await queryRows(
      tx,
      sql<Row>`
      SELECT id::text, person_id::text AS "personId", public_key AS "publicKey", counter::text FROM passkey
      WHERE credential_id = ${answer.id} FOR UPDATE`,
    );
    // safety: passkeys: the caller's own
    if (passkey?.personId !== personId)
      return refused("forbidden", "This is not one of your passkeys.", "passkey");
    const counter = await verifyAssertion(
      site,
      challenge,
      { credentialId: answer.id, publicKey: passkey.publicKey },
      answer,
    );
    if (!counter.ok) return counter;
    const copied = counterRefusal(BigInt(passkey.counter), counter.value);
    if (copied !== null) return refused("forbidden", copied, "passkey");
    await execute(
      tx,
      sql`UPDATE passkey SET counter = ${String(counter.value)}::bigint, last_used_at = clock_timestamp() WHERE id = ${passkey.id}::uuid`,
    );
    return done(null);
  });
}

async function usePasskey(
  backend: Backend,
  actor: Actor,
  purpose: PasskeyPurpose,
  answer: Assertion,
): Promise<Outcome<null>> {
  const site = siteOf(backend);
  if (!site.ok) return site;
  const here = inConsole(actor);
  if (!here.ok) return here;
  const challenge = challengeOf(answer.response.clientDataJSON) ?? "";
  const taken = await takeChallenge(backend.database, challenge);
  const no = challengeRefusal(taken, { ...here.value, purpose: purposeDigest(purpose) });
  if (no !== null) return refused("forbidden", no, "passkey");
  return signedBy(backend.database, site.value, actor.personId, challenge, answer);
}

/** The confirmation that came with a request. */
interface Given {
  readonly password?: string | undefined;
  readonly passkey?: Assertion | undefined;
}

/**
 * Wraps an act that its person confirms. A passkey's answer is consumed first, whatever the result of the act; a password attempt is counted here and
 * checked by the act (`freshSignIn`).
 */
export async function withConfirmation<O>(
  backend: Backend,
  {
    actor,
    request,
    action,
  }: { readonly actor: Actor; readonly request: Request; readonly action: AuditAction },
  { password, passkey }: Given,
  purpose: PasskeyPurpose,
  work: (actor: Actor) => Promise<Outcome<O>>,
): Promise<Outcome<O>> {
  if (passkey === undefined) {
    if (password === undefined) return work(actor);
    // For a person with a passkey, the password is refused without a check (`confirmRefusal`), so there is nothing to count.
    const passkeys = await backend.database.passkey.count({ where: { personId: actor.personId } });
    return requiredMethod(passkeys) === "passkey" ? work(actor) : withPassword(backend, actor, work);
  }
  const used = await usePasskey(backend, actor, purpose, passkey);
  if (used.ok) return work({ ...actor, byPasskey: true });
  await auditRefusal(backend, actor, request, { action, targetId: null, problem: used.problem });
  return used;
}

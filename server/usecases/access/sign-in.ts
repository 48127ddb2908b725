// Checks an email and a password. Attempts are limited by name and by address, and take the same time whether or not the person exists.
import {
  ownAddressDays,
  addressGroup,
  limitedSubjects,
  signInLimits,
} from "@/server/domain/access/sign-in-limits";
import type { SignInOrigin } from "@/server/domain/access/sign-in-limits";
import { writeAudit } from "@/server/db/audit";
import { verifyPassword } from "@/server/db/secrets/passwords";
import type { Database } from "@/server/db/prisma";
import { countSignIn, emailsAt, forgetSignIn, noteSignInAddress } from "@/server/db/sign-in-counts";
import type { Actor, Request } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { knownPerson, personColumns } from "@/server/usecases/access/read-actor";
import { signInGuard } from "@/server/usecases/access/sign-in-guard";
import type { ProblemCode } from "@/server/domain/problems";
import { done, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { perDatabase } from "@/server/usecases/timed-cache";

export interface SignedIn {
  readonly actor: Actor;
  readonly sessionEpoch: number;
}

interface Who {
  readonly id: string;
  readonly name: string;
  readonly tenantId: string | null;
}

interface Attempt extends SignInOrigin {
  readonly database: Database;
  readonly email: string;
  readonly password: string;
  readonly request: Request;
}

/** An attacker at one address causes one database query a minute. */
const emailsAtAddress = perDatabase<ReadonlySet<string>>("signInAddresses", { ttlMs: 60_000, max: 10_000 });

const emailsOf = (database: Database, address: string): Promise<ReadonlySet<string>> =>
  emailsAtAddress(database).get(address, () => emailsAt(database, address, ownAddressDays));

/** Whether anybody has signed in from this address. @param address an `addressGroup` */
export const isKnownAddress = async (database: Database, address: string): Promise<boolean> =>
  (await emailsOf(database, address)).size > 0;

function audit(
  { database, request }: Attempt,
  person: Who | null,
  refusal: { readonly code: ProblemCode; readonly attempts: number } | null,
): Promise<void> {
  return writeAudit(database, {
    actor: {
      kind: person === null ? "unknown" : "person",
      id: person?.id ?? null,
      name: person?.name ?? null,
    },
    action: "session.signIn",
    targetId: person?.id ?? null,
    tenantId: person?.tenantId ?? null,
    requestId: request.requestId,
    address: request.address,
    outcome: refusal === null ? "done" : "refused",
    before: null,
    after:
      refusal === null
        ? null
        : { code: refusal.code, ...(refusal.attempts === 1 ? {} : { attempts: refusal.attempts }) },
  });
}

/** Refuses and logs it, alone or together with others of its kind. */
async function refuse(attempt: Attempt, kind: string, person: Who | null, code: ProblemCode, detail: string) {
  await signInGuard().refuse(kind, (attempts) =>
    audit(attempt, attempts === 1 ? person : null, { code, attempts }),
  );
  return refused(code, detail);
}

const refuseTooMany = (attempt: Attempt, subject: string) =>
  refuse(attempt, subject, null, "tooMany", "Too many failed attempts. Wait 15 minutes.");

/** Does not wait for the log, which is in the database that the current attempts may be waiting for. */
function refuseBusy(attempt: Attempt) {
  const detail = "Too many sign-ins in progress. Try again in a few seconds.";
  refuse(attempt, "busy", null, "unavailable", detail).catch(() => undefined);
  return refused("unavailable", detail);
}

/** Runs while holding a slot: counts, compares, and answers. */
async function check(attempt: Attempt): Promise<Outcome<SignedIn>> {
  const { database, email, password, address, isOwn } = attempt;
  const subjects = limitedSubjects(email, attempt);
  // Counted before the password is checked, so that concurrent attempts cannot all pass.
  const counts = await countSignIn(
    database,
    subjects.map(({ subject }) => subject),
    signInLimits.windowMs,
  );
  const over = subjects.find(({ subject, most }) => (counts.get(subject) ?? 0) > most);
  if (over !== undefined) {
    signInGuard().setOver(over.subject);
    return refuseTooMany(attempt, over.subject);
  }
  const row = await database.person.findUnique({
    where: { email },
    select: { ...personColumns, passwordHash: true },
  });
  const known = row === null ? null : knownPerson(row);
  const right = await verifyPassword(password, known === null ? null : (row?.passwordHash ?? null));
  if (!right || known === null) {
    return refuse(
      attempt,
      `wrong:${attempt.request.requestId}`,
      row,
      "unauthenticated",
      "Email or password is wrong.",
    );
  }
  const { actor, sessionEpoch } = known;
  const shared = subjects
    .filter(({ subject }) => subject.startsWith("address:"))
    .map(({ subject }) => subject);
  await forgetSignIn(database, {
    own: subjects.map(({ subject }) => subject).filter((subject) => !shared.includes(subject)),
    shared,
  });
  if (address !== null) {
    await noteSignInAddress(database, actor.personId, address);
    if (!isOwn) emailsAtAddress(database).delete(address);
  }
  await audit(attempt, row, null);
  return done({ actor: { ...actor, kind: "person" as const }, sessionEpoch });
}

/**
 * `tooMany` also refuses the correct password; `unauthenticated` does not say which of the two was wrong; `unavailable`: too many sign-ins in
 * progress, and nothing was checked.
 */
export async function signIn(
  { database }: Backend,
  given: {
    readonly email: string;
    readonly password: string;
    /** Whether a person with this (normalized) email has signed in before in the browser that asks. */
    readonly deviceOf?: (email: string) => string | null;
  },
  request: Request,
): Promise<Outcome<SignedIn>> {
  const email = given.email.trim().toLowerCase();
  if (email === "" || email.length > 320 || given.password === "" || given.password.length > 1024)
    return refused("unauthenticated", "Email or password is wrong.");
  const guard = signInGuard();
  const address = request.address === null ? null : addressGroup(request.address);
  const isOwn = address !== null && (await emailsOf(database, address)).has(email);
  const device = given.deviceOf?.(email) ?? null;
  const attempt: Attempt = { database, email, password: given.password, address, isOwn, device, request };
  const over = limitedSubjects(email, attempt).find(({ subject }) => guard.isOver([subject]));
  if (over !== undefined) return refuseTooMany(attempt, over.subject);
  const leave = await guard.enter(isOwn || device !== null);
  if (leave === null) return refuseBusy(attempt);
  try {
    return await check(attempt);
  } finally {
    leave();
  }
}

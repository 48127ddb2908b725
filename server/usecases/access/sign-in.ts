// Checks an email and a password: limited per name and per address, in the same time whether or not there is such a person.
import { writeAudit } from "@/server/db/audit";
import { verifyPassword } from "@/server/db/passwords";
import type { Database } from "@/server/db/prisma";
import type { Actor, Request } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { knownPerson, personColumns } from "@/server/usecases/access/read-actor";
import { done, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

export const signInLimits = { windowMs: 15 * 60_000, perEmail: 10, perAddress: 50 } as const;

export interface SignedIn {
  readonly actor: Actor;
  readonly sessionEpoch: number;
}

/** Counts this attempt with those before it, so that many at once cannot pass together. */
async function isOverLimit(database: Database, email: string, address: string | null): Promise<boolean> {
  const subjects = [`email:${email}`, ...(address === null ? [] : [`address:${address}`])];
  await database.signInAttempt.createMany({ data: subjects.map((subject) => ({ subject })) });
  const since = new Date(Date.now() - signInLimits.windowMs);
  const counts = await database.signInAttempt.groupBy({ by: ["subject"], where: { subject: { in: subjects }, at: { gt: since } }, _count: true });
  return counts.some(({ subject, _count }) => _count > (subject.startsWith("email:") ? signInLimits.perEmail : signInLimits.perAddress));
}

/** A success is no failed attempt: it clears the name, and takes back its own count of the address. What is a day old is of no use to anybody. */
async function forget(database: Database, email: string, address: string | null): Promise<void> {
  await database.$executeRaw`
    DELETE FROM sign_in_attempt WHERE subject = ${`email:${email}`} OR at < now() - interval '1 day'
      OR id = (SELECT max(id) FROM sign_in_attempt WHERE subject = ${`address:${address ?? ""}`})`;
}

/** `tooMany` also refuses the right password; `unauthenticated` does not tell which of the two was wrong. */
export async function signIn({ database }: Backend, given: { readonly email: string; readonly password: string }, request: Request): Promise<Outcome<SignedIn>> {
  const email = given.email.trim().toLowerCase();
  if (email === "" || email.length > 320 || given.password === "" || given.password.length > 1024) return refused("unauthenticated", "Email or password is wrong.");
  const audit = (outcome: "done" | "refused", person: { id: string; name: string; tenantId: string | null } | null, code: string | null) =>
    writeAudit(database, {
      actor: { kind: person === null ? "unknown" : "person", id: person?.id ?? null, name: person?.name ?? null },
      action: "session.signIn",
      targetId: person?.id ?? null,
      tenantId: person?.tenantId ?? null,
      requestId: request.requestId,
      address: request.address,
      outcome,
      before: null,
      after: code === null ? null : { code },
    });
  if (await isOverLimit(database, email, request.address)) {
    await audit("refused", null, "tooMany");
    return refused("tooMany", "Too many failed attempts. Wait a quarter of an hour.");
  }
  const row = await database.person.findUnique({ where: { email }, select: { ...personColumns, passwordHash: true } });
  const known = row === null ? null : knownPerson(row);
  const right = await verifyPassword(given.password, known === null ? null : (row?.passwordHash ?? null));
  if (!right || known === null) {
    await audit("refused", row, "unauthenticated");
    return refused("unauthenticated", "Email or password is wrong.");
  }
  await forget(database, email, request.address);
  await audit("done", row, null);
  return done({ actor: { ...known.actor, kind: "person" as const }, sessionEpoch: known.sessionEpoch });
}

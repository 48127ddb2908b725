// When the server checks itself, and what the event of a check says (docs/adr/0107-nightly-self-audit.md, docs/adr/0111-the-self-audit-replays-states.md).
import { z } from "zod";
import { kindCount, logFinding } from "@/server/domain/audit-log/self-audit/findings";

/** What its events are about: the one log of the deployment. */
export const auditLogTarget = "audit-log";
export const selfAuditAction = "auditLog.check";

/** What a check does, one after the other. */
export const checkStages = ["log", "transitions", "tenancies", "reclamations"] as const;
export type CheckStage = (typeof checkStages)[number];

const namedFault = z.object({
  kind: z.string(),
  key: z.string(),
  hostId: z.string().nullable(),
  hostName: z.string().nullable(),
  reclamationId: z.string().nullable(),
  says: z.string(),
});
export type NamedFault = z.infer<typeof namedFault>;

/** What was looked at, without what nothing is known of. */
const covered = z.object({
  hosts: z.int(),
  transitions: z.int(),
  instances: z.int(),
  reclamations: z.int(),
  /** Of these, those whose history was compared with its digest. */
  digests: z.int(),
  /** And those that ended before digests were logged: nothing shows whether they were changed. */
  undigested: z.int(),
});
export type Covered = z.infer<typeof covered>;

/** Facts of such an event, after it. */
const facts = z.object({
  ok: z.boolean(),
  events: z.int(),
  faults: z.int(),
  first: z.array(z.string()).readonly(),
  seconds: z.number().default(0),
  /** Who asked for it; null: it was the nightly one. */
  askedBy: z.string().nullable().default(null),
  /** Null: a release before checked the log alone. */
  covered: covered.nullable().default(null),
  kinds: z.array(kindCount).readonly().default([]),
  named: z.array(namedFault).readonly().default([]),
});
export type SelfAuditFacts = z.infer<typeof facts>;

const ofTheLog = (says: string): NamedFault => {
  const { kind, key } = logFinding("", says);
  return { kind, key, hostId: null, hostName: null, reclamationId: null, says };
};

/** A check of a release before names its faults in words only. */
function withNames(found: SelfAuditFacts): SelfAuditFacts {
  if (found.faults === 0 || found.kinds.length > 0) return found;
  const named = found.first.map(ofTheLog);
  const digest = named.map(({ key }) => key).join();
  return { ...found, named, kinds: [kindCount.parse({ kind: "log", count: found.faults, digest })] };
}

/** An event that does not say it in this form counts as a check that found something: nobody else writes them. */
export function selfAuditFacts(after: unknown): SelfAuditFacts {
  const parsed = facts.safeParse(after);
  return withNames(
    parsed.success
      ? parsed.data
      : facts.parse({ ok: false, events: 0, faults: 1, first: ["the event of the check cannot be read"] }),
  );
}

/** What a check of the log alone found, with what one before it found of the states of hosts. */
export function statesOf(
  ofLog: SelfAuditFacts,
  ofStates: SelfAuditFacts,
): Pick<SelfAuditFacts, "ok" | "faults" | "kinds" | "named" | "covered"> {
  const kinds = [...ofLog.kinds, ...ofStates.kinds.filter(({ kind }) => kind !== "log")];
  const faults = kinds.reduce((total, { count }) => total + count, 0);
  const named = [...ofLog.named, ...ofStates.named.filter(({ kind }) => kind !== "log")];
  return { ok: ofLog.ok && faults === 0, faults, kinds, named, covered: ofStates.covered };
}

/** The last time that it was due: today or yesterday, at that hour in UTC. */
export function lastDue(now: Date, hour: number): Date {
  const due = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate(), hour));
  if (due > now) due.setUTCDate(due.getUTCDate() - 1);
  return due;
}

/**
 * Whether nobody has made the nightly check yet.
 * @param began when the log did; null: there is none yet
 */
export function isNightlyDue(
  last: { readonly at: Date; readonly covered: Covered | null } | null,
  began: Date | null,
  due: Date,
): boolean {
  // safety: self-audit: a check without the states of hosts, of a release before, is not the nightly one
  if (last?.covered === null) return true;
  const since = last?.at ?? began;
  return since !== null && since < due;
}

/** A day, and what a check may take. */
const overdueAfterMs = 26 * 3_600_000;

/** @param since the end of the last check, or the beginning of the log where there was none; null: there is no log yet */
export function isOverdue(since: Date | null, now: Date): boolean {
  // safety: self-audit: a check that is overdue is told of (false)
  return since !== null && now.getTime() - since.getTime() > overdueAfterMs;
}

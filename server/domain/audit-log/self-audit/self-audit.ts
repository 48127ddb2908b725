// When the server checks itself, and what a check's event contains (docs/adr/0111-the-self-audit-replays-states.md).
import { z } from "zod";
import { kindCount, logFinding } from "@/server/domain/audit-log/self-audit/findings";

/** The target of its events: the deployment's only audit log. */
export const auditLogTarget = "audit-log";
export const selfAuditAction = "auditLog.check";

/** The stages of a check, in order. */
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

/** How much was checked, without the members that are unknown. */
const covered = z.object({
  hosts: z.int(),
  transitions: z.int(),
  instances: z.int(),
  reclamations: z.int(),
  /** Reclamations whose history was compared with its digest. */
  digests: z.int(),
  /** Reclamations that ended before digests were logged, so nothing shows whether they were changed. */
  undigested: z.int(),
});
export type Covered = z.infer<typeof covered>;

/** Facts of a check's event, after it. */
const facts = z.object({
  ok: z.boolean(),
  events: z.int(),
  faults: z.int(),
  first: z.array(z.string()).readonly(),
  seconds: z.number().default(0),
  /** Who requested it; null: it was the nightly check. */
  askedBy: z.string().nullable().default(null),
  /** Null: a check of an earlier release, which covered the log alone. */
  covered: covered.nullable().default(null),
  kinds: z.array(kindCount).readonly().default([]),
  named: z.array(namedFault).readonly().default([]),
});
export type SelfAuditFacts = z.infer<typeof facts>;

const ofTheLog = (says: string): NamedFault => {
  const { kind, key } = logFinding("", says);
  return { kind, key, hostId: null, hostName: null, reclamationId: null, says };
};

/** A check of an earlier release has its faults as text only. */
function withNames(found: SelfAuditFacts): SelfAuditFacts {
  if (found.faults === 0 || found.kinds.length > 0) return found;
  const named = found.first.map(ofTheLog);
  const digest = named.map(({ key }) => key).join();
  return { ...found, named, kinds: [kindCount.parse({ kind: "log", count: found.faults, digest })] };
}

/** An event that does not match the schema counts as a check that found a fault, because nothing else writes these events. */
export function selfAuditFacts(after: unknown): SelfAuditFacts {
  const parsed = facts.safeParse(after);
  return withNames(
    parsed.success
      ? parsed.data
      : facts.parse({ ok: false, events: 0, faults: 1, first: ["the event of the check cannot be read"] }),
  );
}

/** The result of a check of the log alone, combined with what an earlier check found about the states of hosts. */
export function statesOf(
  ofLog: SelfAuditFacts,
  ofStates: SelfAuditFacts,
): Pick<SelfAuditFacts, "ok" | "faults" | "kinds" | "named" | "covered"> {
  const kinds = [...ofLog.kinds, ...ofStates.kinds.filter(({ kind }) => kind !== "log")];
  const faults = kinds.reduce((total, { count }) => total + count, 0);
  const named = [...ofLog.named, ...ofStates.named.filter(({ kind }) => kind !== "log")];
  return { ok: ofLog.ok && faults === 0, faults, kinds, named, covered: ofStates.covered };
}

/** When the check was last due: today or yesterday, at that hour in UTC. */
export function lastDue(now: Date, hour: number): Date {
  const due = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate(), hour));
  if (due > now) due.setUTCDate(due.getUTCDate() - 1);
  return due;
}

/**
 * Whether the nightly check has not run yet.
 * @param began when the log began; null: there is none yet
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

/** A day, plus the time a check may take. */
const overdueAfterMs = 26 * 3_600_000;

/** @param since the end of the last check, or the beginning of the log if there was none; null: there is no log yet */
export function isOverdue(since: Date | null, now: Date): boolean {
  // safety: self-audit: a check that is overdue is told of (false)
  return since !== null && now.getTime() - since.getTime() > overdueAfterMs;
}

// When the log is checked by its own server, and what the event of a check says (docs/adr/0107-nightly-self-audit.md).
import { z } from "zod";

/** What its events are about: the one log of the deployment. */
export const auditLogTarget = "audit-log";
export const selfAuditAction = "auditLog.check";

/** Facts of such an event, after it. */
const facts = z.object({
  ok: z.boolean(),
  events: z.int(),
  faults: z.int(),
  first: z.array(z.string()),
});
export type SelfAuditFacts = z.infer<typeof facts>;

/** An event that does not say it in this form counts as a check that found something: nobody else writes them. */
export function selfAuditFacts(after: unknown): SelfAuditFacts {
  const parsed = facts.safeParse(after);
  return parsed.success
    ? parsed.data
    : { ok: false, events: 0, faults: 1, first: ["the event of the check cannot be read"] };
}

/** The last time that it was due: today or yesterday, at that hour in UTC. */
export function lastDue(now: Date, hour: number): Date {
  const due = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate(), hour));
  if (due > now) due.setUTCDate(due.getUTCDate() - 1);
  return due;
}

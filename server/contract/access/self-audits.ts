// The self-audit: what checks of the log and of the states of hosts found, and what people do about it (docs/security.md#the-self-audit).
import { z } from "zod";
import { act, list, nothing, paging, read, reason, record } from "@/server/contract/define";

const covered = record({
  hosts: z.number(),
  transitions: z.number(),
  instances: z.number(),
  /** Reclamations that have ended. */
  reclamations: z.number(),
  /** Of these, those whose history was compared with its digest in the audit log. */
  digests: z.number(),
  /** And those that ended before digests were logged, so that nothing shows a change. */
  undigested: z.number(),
});

const checkLine = record({
  /** Of its event in the audit log. */
  id: z.string(),
  /** When it ended. */
  at: z.date(),
  seconds: z.number(),
  /** Who asked for it; null: it was the nightly one. */
  askedBy: z.string().nullable(),
  ok: z.boolean(),
  /** Events of the audit log that it checked. */
  events: z.number(),
  /** What else it looked at; null: a release before checked the log alone. */
  covered: covered.nullable(),
  faults: z.number(),
  /** Of these, those that nobody has acknowledged. */
  open: z.number(),
  /** Faults by kind. */
  kinds: list(record({ kind: z.string(), label: z.string(), count: z.number(), open: z.number() })),
});
export type SelfAuditLine = z.infer<typeof checkLine>;

const faultLine = record({
  /** The same fault has the same in each check. */
  key: z.string(),
  kind: z.string(),
  label: z.string(),
  hostId: z.string().nullable(),
  hostName: z.string().nullable(),
  reclamationId: z.string().nullable(),
  says: z.string(),
  /** What to do about faults of its kind. */
  next: z.string(),
  acknowledged: record({ at: z.date(), by: z.string().nullable(), reason: z.string() }).nullable(),
});
export type SelfAuditFault = z.infer<typeof faultLine>;

const checkNow = record({
  /** asked: a controller begins it within seconds; brokenOff: its process ended, and another one begins it again. */
  standing: z.enum(["asked", "running", "brokenOff"]),
  askedAt: z.date(),
  askedBy: z.string().nullable(),
  startedAt: z.date().nullable(),
  /** What it looks at: log, transitions, tenancies, reclamations. */
  stage: z.string().nullable(),
  done: z.number(),
  total: z.number(),
});
export type SelfAuditNow = z.infer<typeof checkNow>;

const standing = record({
  last: checkLine.nullable(),
  /** Of the last one, at most twenty of each kind. */
  faults: list(faultLine),
  /** None has ended for more than 26 hours. */
  overdue: z.boolean(),
  /** The one that is asked for or in progress. */
  now: checkNow.nullable(),
});
export type SelfAuditStanding = z.infer<typeof standing>;

/** Operations of `audit`. */
export const selfAudits = {
  selfAudit: read({
    title: "the last self-audit with its faults, and the one in progress",
    right: "audit.read",
    input: nothing,
    output: standing,
  }),
  checks: read({
    title: "self-audits, the newest first: what each covered and found",
    right: "audit.read",
    input: z.strictObject({ ...paging(100, 30) }),
    output: record({ items: list(checkLine), nextCursor: z.string().nullable() }),
  }),
  selfCheck: act({
    title: "asks for a self-audit now: the audit log, and the states of all hosts",
    right: "audit.selfCheck",
    action: "auditLog.askCheck",
    input: z.strictObject({}),
    output: record({
      /** One was asked for or in progress already: that one answers. */
      already: z.boolean(),
    }),
  }),
  acknowledge: act({
    title: "acknowledges faults of the last self-audit: they alert no more, new ones do",
    right: "audit.acknowledge",
    action: "auditLog.acknowledge",
    input: z.strictObject({
      /** The id of the check: its faults are what was looked at. */
      check: z.guid("must be the id of a self-audit"),
      /** Left out: all of them. */
      keys: z.array(z.string().min(1).max(200)).min(1).max(200).readonly().optional(),
      reason,
    }),
    output: record({
      acknowledged: z.number(),
      /** Left open. */
      open: z.number(),
    }),
  }),
};

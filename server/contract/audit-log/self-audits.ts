// The self-audit: what its checks of the log and of the states of hosts found, and what people do about it (docs/security.md#the-self-audit).
import { z } from "zod";
import { act, list, nothing, paging, read, reason, record } from "@/server/contract/define";

const covered = record({
  hosts: z.number(),
  transitions: z.number(),
  instances: z.number(),
  /** Ended reclamations. */
  reclamations: z.number(),
  /** Of these, those whose history was compared with its digest in the audit log. */
  digests: z.number(),
  /** Reclamations that ended before digests were logged, so a change of their history would not show. */
  undigested: z.number(),
});

const checkLine = record({
  /** Id of its event in the audit log. */
  id: z.string(),
  /** When it ended. */
  at: z.date(),
  seconds: z.number(),
  /** Who asked for it; null for the nightly one. */
  askedBy: z.string().nullable(),
  ok: z.boolean(),
  /** How many events of the audit log it checked. */
  events: z.number(),
  /** What else it checked; null for one of an earlier release, which checked only the log. */
  covered: covered.nullable(),
  faults: z.number(),
  /** How many of these faults nobody has acknowledged. */
  open: z.number(),
  /** Faults by kind. */
  kinds: list(record({ kind: z.string(), label: z.string(), count: z.number(), open: z.number() })),
});
export type SelfAuditLine = z.infer<typeof checkLine>;

const faultLine = record({
  /** Identifies the fault: the same in every check that finds it. */
  key: z.string(),
  kind: z.string(),
  label: z.string(),
  hostId: z.string().nullable(),
  hostName: z.string().nullable(),
  reclamationId: z.string().nullable(),
  says: z.string(),
  /** What to do about a fault of this kind. */
  next: z.string(),
  acknowledged: record({ at: z.date(), by: z.string().nullable(), reason: z.string() }).nullable(),
});
export type SelfAuditFault = z.infer<typeof faultLine>;

const checkNow = record({
  /** asked: a controller starts it within seconds; brokenOff: its process ended, and another one starts it again. */
  standing: z.enum(["asked", "running", "brokenOff"]),
  askedAt: z.date(),
  askedBy: z.string().nullable(),
  startedAt: z.date().nullable(),
  /** What it is checking: log, transitions, tenancies, reclamations. */
  stage: z.string().nullable(),
  done: z.number(),
  total: z.number(),
});
export type SelfAuditNow = z.infer<typeof checkNow>;

const standing = record({
  last: checkLine.nullable(),
  /** Faults of the last check, at most 20 of each kind. */
  faults: list(faultLine),
  /** No check has ended for more than 26 hours. */
  overdue: z.boolean(),
  /** The check that is asked for or in progress. */
  now: checkNow.nullable(),
});
export type SelfAuditStanding = z.infer<typeof standing>;

/** Merged into the operations of `audit`. */
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
      /** A check was already asked for or in progress: that one is returned. */
      already: z.boolean(),
    }),
  }),
  acknowledge: act({
    title: "acknowledges faults of the last self-audit, so that only new ones alert",
    right: "audit.acknowledge",
    action: "auditLog.acknowledge",
    input: z.strictObject({
      /** Id of the check whose faults the person looked at. */
      check: z.guid("must be the id of a self-audit"),
      /** Defaults to all of them. */
      keys: z.array(z.string().min(1).max(200)).min(1).max(200).readonly().optional(),
      reason,
    }),
    output: record({
      acknowledged: z.number(),
      /** How many faults remain unacknowledged. */
      open: z.number(),
    }),
  }),
};

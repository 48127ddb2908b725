// The audit log: who did what, and what was refused (docs/security.md#the-audit-log).
import { z } from "zod";
import { selfAudits } from "@/server/contract/audit-log/self-audits";
import { act, list, moment, nothing, paging, read, reason, record } from "@/server/contract/define";

export const auditOutcomes = ["done", "refused"] as const;

const auditLine = record({
  id: z.string(),
  /** Number of the event in the log; null for the first half second, until it gets one. */
  seq: z.number().nullable(),
  at: z.date(),
  /** `person`, `token`, `system` and so on. */
  actorKind: z.string(),
  actorId: z.string().nullable(),
  actorName: z.string().nullable(),
  action: z.string(),
  targetKind: z.string().nullable(),
  targetId: z.string().nullable(),
  /** Name of the target, or the number of a reclamation, such as R-42; null if it has none. */
  targetName: z.string().nullable(),
  /** The target is a host that has left. */
  targetIsGone: z.boolean().optional(),
  outcome: z.string(),
  requestId: z.string().nullable(),
  address: z.string().nullable(),
  /** Facts before and after, without secrets. For a refused request, `after` says why. */
  before: z.unknown(),
  after: z.unknown(),
});
export type AuditLine = z.infer<typeof auditLine>;

const auditList = record({
  rows: list(auditLine),
  /** How many events were numbered before the list was read. Calling `follow` from there misses none. */
  numbered: z.number(),
  nextCursor: z.string().nullable(),
  /** Set if the filter matched so little that the search stopped: how many events it looked at, and the time of the last. `nextCursor` continues. */
  searched: record({ to: z.date(), events: z.number() }).nullable(),
});
export type AuditList = z.infer<typeof auditList>;

const auditNews = record({
  /** Ordered by number. */
  rows: list(auditLine),
  /** The number to ask from in the next call. */
  next: z.number(),
  /** More numbered events exist beyond those looked at. */
  more: z.boolean(),
});
export type AuditNews = z.infer<typeof auditNews>;

const auditKey = record({
  /** Name of the log in its signatures and checkpoints. */
  origin: z.string(),
  /** In C2SP signed-note form: name, id and public key. */
  key: z.string(),
  createdAt: z.date(),
});
export type AuditKeyLine = z.infer<typeof auditKey>;

const auditState = record({
  /** How many events have a number. */
  numbered: z.number(),
  /** The newest checkpoint, as served to auditors; null if nothing was signed yet. */
  checkpoint: record({ size: z.number(), signedAt: z.date(), note: z.string() }).nullable(),
  keys: list(auditKey),
  /** The witnesses of the deployment's policy. */
  witnesses: list(
    record({
      name: z.string(),
      key: z.string(),
      /** Null if this witness is not asked. */
      url: z.string().nullable(),
      /** The newest checkpoint that this witness cosigned. */
      cosigned: record({ size: z.number(), at: z.date() }).nullable(),
    }),
  ),
  /** Whether the served checkpoint has as many cosignatures as the policy asks for; null without a policy. */
  quorum: z.boolean().nullable(),
  /** The server's role in the database. */
  role: z.string(),
  /** Tables of the log that this role could change; empty if database roles protect the log. */
  changeable: list(z.string()),
  /** The last self-audit; null if there was none yet. */
  selfAudit: record({
    at: z.date(),
    /** Whether it found no faults. */
    ok: z.boolean(),
    events: z.number(),
    faults: z.number(),
    /** How many faults nobody has acknowledged. */
    open: z.number(),
    /** Some of the faults. */
    first: list(z.string()),
  }).nullable(),
});
export type AuditState = z.infer<typeof auditState>;

const words = (max: number) => z.string().trim().min(1).max(max);

/** Search criteria for events; all that are given must match. */
const search = {
  targetId: z.string().min(1).max(128).optional(),
  /** An id, or the full name of a host, an instance or a site. */
  target: words(128).optional(),
  /** Name or id of a site: matches events of the site, its hosts, and the instances on them. */
  site: words(128).optional(),
  /** A full name or an id. */
  actor: words(128).optional(),
  /** An action such as `host.release`, or a prefix that ends with a dot: `host.`. */
  action: words(64).optional(),
  outcome: z.enum(auditOutcomes).optional(),
  /** Matches any text of the event, its facts included. */
  text: words(200).optional(),
};

export const audit = {
  list: read({
    title: "the audit log, newest first: who did what, and what was refused",
    right: "audit.read",
    input: z.strictObject({
      /** Only this event. */
      id: z.guid("must be the id of an event").optional(),
      ...search,
      since: moment.optional(),
      until: moment.optional(),
      ...paging(500, 100),
    }),
    output: auditList,
  }),
  follow: read({
    title: "numbered events of the audit log from a number on, without gaps, for following it",
    right: "audit.read",
    input: z.strictObject({ from: z.int().min(0), ...search }),
    output: auditNews,
  }),
  keys: read({
    title: "the public keys that sign the audit log, newest first, for auditors",
    right: "audit.read",
    input: nothing,
    output: list(auditKey),
  }),
  state: read({
    title: "how far the audit log is numbered, signed and cosigned, and whether database roles protect it",
    right: "audit.read",
    input: nothing,
    output: auditState,
  }),
  proof: read({
    title: "a proof that an event is in the audit log; it can be checked without the log",
    right: "audit.read",
    input: z.strictObject({ id: z.guid("must be the id of an event") }),
    output: record({
      /** Number of the event. */
      seq: z.number(),
      /** Canonical JSON of the event, which is what gets hashed. */
      entry: z.string(),
      /** In C2SP tlog-proof form. */
      proof: z.string(),
      /** Whether as many witnesses cosigned as the deployment's policy asks for. */
      quorum: z.boolean(),
    }),
  }),
  ...selfAudits,
  rotateKey: act({
    title: "requests a new key for the audit log: the sequencer creates it, signed by the previous key",
    right: "audit.rotateKey",
    action: "auditKey.ask",
    input: z.strictObject({ reason }),
    output: record({
      /** The key that signs until the new one takes over. */
      before: z.string(),
    }),
  }),
};

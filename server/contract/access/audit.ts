// The audit log: who did what, and what was refused (docs/security.md#the-audit-log).
import { z } from "zod";
import { selfAudits } from "@/server/contract/access/self-audits";
import { act, list, moment, nothing, paging, read, reason, record } from "@/server/contract/define";

export const auditOutcomes = ["done", "refused"] as const;

const auditLine = record({
  id: z.string(),
  /** Its number in the log; null: it has none yet, which takes half a second. */
  seq: z.number().nullable(),
  at: z.date(),
  /** `person`, `token`, `system` and so on. */
  actorKind: z.string(),
  actorId: z.string().nullable(),
  actorName: z.string().nullable(),
  action: z.string(),
  targetKind: z.string().nullable(),
  targetId: z.string().nullable(),
  /** Of a host that is still there; null otherwise. */
  targetName: z.string().nullable(),
  outcome: z.string(),
  requestId: z.string().nullable(),
  address: z.string().nullable(),
  /** Facts without secrets, before and after; of a refused request `after` says why. */
  before: z.unknown(),
  after: z.unknown(),
});
export type AuditLine = z.infer<typeof auditLine>;

const auditList = record({
  rows: list(auditLine),
  /** Events that had a number before the list was read: `follow` from there on misses none. */
  numbered: z.number(),
  nextCursor: z.string().nullable(),
  /** The filter matched so little that the search stopped: after so many events, at the time of the last. Null: it did not stop. `nextCursor` goes on. */
  searched: record({ to: z.date(), events: z.number() }).nullable(),
});
export type AuditList = z.infer<typeof auditList>;

const auditNews = record({
  /** In the order of their numbers. */
  rows: list(auditLine),
  /** The number to ask from next time. */
  next: z.number(),
  /** More have a number already than were looked at. */
  more: z.boolean(),
});
export type AuditNews = z.infer<typeof auditNews>;

const auditKey = record({
  /** What its signatures and the log's checkpoints are named by. */
  origin: z.string(),
  /** In the form of C2SP signed-note: name, id and public key. */
  key: z.string(),
  createdAt: z.date(),
});
export type AuditKeyLine = z.infer<typeof auditKey>;

const auditState = record({
  /** Events that have a number. */
  numbered: z.number(),
  /** The newest checkpoint, as it is served to auditors; null: nothing was signed yet. */
  checkpoint: record({ size: z.number(), signedAt: z.date(), note: z.string() }).nullable(),
  keys: list(auditKey),
  /** Those of the deployment's policy. */
  witnesses: list(
    record({
      name: z.string(),
      key: z.string(),
      /** Null: it is not asked. */
      url: z.string().nullable(),
      /** The newest checkpoint that it has cosigned. */
      cosigned: record({ size: z.number(), at: z.date() }).nullable(),
    }),
  ),
  /** Whether the served checkpoint has as many cosignatures as the policy asks for; null: there is no policy. */
  quorum: z.boolean().nullable(),
  /** The role that the server has in the database. */
  role: z.string(),
  /** Tables of the log that this role could change; none: database roles protect the log. */
  changeable: list(z.string()),
  /** The last self-audit; null: there was none yet. */
  selfAudit: record({
    at: z.date(),
    /** Whether it found nothing. */
    ok: z.boolean(),
    events: z.number(),
    faults: z.number(),
    /** Of these, those that nobody has acknowledged. */
    open: z.number(),
    /** Some of the faults. */
    first: list(z.string()),
  }).nullable(),
});
export type AuditState = z.infer<typeof auditState>;

const words = (max: number) => z.string().trim().min(1).max(max);

/** What events are searched by; all that is given must fit. */
const search = {
  targetId: z.string().min(1).max(128).optional(),
  /** An id, or the name of a host, an instance or a site in full. */
  target: words(128).optional(),
  /** Name or id: events of the site, its hosts, and the instances on them. */
  site: words(128).optional(),
  /** A name in full, or an id. */
  actor: words(128).optional(),
  /** `host.release`, or all that begin so: `host.`. */
  action: words(64).optional(),
  outcome: z.enum(auditOutcomes).optional(),
  /** Part of any text of the event, its facts included. */
  text: words(200).optional(),
};

export const audit = {
  list: read({
    title: "the audit log, newest first: who did what, and what was refused",
    right: "audit.read",
    input: z.strictObject({
      /** One event. */
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
    title: "a proof that an event is in the audit log, which works without the log",
    right: "audit.read",
    input: z.strictObject({ id: z.guid("must be the id of an event") }),
    output: record({
      /** Number of the event. */
      seq: z.number(),
      /** Its canonical JSON, which is hashed. */
      entry: z.string(),
      /** In the form of C2SP tlog-proof. */
      proof: z.string(),
      /** Whether as many witnesses have cosigned as the deployment's policy asks for. */
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
      /** The key that signs until then. */
      before: z.string(),
    }),
  }),
};

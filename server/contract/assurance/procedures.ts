// Manual procedures: which ones exist, on which hosts they are due, and their records (docs/assurance/README.md#procedures).
import { z } from "zod";
import { procedure, procedureName, typedProcedure } from "@/server/domain/assurance/procedures/procedure";
import { standingStatuses } from "@/server/domain/assurance/procedures/standing";
import { decided } from "@/server/contract/assurance/approvals";
import {
  act,
  hostId,
  list,
  moment,
  nothing,
  paging,
  read,
  reason,
  record,
  sha256Digest,
  siteId,
  state,
} from "@/server/contract/define";

const shown = /^[^\p{Cc}\p{Cs}]*$/u;
const text = (most: number) => z.string().trim().max(most).regex(shown, "must not have control characters");

const answer = record({ text: z.string(), value: z.union([z.boolean(), z.string()]) });
const file = record({ sha256: z.string(), name: z.string(), bytes: z.number(), shows: z.string() });

export const recordLine = record({
  id: z.string(),
  procedure: z.string(),
  version: z.number(),
  title: z.string(),
  host: record({ id: z.string(), name: z.string() }),
  serial: z.string(),
  /** Null if recorded while a repair tenant held the host. */
  reclamationId: z.string().nullable(),
  reason: z.string(),
  operator: z.string(),
  doneFrom: z.date(),
  doneUntil: z.date(),
  place: z.string(),
  answers: list(answer),
  ticket: z.string().nullable(),
  comment: z.string(),
  files: list(file),
  recordedAt: z.date(),
  reusableUntil: z.date().nullable(),
  approvalId: z.string(),
  /** SHA-256 of the whole record; the decision must name it. */
  evidence: z.string(),
  ...decided,
});
export type RecordLine = z.infer<typeof recordLine>;

const standing = record({
  procedure,
  /** Why the procedure applies. */
  reason: z.string(),
  status: z.enum(standingStatuses),
  words: z.string(),
  recordId: z.string().nullable(),
});
export type StandingLine = z.infer<typeof standing>;

const hostAssurance = record({
  host: record({ id: z.string(), name: z.string() }),
  /** Why nothing can be recorded on the host now; null if it can. */
  refusal: z.string().nullable(),
  /** Procedures that apply. */
  standings: list(standing),
  /** Other procedures that may be recorded. */
  others: list(procedure),
  /** The last 50, newest first. */
  records: list(recordLine),
});
export type HostAssurance = z.infer<typeof hostAssurance>;

const dueLine = record({
  host: record({ id: z.string(), name: z.string() }),
  /** Serial number in the host's record. A record of the procedure names the one that was read at the machine. */
  serial: z.string().nullable(),
  site: z.string(),
  place: z.string().nullable(),
  state,
  since: z.date(),
  /** When it will have waited for people too long; null if an alert exempts the host from limits. */
  limitAt: z.date().nullable(),
  overLimit: z.boolean(),
  procedure,
  reason: z.string(),
  status: z.enum(standingStatuses),
  words: z.string(),
});
export type DueLine = z.infer<typeof dueLine>;

/** Paginated by host: a page has all lines of each of its hosts. */
const duePage = record({ items: list(dueLine), nextCursor: z.string().nullable() });
export type DuePage = z.infer<typeof duePage>;

const siteProcedures = record({
  siteId: z.string(),
  site: z.string(),
  policyVersion: z.number(),
  /** The site's policy requires the gate. */
  required: z.boolean(),
  procedures: list(procedure),
});
export type SiteProcedures = z.infer<typeof siteProcedures>;

const procedureVersion = record({
  /** The first version of the site's policy that has the procedure in this form. */
  policyVersion: z.number(),
  at: z.date(),
  byName: z.string().nullable(),
  /** Null if it was removed. */
  procedure: procedure.nullable(),
});
export type ProcedureVersion = z.infer<typeof procedureVersion>;

const procedurePreview = record({
  /** All hosts of the site. */
  hosts: z.number(),
  /** Hosts where it would be due in their current state. */
  due: z.number(),
  ofSkus: z.number(),
  /** Held by these tenants now. */
  ofTenants: z.number(),
  /** Held by a repair tenant now, if that counts. */
  inRepair: z.number(),
  /** With an open reclamation, which keeps the procedures that it started with. */
  inReclamation: z.number(),
});
export type ProcedurePreview = z.infer<typeof procedurePreview>;

export const maxRecords = 100;
const policyVersion = z.int().min(1).optional();
const changed = record({ policyVersion: z.number() });

export const procedures = {
  list: read({
    title: "the procedures of each site, with their versions and when they are due",
    right: "assurance.read",
    input: nothing,
    output: list(siteProcedures),
  }),
  save: act({
    title: "adds a procedure to a site's policy, or changes one: its version rises",
    right: "site.apply",
    action: "procedure.save",
    input: z.strictObject({
      siteId,
      procedure: typedProcedure.omit({ version: true }),
      /** The version that the person saw. */
      policyVersion,
      reason,
    }),
    output: changed,
  }),
  remove: act({
    title: "takes a procedure out of a site's policy; its records stay",
    right: "site.apply",
    action: "procedure.remove",
    input: z.strictObject({ siteId, name: procedureName, policyVersion, reason }),
    output: changed,
  }),
  history: read({
    title: "the versions of one procedure of a site, the newest first: its text, since when, by whom",
    right: "assurance.read",
    input: z.strictObject({ siteId, name: procedureName }),
    output: list(procedureVersion),
  }),
  preview: read({
    title: "on how many hosts of a site a procedure would be due as they are now",
    right: "assurance.read",
    input: z.strictObject({ siteId, when: typedProcedure.shape.when }),
    output: procedurePreview,
  }),
  due: read({
    title: "the hosts that wait for a procedure or for its sign-off, the longest first",
    right: "assurance.read",
    input: z.strictObject({
      /** Only those that are over the limit of 24 hours. */
      overLimit: z.literal(true).optional(),
      ...paging(500, 200),
    }),
    output: duePage,
  }),
  ofHost: read({
    title: "the procedures of one host: which apply, how far each is, and the records",
    right: "assurance.readHost",
    input: z.strictObject({ hostId }),
    output: hostAssurance,
  }),
  get: read({
    title: "one record of a procedure, with everything that is signed off",
    right: "assurance.read",
    input: z.strictObject({ recordId: z.guid("must be the id of a record") }),
    output: recordLine,
  }),
  record: act({
    title: "records that a procedure was carried out, on one host or several: one record each, all or none",
    right: "assurance.record",
    action: "procedure.record",
    input: z.strictObject({
      /** Each with the serial number that was read at the machine. */
      hosts: z
        .array(z.strictObject({ hostId, serial: text(128).min(1) }))
        .min(1)
        .max(maxRecords),
      procedure: procedureName,
      version: z.int().min(1),
      doneFrom: moment,
      doneUntil: moment,
      place: text(200).default(""),
      answers: z.array(z.union([z.boolean(), text(500)])).max(40),
      ticket: text(128).min(1).nullable().default(null),
      comment: text(2000).default(""),
      files: z
        .array(z.strictObject({ sha256: sha256Digest, shows: z.enum(["photo", "log", "other"]) }))
        .max(20)
        .default([]),
    }),
    output: record({ records: list(record({ id: z.string(), hostId: z.string() })) }),
  }),
};

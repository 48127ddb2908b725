// The proof desk: what was returned, how it stands, and what is on record of it (docs/assurance/proof.md).
import { z } from "zod";
import { list, paging, read, record } from "@/server/contract/define";
import { standings } from "@/server/domain/assurance/standing";
import { monthForm } from "@/server/domain/assurance/proof/month";
import { verdicts } from "@/server/domain/assurance/proof/check-result";
import { returnKinds } from "@/server/domain/assurance/proof/kinds";
import { pointTones } from "@/server/domain/assurance/proof/points";
import { timelineKinds, timelineSubjects } from "@/server/domain/assurance/proof/timeline";

const standing = z.enum(standings);

/** What the search, the tally, the index and the pack select by. All conditions must hold. */
export const proofSelection = {
  /** Serial number of a drive or host, name of a host, an instance or a tenant, or the number or id of a certificate or reclamation. Empty: all. */
  text: z.string().trim().max(200).default(""),
  /** The tenant's organization, name or id. */
  tenant: z.string().trim().min(1).max(128).optional(),
  /** The month in UTC in which it was returned. */
  month: z.string().regex(monthForm, "must be a month, such as 2026-10").optional(),
  /** By name. */
  site: z.string().trim().min(1).max(128).optional(),
  /** By name. */
  sku: z.string().trim().min(1).max(128).optional(),
  standing: standing.optional(),
  /** Why it began. */
  kind: z.enum(returnKinds).optional(),
  /** Whether something rests on an exception. */
  exception: z.boolean().optional(),
};

const named = record({ id: z.string(), name: z.string() });

const signedFile = record({
  id: z.string(),
  /** `C-` and the number of its entry in the audit log; null: not in the log yet. */
  number: z.string().nullable(),
  /** Null for the few seconds until it is signed: no file yet. */
  signedAt: z.date().nullable(),
});

export const returnLine = record({
  /** Of the reclamation; of a release that began none, of the instance. */
  id: z.string(),
  reclamation: named.nullable(),
  kind: z.string(),
  /** When the return began. */
  at: z.date(),
  endedAt: z.date().nullable(),
  /** `name` is null for a tenant. */
  host: record({ id: z.string(), name: z.string().nullable(), serial: z.string().nullable() }),
  site: z.string().nullable(),
  sku: z.string().nullable(),
  tenant: record({ id: z.string(), name: z.string(), org: z.string() }).nullable(),
  instance: named.nullable(),
  standing,
  /** What the standing rests on, in a few words. */
  says: z.string(),
  counts: record({ erased: z.number(), expected: z.number() }),
  /** Of a tenant: its receipt. Null: none yet. */
  file: signedFile.nullable(),
});
export type ReturnLine = z.infer<typeof returnLine>;

export const tally = record({
  returns: z.number(),
  ...{ proven: z.number(), provenWithExceptions: z.number(), notSanitized: z.number() },
  ...{ notProven: z.number(), notChecked: z.number() },
});
export type Tally = z.infer<typeof tally>;

const person = record({ name: z.string(), at: z.date() });

const returnException = record({
  gate: z.string(),
  /** What the gate requires. */
  meaning: z.string(),
  /** The drive that it is for; null: the gate as a whole. */
  serial: z.string().nullable(),
  /** Reason, measure, risk and people are the provider's: null for a tenant. */
  reason: z.string().nullable(),
  ...{ measure: z.string().nullable(), risk: z.string().nullable() },
  ...{ askedBy: person.nullable(), approvedBy: person.nullable() },
  decidedAt: z.date().nullable(),
  until: z.date().nullable(),
});
export type ReturnException = z.infer<typeof returnException>;

const returnDrive = record({
  /** For its timeline; null: for a tenant, or no drive is on record by it. */
  id: z.string().nullable(),
  serial: z.string(),
  model: z.string(),
  slot: z.string().nullable(),
  /** `erased` is verified. `stated`: a person stated what became of it. */
  result: z.enum(["erased", "stated", "missing", "notErased"]),
  technique: z.string().nullable(),
  /** `clear` or `purge`, by that standard. */
  level: z.string().nullable(),
  standard: z.string().nullable(),
  /** What reading it back found. */
  readBack: z.string().nullable(),
  at: z.date().nullable(),
});
export type ReturnDrive = z.infer<typeof returnDrive>;

const point = record({ tone: z.enum(pointTones), words: z.string() });

export const proofReturn = record({
  ...returnLine.unwrap().shape,
  rack: z.string().nullable(),
  /** What was proven and what was not, in sentences. */
  points: list(point),
  exceptions: list(returnException),
  drives: list(returnDrive),
  /** A later reclamation that cleared what this one left open. */
  settledBy: named.nullable(),
});
export type ProofReturn = z.infer<typeof proofReturn>;

const timelineEntry = record({
  id: z.string(),
  at: z.date(),
  kind: z.enum(timelineKinds),
  words: z.string(),
  /** Who did it; null: the system, or a tenant asks about the provider's people. */
  who: z.string().nullable(),
  /** The host, where the timeline is not of one. */
  host: z.string().nullable(),
});
export type TimelineEntry = z.infer<typeof timelineEntry>;

/** The answer of `POST /api/proof/check`. */
export const checkedFile = record({
  kind: z.enum(["certificate", "pdf", "pack"]),
  verdict: z.enum(verdicts),
  /** With which `reclaim verify` would end. */
  exit: z.number(),
  says: z.string(),
  lines: list(z.string()),
  faults: list(record({ what: z.string(), why: z.string() })),
});
export type CheckedFile = z.infer<typeof checkedFile>;

/** A larger pack is checked with `reclaim verify`. */
export const maxCheckedBytes = 64 * 1024 * 1024;

export const proof = {
  search: read({
    title:
      "returns by drive, host, instance, tenant, month or standing, the newest first, with what was proven of them",
    right: "certificate.read",
    input: z.strictObject({ ...proofSelection, ...paging(200, 50) }),
    output: record({
      rows: list(returnLine),
      nextCursor: z.string().nullable(),
      /** Of everything selected; only with the first page. */
      tally: tally.nullable(),
    }),
  }),
  files: read({
    title: "how many signed files a selection of returns has, and how large they are",
    right: "certificate.read",
    input: z.strictObject(proofSelection),
    output: record({
      certificates: z.number(),
      /** As JSON. */
      bytes: z.number(),
    }),
  }),
  get: read({
    title:
      "one return: what was proven, its exceptions and who approved them, its drives, and its signed file",
    right: "certificate.read",
    /** Of a reclamation, an instance or a certificate, or a number such as R-42 or C-48213. */
    input: z.strictObject({ id: z.string().trim().min(1).max(64) }),
    output: proofReturn,
  }),
  timeline: read({
    title: "everything on record of a return, host, drive or tenant, the newest first",
    right: "certificate.read",
    input: z.strictObject({
      of: z.enum(timelineSubjects),
      id: z.guid("must be the id of a reclamation, instance, host, drive or tenant"),
      ...paging(200, 50),
    }),
    output: record({ rows: list(timelineEntry), nextCursor: z.string().nullable() }),
  }),
};

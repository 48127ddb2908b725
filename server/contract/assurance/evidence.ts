// Evidence files: who uploaded them, which records rest on them, and legal hold. File contents go over /api/evidence
// (docs/assurance/certificates.md#evidence-files).
import { z } from "zod";
import { act, list, paging, read, reason, record, sha256Digest } from "@/server/contract/define";
import { evidenceTypes, maxEvidenceBytes } from "@/server/domain/assurance/evidence/file-type";

const types = Object.keys(evidenceTypes);

const evidenceFile = record({
  sha256: z.string(),
  name: z.string(),
  /** Detected from the content. */
  type: z.string().meta({ examples: types }),
  bytes: z.number().max(maxEvidenceBytes),
  /** The tenant that owns it; null for the provider. */
  tenant: z.string().nullable(),
  uploadedBy: z.string(),
  uploadedAt: z.date(),
  /** Since when a record has rested on it; null if none does, and then the file is deleted after a week. */
  keptAt: z.date().nullable(),
  /** Legal hold; null if there is none, and always for tenants. */
  hold: record({ at: z.date(), by: z.string(), reason: z.string() }).nullable(),
});
export type EvidenceFileLine = z.infer<typeof evidenceFile>;

/** Response to an upload. */
export const evidenceReceipt = record({
  sha256: z.string(),
  name: z.string(),
  type: z.string(),
  bytes: z.number(),
});
export type EvidenceReceipt = z.infer<typeof evidenceReceipt>;

export const evidence = {
  list: read({
    title: "files of evidence, the newest first",
    right: "evidence.read",
    input: z.strictObject({ sha256: sha256Digest.optional(), ...paging(500, 100) }),
    output: record({ rows: list(evidenceFile), nextCursor: z.string().nullable() }),
  }),
  hold: act({
    title: "puts a file under legal hold: nothing removes it until the hold ends",
    right: "evidence.hold",
    action: "evidence.hold",
    input: z.strictObject({ sha256: sha256Digest, reason }),
    output: record({ sha256: z.string() }),
  }),
  endHold: act({
    title: "ends a legal hold",
    right: "evidence.hold",
    action: "evidence.endHold",
    input: z.strictObject({ sha256: sha256Digest, reason }),
    output: record({ sha256: z.string() }),
  }),
};

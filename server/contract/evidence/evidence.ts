// Files of evidence: who brought them, what rests on them, and legal hold. Their bytes go over /api/evidence (docs/assurance/certificates.md#evidence-files).
import { z } from "zod";
import { act, list, paging, read, reason, record, sha256Digest } from "@/server/contract/define";
import { evidenceTypes, mostEvidenceBytes } from "@/server/domain/evidence/file-type";

const types = Object.keys(evidenceTypes);

const evidenceFile = record({
  sha256: z.string(),
  name: z.string(),
  /** By its content. */
  type: z.string().meta({ examples: types }),
  bytes: z.number().max(mostEvidenceBytes),
  /** Whose; null: the provider's. */
  tenant: z.string().nullable(),
  uploadedBy: z.string(),
  uploadedAt: z.date(),
  /** Since when a record rests on it; null: none does, and it goes after a week. */
  keptAt: z.date().nullable(),
  /** Legal hold; null: none, and always for tenants. */
  hold: record({ at: z.date(), by: z.string(), reason: z.string() }).nullable(),
});
export type EvidenceFileLine = z.infer<typeof evidenceFile>;

/** What an upload answers. */
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
    title: "legal hold: nothing removes the file until that ends",
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

// Certificates: what was stated of reclamations, and their bundles (docs/assurance/certificates.md).
import { z } from "zod";
import { list, paging, read, record } from "@/server/contract/define";

/** As many as a selection may have: its ids are in an address. */
export const maxSelected = 200;

const certificateLine = record({
  id: z.string(),
  /** `certificate`; `receipt`: what a tenant is given of one. */
  kind: z.string(),
  /** `certificate`, `withExceptions`, `nonConformance`, `demo`; `receipt`, `receiptWithExceptions`. */
  type: z.string(),
  hostId: z.string(),
  /** Of a host that is still there, for the provider's people; null otherwise. */
  host: z.string().nullable(),
  reclamationId: z.string(),
  instanceId: z.string().nullable(),
  sha256: z.string(),
  madeAt: z.date(),
  /** Null: not yet; that takes seconds. */
  signedAt: z.date().nullable(),
});
export type CertificateLine = z.infer<typeof certificateLine>;

export const certificates = {
  list: read({
    title: "certificates and records of non-conformance, the newest first; of a tenant its receipts",
    right: "certificate.read",
    input: z.strictObject({
      hostId: z.guid("must be the id of a host").optional(),
      reclamationId: z.guid("must be the id of a reclamation").optional(),
      instanceId: z.guid("must be the id of an instance").optional(),
      ...paging(500, 100),
    }),
    output: record({ rows: list(certificateLine), nextCursor: z.string().nullable() }),
  }),
  get: read({
    title: "the bundle of a certificate: all that is needed to check it",
    right: "certificate.read",
    input: z.strictObject({
      id: z.guid("must be the id of a certificate"),
      /** Of a checkpoint that one kept: the bundle proves that the log still begins with it. */
      keptSize: z.int().min(0).optional(),
    }),
    output: record({
      /** The file, as text. */
      bundle: z.string(),
    }),
  }),
};

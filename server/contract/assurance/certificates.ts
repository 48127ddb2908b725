// Certificates: signed statements about reclamations, and their bundles (docs/assurance/certificates.md).
import { z } from "zod";
import { list, moment, paging, read, record } from "@/server/contract/define";
import { standings } from "@/server/domain/assurance/standing";

/** Maximum size of a selection, whose ids are in a URL. */
export const maxSelected = 200;

const named = z.string().trim().min(1).max(128);

/** Search criteria; all that are given must match. Names of hosts, tenants, sites and SKUs are for the provider's people: a tenant finds nothing by them. */
export const certificateSearch = {
  /** Name, id or serial number; also of a host that has left. */
  host: named.optional(),
  /** Name or organisation. */
  tenant: named.optional(),
  site: named.optional(),
  sku: named.optional(),
  /** Name or id of an instance. */
  instance: named.optional(),
  /** What the reclamation proved. */
  standing: z.enum(standings).optional(),
  /** When it was made. */
  since: moment.optional(),
  until: moment.optional(),
};

const certificateLine = record({
  id: z.string(),
  /** `certificate`, or `receipt`: what a tenant gets of one. */
  kind: z.string(),
  /** `certificate`, `withExceptions`, `nonConformance`, `demo`; `receipt`, `receiptWithExceptions`. */
  type: z.string(),
  hostId: z.string(),
  /** Name of a host that still exists, for the provider's people; null otherwise. */
  host: z.string().nullable(),
  reclamationId: z.string(),
  instanceId: z.string().nullable(),
  /** Name of the instance; null if there was none. */
  instance: z.string().nullable(),
  /** Name of the tenant whose instance it was, for the provider's people; null otherwise. */
  tenant: z.string().nullable(),
  /** Number of the reclamation, such as R-42, for the provider's people; null otherwise. */
  number: z.string().nullable(),
  /** What the reclamation proved; null: its record is gone. */
  standing: z.enum(standings).nullable(),
  sha256: z.string(),
  madeAt: z.date(),
  /** Null for the few seconds until it is signed. */
  signedAt: z.date().nullable(),
});
export type CertificateLine = z.infer<typeof certificateLine>;

export const certificates = {
  list: read({
    title: "certificates and records of non-conformance, newest first; a tenant sees its receipts",
    right: "certificate.read",
    input: z.strictObject({
      hostId: z.guid("must be the id of a host").optional(),
      reclamationId: z.guid("must be the id of a reclamation").optional(),
      instanceId: z.guid("must be the id of an instance").optional(),
      ...certificateSearch,
      ...paging(500, 100),
    }),
    output: record({ rows: list(certificateLine), nextCursor: z.string().nullable() }),
  }),
  get: read({
    title: "the bundle of a certificate: all that is needed to check it",
    right: "certificate.read",
    input: z.strictObject({
      id: z.guid("must be the id of a certificate"),
      /** Size of a checkpoint that the caller kept: the bundle then proves that the log still begins with it. */
      keptSize: z.int().min(0).optional(),
    }),
    output: record({
      /** The file, as text. */
      bundle: z.string(),
    }),
  }),
};

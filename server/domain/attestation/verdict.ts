// What is stored of a host's TPM besides its keys. Also loaded in browsers, so the code that needs X.509 is in `endorsement-certificate.ts`.
import { z } from "zod";

/** How an endorsement key came to count as the host's. */
export const acceptances = ["certificate", "firstContact", "operator"] as const;
export type Acceptance = (typeof acceptances)[number];

/** Why nothing was proven: no TPM, a TPM or program that answered something else, keys that the server refused. */
export const identityProblems = ["noTpm", "failed", "refused"] as const;
export type IdentityProblem = (typeof identityProblems)[number];

/** What was found of a certificate, as it is stored. */
export const certificateVerdict = z.object({
  /** What it says of the TPM; null: it does not. */
  make: z.object({
    manufacturer: z.string().nullable(),
    model: z.string().nullable(),
    version: z.string().nullable(),
  }),
  /** The subject of the authority that vouches for the key; null: none does. */
  authority: z.string().nullable(),
  /** Why none does, in words. */
  faults: z.array(z.string()),
});
export type CertificateVerdict = z.infer<typeof certificateVerdict>;

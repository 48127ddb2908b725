// The identity of a host's TPM (docs/attestation.md).
import { z } from "zod";
import { acceptances, certificateVerdict } from "@/server/domain/attestation/verdict";
import { attestationMode } from "@/server/domain/attestation/modes";
import { tpmCauses, tpmStates } from "@/server/domain/attestation/standing";
import { act, hostId, read, reason, record, sha256Digest } from "@/server/contract/define";

const hostAttestationView = record({
  /** What the site asks for. */
  mode: attestationMode,
  state: z.enum(tpmStates),
  /** What is wrong; null: nothing. */
  cause: z.enum(tpmCauses).nullable(),
  words: z.string(),
  /** The boot that told the rest, and when; null: none has. */
  bootEpoch: z.number().nullable(),
  toldAt: z.date().nullable(),
  /** The key that was shown in that boot; null: none was. */
  key: record({
    digest: sha256Digest,
    /** What was found of its certificate in that boot; null: there is none. */
    certificate: record(certificateVerdict.shape).nullable(),
    /** When the TPM proved to hold it; null: it has not. */
    activatedAt: z.date().nullable(),
  }).nullable(),
  /** The key that counts as the host's; null: none does yet. */
  accepted: record({
    digest: sha256Digest,
    as: z.enum(acceptances),
    at: z.date(),
    bootEpoch: z.number(),
    /** Null: nobody had to accept it. */
    by: z.string().nullable(),
    /** When the TPM proved it last, and in which boot. */
    provenAt: z.date().nullable(),
    provenEpoch: z.number().nullable(),
  }).nullable(),
});
export type HostAttestationView = z.infer<typeof hostAttestationView>;

export const attestation = {
  ofHost: read({
    title: "the identity of a host's TPM: its endorsement key, who vouches for it, and when it was proven",
    right: "host.read",
    input: z.strictObject({ hostId }),
    output: hostAttestationView,
  }),
  acceptKey: act({
    title: "accepts the endorsement key of a host's TPM in place of the one that counted",
    right: "host.dispose",
    action: "host.acceptEndorsementKey",
    /** `digest`: of the key that the person saw. */
    input: z.strictObject({ hostId, digest: sha256Digest, reason }),
    output: record({ digest: sha256Digest }),
  }),
};

// The identity of a host's TPM: what a host shows is judged here, and the credential is made that its TPM has to open (docs/adr/0147-tpm-identity.md).
import { createHash } from "node:crypto";
import { judgeCertificate } from "@/server/domain/attestation/endorsement-certificate";
import type { IdentityBody } from "@/server/domain/attestation/protocol";
import type { CertificateVerdict } from "@/server/domain/attestation/verdict";
import { makeCredential, type Credential } from "@/server/domain/attestation/tpm/credential";
import {
  keyDigest,
  nameOf,
  readAttestationKey,
  readEndorsementKey,
} from "@/server/domain/attestation/tpm/public-area";

/** Keys that were shown and may be activated. */
export interface OfferedIdentity {
  readonly endorsementKey: Buffer;
  readonly keyDigest: string;
  readonly certificate: Buffer | null;
  readonly verdict: CertificateVerdict | null;
  readonly attestationKey: Buffer;
  readonly credential: Credential;
  readonly secretHash: Buffer;
}

const secretBytes = 32;
/** SHA-256 of a credential's secret: the secret itself is not stored. Pure. */
export const secretHash = (secret: Uint8Array): Buffer => createHash("sha256").update(secret).digest();

/**
 * Makes the credential for keys that a host shows. Throws TpmFault if one of them is not what it should be.
 *
 * @param authorities PEM of the site's authorities for TPMs; empty: it has none
 */
export function offerCredential(
  shown: Extract<IdentityBody, { kind: "keys" }>,
  authorities: string,
  nowMs: number,
  random: (count: number) => Uint8Array,
): OfferedIdentity {
  const endorsementKey = Buffer.from(shown.endorsementKey, "base64");
  const attestationKey = Buffer.from(shown.attestationKey, "base64");
  const certificate = shown.certificate === null ? null : Buffer.from(shown.certificate, "base64");
  const endorsement = readEndorsementKey(endorsementKey);
  const secret = random(secretBytes);
  return {
    endorsementKey,
    keyDigest: keyDigest(endorsement.key),
    certificate,
    verdict: certificate === null ? null : judgeCertificate(certificate, endorsement.key, authorities, nowMs),
    attestationKey,
    credential: makeCredential(endorsement, nameOf(readAttestationKey(attestationKey)), secret, random),
    secretHash: secretHash(secret),
  };
}

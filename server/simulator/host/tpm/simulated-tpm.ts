// The TPM of a simulated host: a fixed endorsement key, attestation keys of one boot, and credentials that only it can open.
import { createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { activateCredential } from "@/server/domain/attestation/tpm/credential";
import { nameOf, readEndorsementKey, readPublicArea } from "@/server/domain/attestation/tpm/public-area";
import { TpmFault } from "@/server/domain/attestation/tpm/reader";
import { certificateDer, endorsementPlan, keyFrom } from "@/server/simulator/host/tpm/certificates";
import { attestationArea, endorsementArea } from "@/server/simulator/host/tpm/public-areas";
import type { SealedCredential } from "@/agent/tools/tools";

/** Of 256: how many of the TPMs have no certificate, like some that are part of a processor. */
const withoutCertificate = 32;

export class SimulatedTpm {
  readonly #key: KeyObject;
  readonly #area: Buffer;
  #certificate: Buffer | null = null;
  #attestation: Buffer | null = null;

  /** @param text two TPMs of the same text are the same one */
  constructor(text: string) {
    this.#key = keyFrom(`reclaim: the TPM of ${text}`);
    this.#area = endorsementArea(createPublicKey(this.#key));
  }

  /** DER; null: its maker stored none. */
  certificate(): Buffer | null {
    const { key } = readEndorsementKey(this.#area);
    if ((this.#area.at(-1) ?? 0) < withoutCertificate) return null;
    this.#certificate ??= certificateDer(endorsementPlan(key));
    return this.#certificate;
  }

  /** The attestation key of an earlier call is gone. */
  makeKeys(): { readonly endorsementKey: Buffer; readonly attestationKey: Buffer } {
    this.#attestation = attestationArea(generateKeyPairSync("ec", { namedCurve: "prime256v1" }).publicKey);
    return { endorsementKey: this.#area, attestationKey: this.#attestation };
  }

  /** Null: the credential is for another TPM, or another attestation key. */
  activate({ blob, secret }: SealedCredential): Buffer | null {
    if (this.#attestation === null) return null;
    const name = nameOf(readPublicArea(this.#attestation, "the attestation key"));
    try {
      const sealed = { blob: Buffer.from(blob), secret: Buffer.from(secret) };
      return activateCredential(readEndorsementKey(this.#area), this.#key, name, sealed);
    } catch (error) {
      if (error instanceof TpmFault) return null;
      throw error;
    }
  }
}

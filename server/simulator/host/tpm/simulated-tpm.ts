// The TPM of a simulated host: a fixed endorsement key, attestation keys of one boot, credentials that only it can open, and quotes.
import { createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { activateCredential } from "@/server/domain/attestation/tpm/credential";
import { nameOf, readEndorsementKey, readPublicArea } from "@/server/domain/attestation/tpm/public-area";
import { TpmFault } from "@/server/domain/attestation/tpm/reader";
import { certificateDer, endorsementPlan, keyFrom } from "@/server/simulator/host/tpm/certificates";
import { attestationArea, endorsementArea } from "@/server/simulator/host/tpm/public-areas";
import { makeQuote, qualifiedName, type Clock } from "@/server/simulator/host/tpm/quote";
import type { Quote, SealedCredential } from "@/agent/tools/tools";

/** Of 256: how many of the TPMs have no certificate, like some that are part of a processor. */
const withoutCertificate = 32;

export class SimulatedTpm {
  readonly #key: KeyObject;
  readonly #area: Buffer;
  #certificate: Buffer | null = null;
  #attestation: { readonly area: Buffer; readonly key: KeyObject } | null = null;

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
    const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
    const area = attestationArea(publicKey);
    this.#attestation = { area, key: privateKey };
    return { endorsementKey: this.#area, attestationKey: area };
  }

  /** Null: there is no attestation key. `registers`: the values of all 24. */
  quote(
    nonce: Uint8Array,
    pcrs: readonly number[],
    registers: readonly Buffer[],
    clock: Clock,
  ): Quote | null {
    if (this.#attestation === null) return null;
    const { area, key } = this.#attestation;
    const names = [
      nameOf(readEndorsementKey(this.#area)),
      nameOf(readPublicArea(area, "the attestation key")),
    ] as const;
    return makeQuote({ signer: qualifiedName(...names), key, nonce, pcrs, registers, clock });
  }

  /** Null: the credential is for another TPM, or another attestation key. */
  activate({ blob, secret }: SealedCredential): Buffer | null {
    if (this.#attestation === null) return null;
    const name = nameOf(readPublicArea(this.#attestation.area, "the attestation key"));
    try {
      const sealed = { blob: Buffer.from(blob), secret: Buffer.from(secret) };
      return activateCredential(readEndorsementKey(this.#area), this.#key, name, sealed);
    } catch (error) {
      if (error instanceof TpmFault) return null;
      throw error;
    }
  }
}

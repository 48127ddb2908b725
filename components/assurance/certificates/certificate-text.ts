// The verdict on a certificate, in words.
import { typeText } from "@/server/domain/assurance/certificates/type-text";
import type { VerifiedCertificate } from "@/server/domain/assurance/certificates/verify";
import type { Tone } from "@/components/ui/tone";

export interface CertificateVerdict {
  readonly tone: Tone;
  readonly words: string;
}

/** Good requires that it verifies, is signed by a trusted key, and is a plain certificate or a receipt. */
export function verdictOf({ faults, statement, type, signer }: VerifiedCertificate): CertificateVerdict {
  if (faults.length > 0 || statement === null || type === null)
    return {
      tone: "failed",
      words: `It does not verify: ${[...new Set(faults.map(({ what }) => what))].join(", ")}.`,
    };
  if (signer === null)
    return {
      tone: "attention",
      words: `${typeText[type]} It is consistent, but the signer is unknown: enter a key that you trust.`,
    };
  return {
    tone: type === "certificate" || type === "receipt" ? "good" : "attention",
    words: `${typeText[type]} Signed by ${signer.name}, key ${signer.id}.`,
  };
}

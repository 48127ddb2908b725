// Labels of the statement types, for the command and the console.
import type { VerifiedCertificate } from "@/server/domain/assurance/certificates/verify";

export const typeText = {
  certificate:
    "A certificate: every gate that applies is satisfied, and every drive that was expected is erased and verified.",
  withExceptions:
    "A certificate with exceptions: something was let through or left out on purpose. Its exceptions and gates say what.",
  notSanitized:
    "Not sanitized: the host became Ready although a drive has no verified erase, or its cleaning was left out. Its gates say why.",
  nonConformance: "A record of non-conformance: the reclamation did not end in Ready.",
  demo: "From a demo site: it certifies nothing.",
  receipt: "A tenant's receipt of a certificate.",
  receiptWithExceptions:
    "A tenant's receipt of a certificate with exceptions: something was let through on purpose. Its gates and drives say what.",
  receiptNotSanitized:
    "A tenant's receipt that proves no erase: a drive has no verified erase, or the cleaning was left out. Its gates and drives say what.",
} as const satisfies Record<NonNullable<VerifiedCertificate["type"]>, string>;

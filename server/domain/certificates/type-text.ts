// Labels of the statement types, for the command and the console.
import type { VerifiedCertificate } from "@/server/domain/certificates/verify";

export const typeText = {
  certificate:
    "A certificate: every gate of the reclamation passed, and every drive that was expected is accounted for.",
  withExceptions:
    "A certificate with exceptions: something was let through on purpose. They are listed first in it.",
  nonConformance: "A record of non-conformance: the reclamation did not end in Ready.",
  demo: "Of a demo site, where gates that are not built hold no host back: it certifies nothing.",
  receipt: "A tenant's receipt of a certificate.",
  receiptWithExceptions:
    "A tenant's receipt of a certificate with exceptions: something was let through on purpose. Its gates and drives say what.",
} as const satisfies Record<NonNullable<VerifiedCertificate["type"]>, string>;

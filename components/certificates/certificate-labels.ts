// What a certificate is called, and its mark.
import type { Tone } from "@/components/ui/tone";
import type { CertificateType } from "@/server/domain/certificates/statement";

type Named = CertificateType | "receipt";

const labels: Readonly<Record<Named, { readonly words: string; readonly tone: Tone }>> = {
  certificate: { words: "Certificate", tone: "good" },
  withExceptions: { words: "With exceptions", tone: "attention" },
  nonConformance: { words: "Non-conformance", tone: "failed" },
  demo: { words: "Demo, certifies nothing", tone: "neutral" },
  receipt: { words: "Receipt", tone: "good" },
};

const isNamed = (type: string): type is Named => Object.hasOwn(labels, type);

/** Another release may know more types. */
export const typeLabel = (type: string): { readonly words: string; readonly tone: Tone } =>
  isNamed(type) ? labels[type] : { words: type, tone: "neutral" };

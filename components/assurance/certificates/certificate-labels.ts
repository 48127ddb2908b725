// Labels and marks for certificates.
import type { Tone } from "@/components/ui/tone";
import type { StatedType } from "@/server/domain/assurance/certificates/statement";

const labels: Readonly<Record<StatedType, { readonly words: string; readonly tone: Tone }>> = {
  certificate: { words: "Certificate", tone: "good" },
  withExceptions: { words: "With exceptions", tone: "attention" },
  notSanitized: { words: "Not sanitized", tone: "failed" },
  nonConformance: { words: "Non-conformance", tone: "failed" },
  demo: { words: "Demo, certifies nothing", tone: "neutral" },
  receipt: { words: "Receipt", tone: "good" },
  receiptWithExceptions: { words: "Receipt, with exceptions", tone: "attention" },
  receiptNotSanitized: { words: "Receipt, not sanitized", tone: "failed" },
};

const demoReceipt = { words: "Demo receipt, certifies nothing", tone: "neutral" } as const;

const isNamed = (type: string): type is StatedType => Object.hasOwn(labels, type);

/** Unknown types may come from another release. A demo receipt has the same type as its certificate, so its kind distinguishes it. */
export const typeLabel = (
  type: string,
  kind = "certificate",
): { readonly words: string; readonly tone: Tone } =>
  isNamed(type)
    ? kind === "receipt" && type === "demo"
      ? demoReceipt
      : labels[type]
    : { words: type, tone: "neutral" };

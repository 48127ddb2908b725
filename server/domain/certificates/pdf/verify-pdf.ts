// Checks the PDF of a certificate: takes the bundle out, makes the PDF of it once more and compares every byte. So whoever changes a word, a page or the
// bundle of a PDF is found, whatever a reader of PDF would make of it. Then the bundle is checked as any other.
import { certificatePdf, pdfForm } from "@/server/domain/certificates/pdf/certificate-pdf";
import type { Policy } from "@/server/domain/audit-log/policy";
import { verifyBundle } from "@/server/domain/certificates/verify";
import type { VerifiedCertificate } from "@/server/domain/certificates/verify";

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");

interface PdfParts {
  readonly bundle: string | null;
  readonly address: string | null;
  readonly producer: string | null;
}

/** What is needed to make the PDF again. It finds what this program wrote, and is no reader of PDF: what it takes for the bundle is compared. */
function partsOf(bytes: Uint8Array): PdfParts {
  const text = latin1(bytes);
  const begin = text.indexOf("/Type /EmbeddedFile");
  const content = begin < 0 ? -1 : text.indexOf("stream\n", begin);
  const length = content < 0 ? null : /\/Length (\d{1,9})/.exec(text.slice(begin, content));
  const from = content + "stream\n".length;
  return {
    bundle:
      length === null ? null : Buffer.from(bytes.subarray(from, from + Number(length[1]))).toString("utf8"),
    address: /<pdf:Keywords>([^<]{1,2000})<\/pdf:Keywords>/.exec(text)?.[1] ?? null,
    producer: /<pdf:Producer>([^<]{1,200})<\/pdf:Producer>/.exec(text)?.[1] ?? null,
  };
}

export interface VerifiedPdf extends VerifiedCertificate {
  /** Where its QR code leads. Nobody signs that. */
  readonly address: string | null;
}

const fault = (why: string) => ({ what: "pdf" as const, why });

async function pageFaults(bytes: Uint8Array, { bundle, address, producer }: PdfParts) {
  if (bundle === null || address === null) return [fault("it has no bundle of a certificate in it")];
  if (producer !== pdfForm)
    return [
      fault(
        `its pages are of the form ${producer ?? "of no name"}, and this program makes ${pdfForm}: they cannot be compared`,
      ),
    ];
  const made = await certificatePdf(bundle, address);
  // safety: certificate: the pages are made of the bundle
  return made !== null && Buffer.from(made).equals(bytes)
    ? []
    : [fault("its pages or its file are not those that its bundle makes")];
}

/** As verifyBundle, for a PDF with a bundle in it. */
export async function verifyPdf(
  bytes: Uint8Array,
  policy: Policy,
  kept: string | null,
): Promise<VerifiedPdf> {
  const parts = partsOf(bytes);
  const pages = await pageFaults(bytes, parts);
  const verified = await verifyBundle(parts.bundle ?? "", policy, kept);
  return {
    ...verified,
    faults: [...pages, ...(parts.bundle === null ? [] : verified.faults)],
    signer: pages.length === 0 ? verified.signer : null,
    address: parts.address,
  };
}

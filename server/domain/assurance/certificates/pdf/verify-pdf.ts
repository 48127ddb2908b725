// Verifies the PDF of a certificate: extracts the bundle, generates the PDF from it again and compares every byte. Any change to a word, a page or the
// bundle is detected, however a PDF reader would display it. Then the bundle is verified like any other.
import { certificatePdf, pdfForm } from "@/server/domain/assurance/certificates/pdf/certificate-pdf";
import type { Policy } from "@/server/domain/audit-log/policy";
import { verifyBundle } from "@/server/domain/assurance/certificates/verify";
import type { VerifiedCertificate } from "@/server/domain/assurance/certificates/verify";

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");

interface PdfParts {
  readonly bundle: string | null;
  readonly address: string | null;
  readonly producer: string | null;
}

/** The inputs for generating the PDF again. This finds what this program wrote and is no PDF parser: the result is compared anyway. */
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
  /** The target of its QR code, which is not signed. */
  readonly address: string | null;
  /** The bundle in it, as text. */
  readonly bundle: string | null;
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

/** Like verifyBundle, for a PDF with an embedded bundle. */
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
    bundle: parts.bundle,
  };
}

// The PDF of a certificate. It is built from the bundle alone, so that everybody gets the same bytes from it (docs/assurance/certificates.md#as-a-pdf).
import { sha256 } from "@/server/domain/audit-log/crypto/sha256";
import { parseProof } from "@/server/domain/audit-log/tlog-proof";
import { bundleMediaType } from "@/server/domain/assurance/certificates/bundle";
import { drawPdf } from "@/server/domain/assurance/certificates/pdf/draw";
import { pagesOf, titleOf } from "@/server/domain/assurance/certificates/pdf/pages";
import type { Page } from "@/server/domain/assurance/certificates/pdf/pages";
import { isWhole } from "@/server/domain/assurance/certificates/statement";
import { openBundle } from "@/server/domain/assurance/certificates/verify";
import type { OpenedBundle } from "@/server/domain/assurance/certificates/verify";
import { routes } from "@/server/domain/console/routes";

/** Raise the number with every change to the bytes of the PDF: text, layout, fonts, libraries. */
export const pdfForm = "Reclaim certificate form 2";

/** Only characters that need no escaping in the file's metadata. */
const plainAddress = /^https?:\/\/[\w.:[\]-]+(?:\/[\w./~-]*)?(?:\?open=[\w-]+)?$/;

/** The console's page for checking a certificate. Null: the address cannot be written into the file. */
export function checkAddress(baseUrl: string, id: string): string | null {
  const address = `${baseUrl.replace(/\/+$/, "")}${routes.reclamations({ open: id })}`;
  return plainAddress.test(address) ? address : null;
}

/** Who signed the pages, taken from the bundle and not from its statement. */
function signed({ bundle, payload }: OpenedBundle): Page["sections"][number] {
  const proof = parseProof(bundle.proof);
  return {
    heading: "Signature",
    fields: [
      ["Form", "electronic: Ed25519 over the statement in the attached bundle"],
      ["Key", bundle.key],
      ["SHA-256 of the statement", Buffer.from(sha256(payload)).toString("hex")],
      [
        "Audit log",
        proof === null
          ? null
          : `event ${proof.index} of ${proof.checkpoint.origin}; size of the log: ${proof.checkpoint.size}`,
      ],
      [
        "Time stamp",
        bundle.timestamp === undefined
          ? null
          : "RFC 3161, in the bundle. Neither this page nor reclaim verify has checked it; openssl ts -verify does",
      ],
    ],
    lines: [],
  };
}

const endOf = ({ statement: said }: OpenedBundle): Date =>
  new Date((isWhole(said) ? said.predicate.reclamation.endedAt : said.predicate.endedAt) ?? 0);

const idOf = ({ statement: said }: OpenedBundle): string =>
  isWhole(said) ? said.predicate.certificate.id : said.predicate.receipt.id;

/**
 * @param text the bundle, which is embedded in the file
 * @param address the target of the QR code, which is not signed
 * Null: not a bundle, or the address cannot be written into the file.
 */
export async function certificatePdf(text: string, address: string): Promise<Uint8Array | null> {
  const opened = openBundle(text);
  if ("what" in opened || !plainAddress.test(address)) return null;
  const [first, ...rest] = pagesOf(opened.statement);
  if (first === undefined) return null;
  return drawPdf({
    title: titleOf(opened.statement),
    at: endOf(opened),
    address,
    producer: pdfForm,
    bundle: { name: `certificate-${idOf(opened)}.json`, type: bundleMediaType, text },
    pages: [{ ...first, sections: [...first.sections, signed(opened)] }, ...rest],
  });
}

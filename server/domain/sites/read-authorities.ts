// Reads certificates from PEM (RFC 7468), or reports all faults with their lines. A bundle is accepted only as a whole (docs/adr/0051-certificates-of-bmcs.md).
import { X509Certificate } from "node:crypto";

export interface AuthorityCertificate {
  readonly subject: string;
  /** SHA-256, 64 lower-case hexadecimal digits. */
  readonly sha256: string;
  /** ISO 8601. */
  readonly validFrom: string;
  readonly validTo: string;
}

export interface PemFault {
  /** Line of the PEM, from 0. */
  readonly line: number;
  readonly message: string;
}

export interface ReadAuthorities {
  readonly certificates: readonly AuthorityCertificate[];
  readonly faults: readonly PemFault[];
}

interface Block {
  readonly label: string;
  readonly line: number;
  readonly body: string[];
}

const base64 = /^[A-Za-z0-9+/]*={0,2}$/;
const boundary = /^-----(BEGIN|END) ([A-Z0-9 ]+)-----$/;

/** Text between blocks is allowed, because `openssl` writes the names of certificates there. */
function blocksOf(pem: string): { readonly blocks: readonly Block[]; readonly faults: readonly PemFault[] } {
  const blocks: Block[] = [];
  const faults: PemFault[] = [];
  const fault = (line: number, message: string) => void faults.push({ line, message });
  let open: Block | null = null;
  for (const [line, whole] of pem.split(/\r?\n/).entries()) {
    const text = whole.trim();
    const [, edge, label = ""] = boundary.exec(text) ?? [];
    if (edge === "BEGIN") {
      if (open !== null) fault(open.line, "this block has no END line");
      open = { label, line, body: [] };
    } else if (edge === "END") {
      if (open === null) fault(line, "this END line has no BEGIN line");
      else if (open.label !== label) fault(line, `must be END ${open.label}`);
      else blocks.push(open);
      open = null;
    } else if (text.startsWith("--")) fault(line, "is no BEGIN or END line of PEM");
    else if (open !== null) {
      if (!base64.test(text)) fault(line, "has characters that are not base64");
      open.body.push(text);
    }
  }
  if (open !== null) fault(open.line, "this block has no END line");
  return { blocks, faults };
}

/** Null for anything that is not an X.509 certificate, or has trailing data. */
function certificateOf({ body }: Block): X509Certificate | null {
  const der = Buffer.from(body.join(""), "base64");
  try {
    const certificate = new X509Certificate(der);
    return certificate.raw.length === der.length ? certificate : null;
  } catch {
    return null;
  }
}

/** A certificate's name on one line: Node puts each part of it on its own, and gives none if it has no part. Pure. */
export const certificateName = (name: string | undefined): string =>
  (name ?? "").replaceAll(/[\p{C}\s]+/gu, " ").trim() || "without a name";

/** Faults do not quote the text, which may contain a private key. Pure. */
export function readAuthorities(pem: string): ReadAuthorities {
  const { blocks, faults: broken } = blocksOf(pem);
  const faults = [...broken];
  const found = new Map<string, AuthorityCertificate>();
  for (const part of blocks) {
    const fault = (message: string) => void faults.push({ line: part.line, message });
    if (part.label.endsWith("PRIVATE KEY"))
      fault("is a private key, and a document is not secret: take it out, and replace the key");
    else if (part.label !== "CERTIFICATE") fault(`must be CERTIFICATE, not ${part.label}`);
    // A damaged line has been reported already.
    else if (part.body.every((line) => base64.test(line))) {
      const certificate = certificateOf(part);
      if (certificate === null) {
        fault("is no X.509 certificate");
        continue;
      }
      const sha256 = certificate.fingerprint256.replaceAll(":", "").toLowerCase();
      const subject = certificateName(certificate.subject);
      // safety: certificate: only an authority vouches for others
      if (!certificate.ca)
        fault(`${subject} is no authority (its basic constraints do not say CA): pin it to its host`);
      else if (found.has(sha256)) fault(`${subject} is in the bundle twice`);
      else
        found.set(sha256, {
          subject,
          sha256,
          validFrom: certificate.validFromDate.toISOString(),
          validTo: certificate.validToDate.toISOString(),
        });
    }
  }
  if (blocks.length === 0 && faults.length === 0)
    faults.push({ line: 0, message: "has no certificate: PEM begins with -----BEGIN CERTIFICATE-----" });
  return { certificates: [...found.values()], faults: faults.sort((a, b) => a.line - b.line) };
}

/** Every certificate of a PEM text, in its order, whoever it is for. What is none is left out. Pure. */
export const everyCertificateIn = (pem: string): readonly X509Certificate[] =>
  blocksOf(pem).blocks.flatMap((block) => certificateOf(block) ?? []);

/** The authorities of a bundle that was read without faults, in its order. Pure. */
export const certificatesIn = (pem: string): readonly X509Certificate[] =>
  everyCertificateIn(pem).filter(({ ca }) => ca);

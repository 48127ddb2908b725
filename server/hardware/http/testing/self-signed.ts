// Makes certificates for TLS tests, so that the repository holds no private key.
import type { KeyObject } from "node:crypto";
import { generateKeyPairSync, randomBytes, sign, X509Certificate } from "node:crypto";
import { isIPv4 } from "node:net";

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: readonly Buffer[]) => der(0x30, ...parts);
const ecdsaWithSha256 = sequence(der(0x06, Buffer.from("2a8648ce3d040302", "hex")));
const time = (date: Date) =>
  der(0x18, Buffer.from(`${date.toISOString().replace(/[-:T]/g, "").slice(0, 14)}Z`));

export interface SelfSigned {
  readonly key: string;
  readonly cert: string;
  /** SHA-256 of the certificate, as Node writes it. */
  readonly fingerprint256: string;
}

const dayMs = 86_400_000;
const oid = (hex: string) => der(0x06, Buffer.from(hex, "hex"));
const nameOf = (commonName: string) =>
  sequence(der(0x31, sequence(oid("550403"), der(0x0c, Buffer.from(commonName)))));

/** The subject of a certificate: an IPv4 address or a DNS name (RFC 5280, 4.2.1.6). */
const subjectName = (name: string): Buffer =>
  isIPv4(name) ? der(0x87, Buffer.from(name.split(".").map(Number))) : der(0x82, Buffer.from(name));

interface CertificateRequest {
  readonly name: string;
  /** Null: self-signed. */
  readonly issuer: { readonly name: string; readonly key: KeyObject } | null;
  readonly authority?: boolean;
  /** Valid for this many days from now; negative: already expired. */
  readonly days?: number;
}

function makeCertificate({ name, issuer, authority = false, days = 1 }: CertificateRequest) {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const now = Date.now();
  const validity = sequence(time(new Date(now + (days - 365) * dayMs)), time(new Date(now + days * dayMs)));
  // An authority is marked as a CA and names no host; a server certificate names its host (RFC 5280, 4.2.1.6 and 4.2.1.9).
  const extension = authority
    ? sequence(
        oid("551d13"),
        der(0x01, Buffer.from([0xff])),
        der(0x04, sequence(der(0x01, Buffer.from([0xff])))),
      )
    : sequence(oid("551d11"), der(0x04, sequence(subjectName(name))));
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    nameOf(issuer?.name ?? name),
    validity,
    nameOf(name),
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(extension)),
  );
  const signature = sign("sha256", body, issuer?.key ?? privateKey);
  const certificate = new X509Certificate(
    sequence(body, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature)),
  );
  return {
    privateKey,
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: certificate.toString(),
    fingerprint256: certificate.fingerprint256,
  };
}

/** A certificate (RFC 5280) for one DNS name or IPv4 address, valid until tomorrow. */
export function selfSigned(name: string): SelfSigned {
  const { key, cert, fingerprint256 } = makeCertificate({ name, issuer: null });
  return { key, cert, fingerprint256 };
}

/** An authority, and certificates that it signs for a DNS name, valid for the given days. */
export function authorityForTests(name: string, days = 365) {
  const { privateKey, cert, key } = makeCertificate({ name, issuer: null, authority: true, days });
  return {
    cert,
    key,
    issue: (dnsName: string, validDays = 1): SelfSigned =>
      makeCertificate({ name: dnsName, issuer: { name, key: privateKey }, days: validDays }),
  };
}

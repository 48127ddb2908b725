// Makes a self-signed certificate for TLS tests, so that no private key lies in the repository.
import { generateKeyPairSync, randomBytes, sign, X509Certificate } from "node:crypto";

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: readonly Buffer[]) => der(0x30, ...parts);
const ecdsaWithSha256 = sequence(der(0x06, Buffer.from("2a8648ce3d040302", "hex")));
const commonName = der(0x06, Buffer.from("550403", "hex"));
const subjectAltName = der(0x06, Buffer.from("551d11", "hex"));
const time = (date: Date) =>
  der(0x18, Buffer.from(`${date.toISOString().replace(/[-:T]/g, "").slice(0, 14)}Z`));

export interface SelfSigned {
  readonly key: string;
  readonly cert: string;
  /** SHA-256 of the certificate, as Node writes it. */
  readonly fingerprint256: string;
}

/** A certificate (RFC 5280) for one DNS name, valid from yesterday until tomorrow. */
export function selfSigned(name: string): SelfSigned {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const subject = sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from(name)))));
  const dayMs = 86_400_000;
  const validity = sequence(time(new Date(Date.now() - dayMs)), time(new Date(Date.now() + dayMs)));
  const extensions = der(
    0xa3,
    sequence(sequence(subjectAltName, der(0x04, sequence(der(0x82, Buffer.from(name)))))),
  );
  const serial = der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)]));
  const version3 = der(0xa0, der(0x02, Buffer.from([2])));
  const body = sequence(
    version3,
    serial,
    ecdsaWithSha256,
    subject,
    validity,
    subject,
    publicKey.export({ type: "spki", format: "der" }),
    extensions,
  );
  const signature = sign("sha256", body, privateKey);
  const whole = sequence(body, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature));
  const certificate = new X509Certificate(whole);
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: certificate.toString(),
    fingerprint256: certificate.fingerprint256,
  };
}

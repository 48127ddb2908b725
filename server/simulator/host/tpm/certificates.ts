// The maker of the simulated TPMs, as a certificate authority (TCG EK Credential Profile for TPM 2.0, 3.2). Its keys are made of texts, so that a fleet that
// starts again has the same TPMs.
import { createHash, createECDH, createPrivateKey, createPublicKey, sign, type KeyObject } from "node:crypto";
import { AsnConvert, OctetString } from "@peculiar/asn1-schema";
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  Extension,
  Extensions,
  GeneralName,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_ce_subjectAltName,
  KeyUsage,
  KeyUsageFlags,
  Name,
  RelativeDistinguishedName,
  SubjectAlternativeName,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from "@peculiar/asn1-x509";

const coordinateBytes = 32;

/** A key of P-256 that is always the same for the same text. */
export function keyFrom(text: string): KeyObject {
  const scalar = createHash("sha256").update(text).digest();
  const curve = createECDH("prime256v1");
  curve.setPrivateKey(scalar);
  const point = curve.getPublicKey();
  const coordinate = (from: number) => point.subarray(from, from + coordinateBytes).toString("base64url");
  return createPrivateKey({
    key: {
      kty: "EC",
      crv: "P-256",
      d: scalar.toString("base64url"),
      x: coordinate(1),
      y: coordinate(1 + coordinateBytes),
    },
    format: "jwk",
  });
}

const ecdsaWithSha256 = "1.2.840.10045.4.3.2";
const commonName = "2.5.4.3";
const endorsementUsage = "2.23.133.8.1";

const named = (...parts: readonly (readonly [type: string, text: string])[]): Name =>
  new Name(
    parts.map(
      ([type, text]) =>
        new RelativeDistinguishedName([
          new AttributeTypeAndValue({ type, value: new AttributeValue({ utf8String: text }) }),
        ]),
    ),
  );

const extension = (extnID: string, critical: boolean, value: unknown): Extension =>
  new Extension({ extnID, critical, extnValue: new OctetString(AsnConvert.serialize(value)) });

/** What a certificate is made of; tests change it. */
export interface CertificatePlan {
  readonly subject: Name;
  readonly key: KeyObject;
  readonly issuer: Name;
  readonly issuerKey: KeyObject;
  readonly from: Date;
  readonly to: Date;
  readonly extensions: readonly Extension[];
}

export function certificateDer({
  subject,
  key,
  issuer,
  issuerKey,
  from,
  to,
  extensions,
}: CertificatePlan): Buffer {
  const spki = key.export({ format: "der", type: "spki" });
  const algorithm = new AlgorithmIdentifier({ algorithm: ecdsaWithSha256 });
  const tbsCertificate = new TBSCertificate({
    version: Version.v3,
    // Positive, and another one for every key.
    serialNumber: Uint8Array.from([1, ...createHash("sha256").update(spki).digest().subarray(0, 15)]).buffer,
    signature: algorithm,
    issuer,
    validity: new Validity({ notBefore: from, notAfter: to }),
    subject,
    subjectPublicKeyInfo: AsnConvert.parse(spki, SubjectPublicKeyInfo),
    extensions: new Extensions([...extensions]),
  });
  const signed = Buffer.from(AsnConvert.serialize(tbsCertificate));
  const signatureValue = Uint8Array.from(sign("sha256", signed, issuerKey)).buffer;
  return Buffer.from(
    AsnConvert.serialize(new Certificate({ tbsCertificate, signatureAlgorithm: algorithm, signatureValue })),
  );
}

const from = new Date("2024-01-01T00:00:00Z");
const to = new Date("2049-12-31T00:00:00Z");

const maker = named([commonName, "Reclaim simulated TPM maker"]);
const makerKey = keyFrom("reclaim: the maker of simulated TPMs");

/** The plan of an authority's certificate, its own or one that another authority issued. */
export const authorityPlan = (
  subject: Name,
  key: KeyObject,
  issuer: Name = subject,
  issuerKey: KeyObject = key,
): CertificatePlan => ({
  subject,
  key: createPublicKey(key),
  issuer,
  issuerKey,
  from,
  to,
  extensions: [
    extension(id_ce_basicConstraints, true, new BasicConstraints({ cA: true })),
    extension(id_ce_keyUsage, true, new KeyUsage(KeyUsageFlags.keyCertSign)),
  ],
});

/** The plan of the maker's own certificate. */
export const makerPlan: CertificatePlan = authorityPlan(maker, makerKey);

/** A name with one part. */
export const commonNamed = (text: string): Name => named([commonName, text]);

/** The plan of the certificate with whose key a component signs what it measured. */
export const signerPlan = (
  subject: Name,
  key: KeyObject,
  issuer: Name,
  issuerKey: KeyObject,
): CertificatePlan => ({
  subject,
  key: createPublicKey(key),
  issuer,
  issuerKey,
  from,
  to,
  extensions: [
    extension(id_ce_basicConstraints, true, new BasicConstraints({ cA: false })),
    extension(id_ce_keyUsage, true, new KeyUsage(KeyUsageFlags.digitalSignature)),
  ],
});

/** The plan of the certificate of an endorsement key: its subject is empty, so that its alternative name must be critical. */
export const endorsementPlan = (key: KeyObject): CertificatePlan => ({
  subject: new Name([]),
  key,
  issuer: maker,
  issuerKey: makerKey,
  from,
  to,
  extensions: [
    extension(id_ce_basicConstraints, true, new BasicConstraints({ cA: false })),
    extension(id_ce_keyUsage, true, new KeyUsage(KeyUsageFlags.keyAgreement)),
    extension(id_ce_extKeyUsage, false, new ExtendedKeyUsage([endorsementUsage])),
    extension(
      id_ce_subjectAltName,
      true,
      new SubjectAlternativeName([
        new GeneralName({
          directoryName: named(
            ["2.23.133.2.1", "id:52454331"],
            ["2.23.133.2.2", "Simulated"],
            ["2.23.133.2.3", "id:00010000"],
          ),
        }),
      ]),
    ),
  ],
});

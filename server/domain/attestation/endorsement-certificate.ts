// The certificate of an endorsement key (TCG EK Credential Profile for TPM 2.0): who vouches that the key is one of a TPM, and of which TPM.
// Signatures are checked by `node:crypto`. Its chain check knows nothing of what such a certificate must say, so that is read here.
import { createPublicKey, X509Certificate, type KeyObject } from "node:crypto";
import { AsnConvert } from "@peculiar/asn1-schema";
import {
  AlgorithmIdentifier,
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_ce_subjectAltName,
  SubjectAlternativeName,
  SubjectPublicKeyInfo,
  type Extension,
} from "@peculiar/asn1-x509";
import { maxCertificateBytes } from "@/server/domain/attestation/limits";
import type { CertificateVerdict } from "@/server/domain/attestation/verdict";
import { certificateName, certificatesIn } from "@/server/domain/sites/read-authorities";

type TpmMake = CertificateVerdict["make"];

const noMake: TpmMake = { manufacturer: null, model: null, version: null };

const refused = (fault: string): CertificateVerdict => ({ make: noMake, authority: null, faults: [fault] });

/** tcg-kp-EKCertificate: the certificate is one of an endorsement key. */
const endorsementUsage = "2.23.133.8.1";
/** Attributes of the subject alternative name (TCG EK Credential Profile, 3.2.9). */
const makeAttributes = {
  "2.23.133.2.1": "manufacturer",
  "2.23.133.2.2": "model",
  "2.23.133.2.3": "version",
} as const;
/** Extensions that this file, or the check of the signature, has looked at. Any other that is critical refuses the certificate (RFC 5280, 4.2). */
const knownExtensions: ReadonlySet<string> = new Set([
  id_ce_basicConstraints,
  id_ce_keyUsage,
  id_ce_extKeyUsage,
  id_ce_subjectAltName,
]);

const rsaEncryption = "1.2.840.113549.1.1.1";
const rsaesOaep = "1.2.840.113549.1.1.7";
const derNull = Uint8Array.of(5, 0).buffer;

/** Some vendors name the key's use (id-RSAES-OAEP) in place of its kind, which OpenSSL does not read. The key itself is the same. */
function keyOf(spki: SubjectPublicKeyInfo): KeyObject {
  const read =
    spki.algorithm.algorithm === rsaesOaep
      ? new SubjectPublicKeyInfo({
          algorithm: new AlgorithmIdentifier({ algorithm: rsaEncryption, parameters: derNull }),
          subjectPublicKey: spki.subjectPublicKey,
        })
      : spki;
  return createPublicKey({ key: Buffer.from(AsnConvert.serialize(read)), format: "der", type: "spki" });
}

const longestText = 64;
/** A certificate of a manufacturer that nobody trusts yet may say anything. */
const shown = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, "").slice(0, longestText);

const isMakeAttribute = (type: string): type is keyof typeof makeAttributes =>
  Object.hasOwn(makeAttributes, type);

function makeOf(extensions: readonly Extension[]): TpmMake {
  const found = extensions.find(({ extnID }) => extnID === id_ce_subjectAltName);
  if (found === undefined) return noMake;
  const make = { ...noMake };
  for (const { directoryName } of AsnConvert.parse(found.extnValue.buffer, SubjectAlternativeName))
    for (const { type, value } of [...(directoryName ?? [])].flatMap((part) => [...part]))
      if (isMakeAttribute(type)) Object.assign(make, { [makeAttributes[type]]: shown(value.toString()) });
  return make;
}

interface ReadCertificate {
  readonly certificate: X509Certificate;
  readonly key: KeyObject;
  readonly make: TpmMake;
  readonly usages: readonly string[];
  /** Its basic constraints say that it may issue others, whatever its key usage says. */
  readonly isAuthority: boolean;
  /** Critical extensions that nothing here knows. */
  readonly unknown: readonly string[];
}

/** Null: it is no certificate, or has bytes after it. */
function read(der: Uint8Array): ReadCertificate | null {
  try {
    const certificate = new X509Certificate(der);
    if (certificate.raw.length !== der.length) return null;
    const { tbsCertificate } = AsnConvert.parse(der, Certificate);
    const extensions = [...(tbsCertificate.extensions ?? [])];
    const valueOf = (id: string) => extensions.find(({ extnID }) => extnID === id)?.extnValue.buffer;
    const usage = valueOf(id_ce_extKeyUsage);
    const constraints = valueOf(id_ce_basicConstraints);
    return {
      certificate,
      key: keyOf(tbsCertificate.subjectPublicKeyInfo),
      make: makeOf(extensions),
      usages: usage === undefined ? [] : [...AsnConvert.parse(usage, ExtendedKeyUsage)],
      isAuthority: constraints !== undefined && AsnConvert.parse(constraints, BasicConstraints).cA,
      unknown: extensions.flatMap(({ critical, extnID }) =>
        critical && !knownExtensions.has(extnID) ? [extnID] : [],
      ),
    };
  } catch {
    return null;
  }
}

/** Why a certificate does not count today; null: it does. */
function outsideOf(certificate: X509Certificate, what: string, nowMs: number): string | null {
  const from = certificate.validFromDate;
  const to = certificate.validToDate;
  if (nowMs < from.getTime()) return `${what} is not valid before ${from.toISOString()}`;
  return nowMs > to.getTime() ? `${what} expired at ${to.toISOString()}` : null;
}

/** A signature by a broken key, or of an unknown algorithm, is none. */
function isIssuedBy(certificate: X509Certificate, authority: X509Certificate): boolean {
  try {
    return certificate.checkIssued(authority) && certificate.verify(authority.publicKey);
  } catch {
    return false;
  }
}

/**
 * Whether one of the site's authorities issued this certificate, for this key. An authority must be in the list itself: no certificate between the two is
 * looked for, and no revocation list is read. Pure.
 *
 * @param der the certificate, without trailing bytes
 * @param key the endorsement key that the host showed
 * @param authorities PEM of all authorities of the site for endorsement keys
 */
export function judgeCertificate(
  der: Uint8Array,
  key: KeyObject,
  authorities: string,
  nowMs: number,
): CertificateVerdict {
  if (der.length > maxCertificateBytes)
    return refused(`it has ${der.length} bytes, and at most ${maxCertificateBytes} are accepted`);
  const found = read(der);
  if (found === null) return refused("it is no X.509 certificate, or has bytes after it");
  const { certificate, make } = found;
  const issuerName = certificateName(certificate.issuer);
  const faults: string[] = [];
  // safety: attestation: the certificate is for the key that is activated
  if (!found.key.equals(key)) faults.push("it is for another key than the one that the TPM has");
  if (found.unknown.length > 0)
    faults.push(`it has critical extensions that Reclaim does not know: ${found.unknown.join(", ")}`);
  if (found.isAuthority) faults.push("it is one of an authority, and not of an endorsement key");
  // safety: attestation: a certificate for another use vouches for no TPM
  if (!found.usages.includes(endorsementUsage))
    faults.push(
      `its extended key usage does not say that it is one of an endorsement key (${endorsementUsage})`,
    );
  const outside = outsideOf(certificate, "it", nowMs);
  if (outside !== null) faults.push(outside);
  const issuer = certificatesIn(authorities).find((authority) => isIssuedBy(certificate, authority));
  // safety: attestation: an authority of the site issued it
  if (issuer === undefined)
    faults.push(`its issuer is not one of the site's authorities for TPMs: ${issuerName}`);
  const late =
    issuer === undefined
      ? null
      : outsideOf(issuer, `its authority ${certificateName(issuer.subject)}`, nowMs);
  if (late !== null) faults.push(late);
  return {
    make,
    authority: issuer !== undefined && faults.length === 0 ? certificateName(issuer.subject) : null,
    faults,
  };
}

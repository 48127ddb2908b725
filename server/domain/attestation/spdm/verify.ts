// Whether measurements of a component (GPU, network card, BMC, switch) count: its signature over a nonce of ours, by a key that an authority of the site
// vouches for (DSP0274, 15 and 10.11; Redfish ComponentIntegrity, SPDMGetSignedMeasurements).
import { constants, createHash, verify, type KeyObject, type VerifyKeyObjectInput } from "node:crypto";
import { vouchedChain } from "@/server/domain/attestation/spdm/chain";
import { SpdmFault } from "@/server/domain/attestation/spdm/reader";
import {
  readReport,
  type Measurement,
  type MeasurementKind,
  type SpdmReport,
} from "@/server/domain/attestation/spdm/report";

export interface ComponentAnswer {
  readonly report: Uint8Array;
  /** Redfish HashingAlgorithm, such as `TPM_ALG_SHA_384`: what a report before 1.2 does not tell itself. */
  readonly hashingAlgorithm: string | null;
  /** PEM of the component's certificates. */
  readonly certificates: string;
}

export interface ProvenMeasurements {
  readonly measurements: readonly Measurement[];
  readonly authority: string;
}

/** Redfish's names (ComponentIntegrity, from TCG's registry of algorithms). */
const hashNames: Readonly<Record<string, string>> = {
  TPM_ALG_SHA256: "sha256",
  TPM_ALG_SHA_256: "sha256",
  TPM_ALG_SHA384: "sha384",
  TPM_ALG_SHA_384: "sha384",
  TPM_ALG_SHA512: "sha512",
  TPM_ALG_SHA_512: "sha512",
};

/** Bytes of a signature by a curve of NIST: the numbers r and s. */
const curveBytes: Readonly<Record<string, number>> = { prime256v1: 64, secp384r1: 96, secp521r1: 132 };

const prefixBytes = 100;
const context = "responder-measurements signing";

/** What is signed: before 1.2 the messages, since then their digest with a prefix that names version and purpose (DSP0274, 15). */
function signedBytes({ version, signed }: SpdmReport, hash: string): Buffer {
  if (version < 0x12) return signed;
  const prefix = Buffer.alloc(prefixBytes);
  prefix.write(`dmtf-spdm-v1.${version & 0xf}.*`.repeat(4), 0, "latin1");
  prefix.write(context, prefixBytes - context.length, "latin1");
  return Buffer.concat([prefix, createHash(hash).update(signed).digest()]);
}

function hashOf({ hash }: SpdmReport, told: string | null): string {
  if (hash !== null) return hash;
  const found = told === null ? undefined : hashNames[told];
  if (found === undefined)
    throw new SpdmFault(`its BMC does not tell a hash that Reclaim knows: ${(told ?? "none").slice(0, 40)}`);
  return found;
}

/** Whether `bytes` are a signature of the key in one of the forms that SPDM has for it. */
function isSignature(key: KeyObject, hash: string, signed: Buffer, bytes: Buffer): boolean {
  const ways: Omit<VerifyKeyObjectInput, "key">[] = [];
  if (key.asymmetricKeyType === "ec") {
    const size = curveBytes[key.asymmetricKeyDetails?.namedCurve ?? ""];
    if (size === bytes.length) ways.push({ dsaEncoding: "ieee-p1363" });
  } else if (key.asymmetricKeyType === "rsa") {
    if ((key.asymmetricKeyDetails?.modulusLength ?? 0) === bytes.length * 8)
      ways.push(
        { padding: constants.RSA_PKCS1_PADDING },
        { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST },
      );
  } else
    throw new SpdmFault(
      `its key is of a kind that Reclaim does not know: ${key.asymmetricKeyType ?? "none"}`,
    );
  return ways.some((way) => verify(hash, signed, { key, ...way }, bytes));
}

/**
 * What a component measured, if it can be proven. Throws SpdmFault with the reason. Pure.
 *
 * @param nonce the 32 bytes that were sent for this report, and for no other
 * @param authorities PEM of the site's authorities for components
 */
export function verifyMeasurements(
  { report, hashingAlgorithm, certificates }: ComponentAnswer,
  nonce: Uint8Array,
  authorities: string,
  nowMs: number,
): ProvenMeasurements {
  const read = readReport(report);
  // safety: spdm: the report was made for this request
  if (!read.nonce.equals(nonce))
    throw new SpdmFault("the report answers another request: its nonce is not the one that was sent");
  const { leaf, authority } = vouchedChain(certificates, authorities, nowMs);
  const hash = hashOf(read, hashingAlgorithm);
  // safety: spdm: the component signed these measurements
  if (!isSignature(leaf.publicKey, hash, signedBytes(read, hash), read.signature))
    throw new SpdmFault("the signature is not one of the component's key");
  if (read.measurements.length === 0) throw new SpdmFault("the report has no measurement");
  return { measurements: read.measurements, authority };
}

/** Longer values, such as manifests, are compared by their digest. */
const maxValueDigits = 256;

const valueOf = ({ value }: Measurement): string =>
  value.length > maxValueDigits
    ? `sha256:${createHash("sha256").update(Buffer.from(value, "hex")).digest("hex")}`
    : value;

const byIndex = (measurements: readonly Measurement[]): Record<string, string> =>
  Object.fromEntries(measurements.map((each) => [String(each.index), valueOf(each)]));

/** Every value, by index. Pure. */
export const measuredValues = ({ measurements }: ProvenMeasurements): Record<string, string> =>
  byIndex(measurements);

/**
 * Kinds that depend on the firmware alone. The hardware's configuration and its mode differ from device to device: NVIDIA's tables of measurements keep
 * them out of the reference values (docs.nvidia.com/networking, BlueField-3 Measurements).
 */
const sameOnEveryMachine: ReadonlySet<MeasurementKind> = new Set([
  "ROM",
  "firmware",
  "firmware configuration",
  "manifest",
  "firmware version",
  "security version",
]);

/** The values that a baseline takes from a reference host. Pure. */
export const capturedValues = ({ measurements }: ProvenMeasurements): Record<string, string> =>
  byIndex(measurements.filter(({ kind }) => sameOnEveryMachine.has(kind)));

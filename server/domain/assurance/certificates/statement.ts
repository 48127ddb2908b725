// The content of a certificate: an in-toto statement (https://in-toto.io/Statement/v1) about one reclamation, with the fields of the sample certificate of
// NIST SP 800-88 Rev. 2 (docs/assurance/certificates.md). Written in canonical JSON (RFC 8785), so that a statement has exactly one byte sequence.
import canonicalize from "canonicalize";
import { z } from "zod";
import { standings } from "@/server/domain/assurance/standing";
import type { Standing } from "@/server/domain/assurance/standing";
import { gateNames, gateStatuses } from "@/server/domain/reclamations/gates/gate-names";
import { deviceEntry, earlierDeviceEntry } from "@/server/domain/assurance/certificates/device-entry";
import { digest, maybe, moment, text } from "@/server/domain/assurance/certificates/fields";

export const statementType = "https://in-toto.io/Statement/v1";
/**
 * Form 2 added an exception's end, measure and risk; form 3 added a drive's manufacturer; form 4 added the standing, what it rests on, and how many
 * drives the SKU has; form 5 added the measured boot.
 */
export const predicateType = "urn:reclaim:sanitization:5";
const fourthType = "urn:reclaim:sanitization:4";
const thirdType = "urn:reclaim:sanitization:3";
const secondType = "urn:reclaim:sanitization:2";
const firstType = "urn:reclaim:sanitization:1";
/** Form 2 added a drive's manufacturer; form 3 added the standing, and how many drives the SKU has. */
export const receiptType = "urn:reclaim:sanitization-receipt:3";
const secondReceiptType = "urn:reclaim:sanitization-receipt:2";
const firstReceiptType = "urn:reclaim:sanitization-receipt:1";

/** `withExceptions`: something was let through or left out on purpose. `notSanitized`: the host became Ready although a drive has no verified erase, or its
 * cleaning was left out. `nonConformance`: the reclamation did not end in Ready.
 * `demo`: the site lets hosts pass gates that are not implemented, so nothing is certified. */
export const certificateTypes = [
  "certificate",
  "withExceptions",
  "notSanitized",
  "nonConformance",
  "demo",
] as const;
export type CertificateType = (typeof certificateTypes)[number];

/** The type of a certificate with this standing. At a demo site, nothing is certified. */
export function typeOfStanding(standing: Standing, ready: boolean, demo: boolean): CertificateType {
  if (!ready) return "nonConformance";
  if (demo) return "demo";
  // safety: certificate: plain means proven
  if (standing === "proven") return "certificate";
  return standing === "provenWithExceptions" ? "withExceptions" : "notSanitized";
}

const subject = z
  .strictObject({ name: text, digest: z.strictObject({ sha256: digest }).readonly() })
  .readonly();

const gateEntry = z
  .strictObject({ gate: z.enum(gateNames), status: z.enum(gateStatuses), reason: text })
  .readonly();

/** Characters of a structure of a TPM in base64. */
const maxStructure = 2048;

const bootEntry = z
  .strictObject({
    number: z.int(),
    openedAt: moment,
    restartedAt: moment,
    registeredAt: moment,
    agentVersion: maybe,
    image: maybe,
    imageSha256: maybe,
  })
  .readonly();

const person = z.strictObject({ name: text, at: text }).readonly();

/**
 * The boot that the gates rest on, as its TPM signed it: anybody can check the quote again, here or with tpm2_checkquote (docs/attestation.md#check-a-quote).
 * Bytes are in base64, values of registers in hexadecimal digits.
 */
const measuredBoot = z
  .strictObject({
    boot: z.int(),
    measuredAt: moment,
    bundle: z
      .strictObject({
        id: z.guid(),
        name: text,
        expects: z.record(z.string(), digest).readonly(),
        requestedBy: text,
        approvedBy: text,
      })
      .readonly(),
    tpm: z
      .strictObject({
        /** SHA-256 of the endorsement key, and how it came to count as the host's. */
        endorsementKeySha256: digest,
        acceptedAs: text,
        /** The authority that issued its certificate; null: none that counts. */
        vouchedBy: maybe,
      })
      .readonly(),
    /** TPM2B_PUBLIC of the key that signed, which the TPM has proven for this boot. */
    attestationKey: z.base64().max(maxStructure),
    nonce: z.base64().max(maxStructure),
    /** TPMS_ATTEST and TPMT_SIGNATURE */
    quote: z.base64().max(maxStructure),
    signature: z.base64().max(maxStructure),
    values: z.record(z.string(), digest).readonly(),
    /** Of the firmware's event log as it came; null: there was none. */
    eventLogSha256: digest.nullable(),
  })
  .readonly();

/** Who let what through. */
const firstException = z
  .strictObject({ gate: maybe, serial: maybe, reason: text, askedBy: person, approvedBy: person })
  .readonly();

/** Adds its end, and the compensating control and remaining risk; null: not on record. */
const exceptionEntry = firstException
  .unwrap()
  .extend({ until: moment, measure: maybe, risk: maybe })
  .readonly();

const predicate = z
  .strictObject({
    certificate: z
      .strictObject({
        id: z.guid(),
        type: z.enum(certificateTypes),
        /** The audit log that it is in. */
        issuer: text,
        /** Written when the reclamation ended. False: written later, because a release without certificates ended it or because it did not end in Ready. */
        atTheEnd: z.boolean(),
        /** What it proves, as one word: `domain/assurance/standing.ts`. */
        standing: z.enum(standings),
      })
      .readonly(),
    /** Listed first because they limit everything that follows. */
    exceptions: z.array(exceptionEntry).max(10_000).readonly(),
    host: z
      .strictObject({
        id: z.guid(),
        name: text,
        serial: text,
        systemUuid: maybe,
        assetTag: maybe,
        manufacturer: maybe,
        model: maybe,
        sku: maybe,
        site: text,
        rack: maybe,
        slot: maybe,
        hardwareType: text,
        /** How many drives its SKU has; null: it has no SKU, or an unreadable one. */
        skuDrives: z.int().nullable(),
      })
      .readonly(),
    reclamation: z
      .strictObject({
        id: z.guid(),
        number: text,
        kind: text,
        instanceId: z.guid().nullable(),
        /** Only the id: the provider knows who it is. */
        tenantId: z.guid().nullable(),
        requestedBy: maybe,
        startedAt: moment,
        endedAt: moment,
        outcome: text,
        message: maybe,
        /** Of a recheck that cleaned nothing: the reclamation it rests on, with its standing. Null: it cleaned by itself. */
        restsOn: z
          .strictObject({ number: maybe, standing: z.enum(standings).nullable() })
          .readonly()
          .nullable(),
      })
      .readonly(),
    policy: z
      .strictObject({ version: z.int(), sha256: digest, standard: maybe, level: maybe, demo: z.boolean() })
      .readonly(),
    devices: z.array(deviceEntry).max(10_000).readonly(),
    excluded: z
      .array(z.strictObject({ serial: text, model: text, reason: text }).readonly())
      .max(10_000)
      .readonly(),
    /** Seen by the agent, and known from no other source. */
    unexpected: z.array(text).max(10_000).readonly(),
    missing: z
      .array(z.strictObject({ serial: text, model: text, knownBy: text }).readonly())
      .max(10_000)
      .readonly(),
    dispositions: z
      .array(z.strictObject({ serial: text, kind: text, reason: text, by: text, at: text }).readonly())
      .max(10_000)
      .readonly(),
    /** Memory, InfiniBand, platform, measured boot and the rest. */
    gates: z.array(gateEntry).max(10_000).readonly(),
    boots: z.array(bootEntry).max(10_000).readonly(),
    procedures: z
      .array(
        z
          .strictObject({
            procedure: text,
            version: z.int(),
            recordedBy: person,
            signedOffBy: person,
            evidence: z.array(digest).max(10_000).readonly(),
          })
          .readonly(),
      )
      .max(10_000)
      .readonly(),
    /** How the agent was identified as ours. Without measured boot, only by the network. */
    agentIdentity: z.enum(["network only", "measured boot"]),
    /** Null: no boot was measured, or its quote was replaced before this was written. */
    measuredBoot: measuredBoot.nullable(),
    /** Fields of the sample certificate. Null: not recorded. */
    form: z
      .strictObject({
        classification: maybe,
        destination: maybe,
        sanitizedBy: z.strictObject({ name: text, title: maybe, location: maybe, contact: maybe }).readonly(),
        verificationMethod: text,
      })
      .readonly(),
    /** What the certificate does not prove. */
    limits: z.array(text).max(10_000).readonly(),
  })
  .readonly();

export const statement = z
  .strictObject({
    _type: z.literal(statementType),
    subject: z.array(subject).max(10_000).readonly(),
    predicateType: z.literal(predicateType),
    predicate,
  })
  .readonly();
export type Statement = z.infer<typeof statement>;

const { certificate, host, reclamation } = predicate.unwrap().shape;

/** Statements of earlier releases, which stay verifiable forever. */
const fourthPredicate = predicate
  .unwrap()
  .omit({ measuredBoot: true })
  .extend({ agentIdentity: z.enum(["network only"]) })
  .readonly();
const fourthStatement = z
  .strictObject({
    ...statement.unwrap().shape,
    predicateType: z.literal(fourthType),
    predicate: fourthPredicate,
  })
  .readonly();
const thirdPredicate = z
  .strictObject({
    ...fourthPredicate.unwrap().shape,
    certificate: certificate.unwrap().omit({ standing: true }).readonly(),
    host: host.unwrap().omit({ skuDrives: true }).readonly(),
    reclamation: reclamation.unwrap().omit({ restsOn: true }).readonly(),
  })
  .readonly();
const thirdStatement = z
  .strictObject({
    ...statement.unwrap().shape,
    predicateType: z.literal(thirdType),
    predicate: thirdPredicate,
  })
  .readonly();
const secondStatement = z
  .strictObject({
    ...statement.unwrap().shape,
    predicateType: z.literal(secondType),
    predicate: z
      .strictObject({
        ...thirdPredicate.unwrap().shape,
        devices: z.array(earlierDeviceEntry).max(10_000).readonly(),
      })
      .readonly(),
  })
  .readonly();
const firstStatement = z
  .strictObject({
    ...statement.unwrap().shape,
    predicateType: z.literal(firstType),
    predicate: z
      .strictObject({
        ...thirdPredicate.unwrap().shape,
        devices: z.array(earlierDeviceEntry).max(10_000).readonly(),
        exceptions: z.array(firstException).max(10_000).readonly(),
      })
      .readonly(),
  })
  .readonly();

/** A certificate, in any form. */
export const wholeStatement = z.union([
  statement,
  fourthStatement,
  thirdStatement,
  secondStatement,
  firstStatement,
]);
export type WholeStatement = z.infer<typeof wholeStatement>;

/** What a receipt includes of a drive. */
const receiptDevice = {
  serial: true,
  model: true,
  media: true,
  capacityBytes: true,
  result: true,
  method: true,
  technique: true,
  standard: true,
  techniqueTable: true,
  verification: true,
  at: true,
} as const;

/** What a tenant gets: its own machine, without the provider's internal data. */
export const receiptStatement = z
  .strictObject({
    _type: z.literal(statementType),
    subject: z.array(subject).max(10_000).readonly(),
    predicateType: z.literal(receiptType),
    predicate: z
      .strictObject({
        receipt: z.strictObject({ id: z.guid(), issuer: text }).readonly(),
        /** The certificate that the receipt is derived from. */
        certificate: z
          .strictObject({
            id: z.guid(),
            sha256: digest,
            type: z.enum(certificateTypes),
            standing: z.enum(standings),
          })
          .readonly(),
        machine: z.strictObject({ id: z.guid(), serial: text, skuDrives: z.int().nullable() }).readonly(),
        instanceId: z.guid(),
        tenantId: z.guid(),
        endedAt: moment,
        devices: z
          .array(deviceEntry.unwrap().pick({ ...receiptDevice, manufacturer: true }))
          .max(10_000)
          .readonly(),
        gates: z
          .array(gateEntry.unwrap().pick({ gate: true, status: true }))
          .max(10_000)
          .readonly(),
        limits: z.array(text).max(10_000).readonly(),
      })
      .readonly(),
  })
  .readonly();
const ofReceipt = receiptStatement.unwrap().shape.predicate.unwrap().shape;
const secondReceiptPredicate = z
  .strictObject({
    ...ofReceipt,
    certificate: ofReceipt.certificate.unwrap().omit({ standing: true }).readonly(),
    machine: ofReceipt.machine.unwrap().omit({ skuDrives: true }).readonly(),
  })
  .readonly();
const secondReceipt = z
  .strictObject({
    ...receiptStatement.unwrap().shape,
    predicateType: z.literal(secondReceiptType),
    predicate: secondReceiptPredicate,
  })
  .readonly();
const firstReceipt = z
  .strictObject({
    ...receiptStatement.unwrap().shape,
    predicateType: z.literal(firstReceiptType),
    predicate: z
      .strictObject({
        ...secondReceiptPredicate.unwrap().shape,
        devices: z.array(deviceEntry.unwrap().pick(receiptDevice)).max(10_000).readonly(),
      })
      .readonly(),
  })
  .readonly();
export type ReceiptStatement =
  | z.infer<typeof receiptStatement>
  | z.infer<typeof secondReceipt>
  | z.infer<typeof firstReceipt>;

export const anyStatement = z.union([
  statement,
  fourthStatement,
  thirdStatement,
  secondStatement,
  firstStatement,
  receiptStatement,
  secondReceipt,
  firstReceipt,
]);
export type AnyStatement = WholeStatement | ReceiptStatement;

/** `receiptWithExceptions`: a tenant's receipt of a certificate with exceptions. The receipt of a demo certifies nothing either. */
export type StatedType = CertificateType | "receipt" | "receiptWithExceptions" | "receiptNotSanitized";

/** Whether it is a certificate and not a receipt. */
export const isWhole = (said: AnyStatement): said is WholeStatement =>
  said.predicateType !== receiptType &&
  said.predicateType !== secondReceiptType &&
  said.predicateType !== firstReceiptType;

/** The type of the receipt of a certificate of this type. */
export function receiptOf(type: CertificateType): StatedType {
  if (type === "withExceptions") return "receiptWithExceptions";
  if (type === "notSanitized") return "receiptNotSanitized";
  return type === "demo" ? "demo" : "receipt";
}

/** The type of a statement. A receipt is never better than the certificate it is derived from. */
export const statedType = (said: AnyStatement): StatedType =>
  isWhole(said) ? said.predicate.certificate.type : receiptOf(said.predicate.certificate.type);

/** The only valid text of a statement. */
export function statementText(value: AnyStatement): string {
  const written = canonicalize(value);
  if (written === undefined) throw new Error("a statement cannot be written");
  return written;
}

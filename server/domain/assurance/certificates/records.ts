// What is read for a certificate when a host's reclamation ends, in addition to what the decision itself knows.
import { z } from "zod";
import { deviceResult } from "@/server/domain/cleaning/sanitization/device-result";
import { knownMembers } from "@/server/domain/stored";

const moment = z.iso.datetime({ offset: true }).transform((at) => new Date(at).toISOString());
const device = z.object({
  serial: z.string(),
  model: z.string(),
  manufacturer: z.string().nullish(),
  media: z.string().optional(),
  capacityBytes: z.string().optional(),
  slot: z.string().nullish(),
  firmware: z.string().nullish(),
  sources: z.array(z.string()).optional(),
});
const named = { serial: z.string(), model: z.string() };

/** The frozen list of drives. Lists of other releases may have fewer members. */
export const deviceList = z.object({
  expected: z.array(device),
  excluded: z.array(z.object({ ...named, reason: z.string() })).default([]),
  missing: z.array(z.object({ ...named, knownBy: z.string() })).default([]),
  answered: z
    .array(
      z.object({
        ...named,
        disposition: z.object({ kind: z.string(), reason: z.string(), by: z.string(), at: z.string() }),
      }),
    )
    .default([]),
});

export const certificateRecords = z.object({
  host: z.object({
    id: z.guid(),
    name: z.string(),
    systemUuid: z.string().nullable(),
    manufacturer: z.string().nullable(),
    model: z.string().nullable(),
    sku: z.string().nullable(),
    site: z.string(),
    demo: z.boolean(),
    rack: z.string().nullable(),
    slot: z.string().nullable(),
    hardwareType: z.string(),
    /** Of its SKU, as stored; null: it has none. */
    skuComponents: z.unknown(),
  }),
  reclamation: z.object({
    id: z.guid(),
    number: z.string(),
    hostSerial: z.string(),
    kind: z.string(),
    instanceId: z.guid().nullable(),
    tenantId: z.guid().nullable(),
    requestedBy: z.string().nullable(),
    startedAt: moment,
    endedAt: moment.nullable(),
    /** Null: about to end. */
    outcome: z.string().nullable(),
    /** As recorded at its end; null: about to end. */
    standing: z.string().nullable(),
    /** It cleaned nothing: a recheck without a plan. What the reclamation before it proved, on which it rests. */
    cleanedNothing: z.boolean(),
    restsOn: z.object({ number: z.string(), standing: z.string().nullable() }).nullable(),
    message: z.string().nullable(),
    policyVersion: z.int(),
    policy: z.unknown(),
    devices: z.unknown(),
  }),
  /** The latest result of each drive. */
  results: z.array(
    z.object({
      serial: z.string(),
      model: z.string(),
      media: z.string(),
      technique: z.string().nullable(),
      standard: z.string(),
      level: z.string(),
      techniqueTable: z.int(),
      verdict: z.string(),
      reason: z.string(),
      report: z.unknown(),
      at: moment,
    }),
  ),
  gates: z.array(
    z.object({ gate: z.string(), status: z.string(), reason: z.string(), evidence: z.unknown().optional() }),
  ),
  /** What was said when the exceptions were requested; the gates do not store it. */
  /** The measured boot that the gate `attestationPassed` names, if its quote is still there. */
  measuredBoot: z
    .object({
      boot: z.int(),
      measuredAt: moment,
      bundle: z.object({
        id: z.guid(),
        name: z.string(),
        expects: z.record(z.string(), z.string()),
        requestedBy: z.string(),
        approvedBy: z.string(),
      }),
      tpm: z.object({
        endorsementKeySha256: z.string(),
        acceptedAs: z.string(),
        vouchedBy: z.string().nullable(),
      }),
      attestationKey: z.string(),
      nonce: z.string(),
      quote: z.string(),
      signature: z.string(),
      values: z.record(z.string(), z.string()),
      eventLogSha256: z.string().nullable(),
    })
    .nullable(),
  exceptions: z.array(z.object({ id: z.string(), measure: z.string(), risk: z.string() })),
  /** Procedures that were signed off. */
  procedures: z.array(
    z.object({
      procedure: z.string(),
      version: z.int(),
      recordedBy: z.object({ name: z.string(), at: moment }),
      signedOffBy: z.object({ name: z.string(), at: moment }),
      evidence: z.array(z.string()),
    }),
  ),
  boots: z.array(
    z.object({
      number: z.int(),
      openedAt: moment,
      restartedAt: moment.nullable(),
      registeredAt: moment.nullable(),
      agentVersion: z.string().nullable(),
      image: z.string().nullable(),
      imageSha256: z.string().nullable(),
    }),
  ),
});
export type CertificateRecords = z.infer<typeof certificateRecords>;

/** As the agent reported it. Of another release's report, only the members known here. */
export const storedReport = knownMembers(deviceResult);

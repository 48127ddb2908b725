// Makes the statement of a reclamation that ends, from what is on record of it. Pure: the same records make the same bytes.
import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { z } from "zod";
import { gateNames, gateStatuses } from "@/server/domain/gates/gate-names";
import { deviceList, storedReport } from "@/server/domain/certificates/records";
import type { CertificateRecords } from "@/server/domain/certificates/records";
import {
  predicateType,
  receiptType,
  statement as statementForm,
  statementType,
} from "@/server/domain/certificates/statement";
import type {
  CertificateType,
  DeviceEntry,
  ReceiptStatement,
  Statement,
} from "@/server/domain/certificates/statement";

const sha256 = (text: string): string => createHash("sha256").update(text, "utf8").digest("hex");
const canonicalDigest = (value: unknown): string => sha256(canonicalize(value ?? null) ?? "null");

/** Why there is no certificate, as a sentence without its stop. */
export class NoCertificate extends Error {
  override readonly name = "NoCertificate";
}

export interface CertificateFacts {
  readonly id: string;
  /** The name of the log that it goes into. */
  readonly issuer: string;
  /** Written in the transaction that ends the reclamation. */
  readonly atTheEnd: boolean;
  /** The reclamation ended, or is about to, in `ready`. */
  readonly outcome: string;
  readonly message: string | null;
}

type Known = z.infer<typeof deviceList>;
type KnownDevice = Known["expected"][number];

const of = <T>(value: T | undefined): T | null => value ?? null;

function resultEntry(device: KnownDevice, result: CertificateRecords["results"][number]): DeviceEntry {
  const report = storedReport.safeParse(result.report).data;
  const verified = report?.verification;
  const sanitized = result.verdict === "sanitized";
  return {
    serial: device.serial,
    model: device.model,
    media: device.media ?? result.media,
    capacityBytes: of(device.capacityBytes),
    slot: device.slot ?? null,
    firmware: device.firmware ?? report?.firmware ?? null,
    knownBy: device.sources ?? [],
    result: sanitized ? "sanitized" : "not sanitized",
    method: sanitized ? result.level : null,
    technique: result.technique,
    standard: result.standard,
    techniqueTable: result.techniqueTable,
    tool: report === undefined ? null : { name: report.tool.name, version: report.tool.version },
    commands: (report?.tries ?? []).map(({ technique, command, startedAt, endedAt, status, completed }) => ({
      technique,
      command,
      startedAt,
      endedAt,
      status,
      completed,
    })),
    verification:
      verified === undefined
        ? null
        : {
            kind: verified.kind,
            samples: verified.samples,
            bytes: verified.bytes,
            mismatches: verified.mismatches,
            result: verified.result,
          },
    reportSha256: canonicalDigest(result.report),
    at: result.at,
    reason: result.reason,
  };
}

const untreated = (device: KnownDevice, reason: string): DeviceEntry => ({
  serial: device.serial,
  model: device.model,
  media: of(device.media),
  capacityBytes: of(device.capacityBytes),
  slot: device.slot ?? null,
  firmware: device.firmware ?? null,
  knownBy: device.sources ?? [],
  result: "not sanitized",
  method: null,
  technique: null,
  standard: null,
  techniqueTable: null,
  tool: null,
  commands: [],
  verification: null,
  reportSha256: null,
  at: null,
  reason,
});

function deviceEntries(known: Known, { results }: CertificateRecords): readonly DeviceEntry[] {
  const treated = known.expected.map((device) => {
    const result = results.find(({ serial, model }) => serial === device.serial && model === device.model);
    return result === undefined ? untreated(device, "no result is on record") : resultEntry(device, result);
  });
  const stated = known.answered.map(({ serial, model, disposition: { kind, reason, by } }) => ({
    ...untreated({ serial, model }, `${kind}, stated by ${by}: ${reason}`),
    result: "stated" as const,
  }));
  return [...treated, ...stated].sort((a, b) => (a.serial < b.serial ? -1 : 1));
}

/** The gate says itself that not every drive has a result, and why that is let through. */
const cleaningLeftOut = (gates: Statement["predicate"]["gates"]): boolean =>
  gates.some(({ gate, status }) => gate === "storageSanitized" && status !== "satisfied");

function typeOf(ready: boolean, demo: boolean, gates: Statement["predicate"]["gates"]): CertificateType {
  if (!ready) return "nonConformance";
  if (demo) return "demo";
  return gates.some(({ status }) => status === "excepted") ? "withExceptions" : "certificate";
}

const storedGate = z.object({ gate: z.enum(gateNames), status: z.enum(gateStatuses), reason: z.string() });

/** In the order in which people read them. */
const orderedGates = (gates: CertificateRecords["gates"]): Statement["predicate"]["gates"] =>
  gates
    .flatMap((gate) => storedGate.safeParse(gate).data ?? [])
    .sort((a, b) => gateNames.indexOf(a.gate) - gateNames.indexOf(b.gate));

const limits = [
  "It says what was done and what was observed, and not that nothing can be recovered.",
  "Implants in firmware, and areas of drives that no command reaches, are not covered.",
  "The agent's identity rests on the provisioning network: there was no measured boot.",
];

function limitsOf(gates: Statement["predicate"]["gates"], demo: boolean): readonly string[] {
  const left = gates.filter(({ status }) => status === "not required" || status === "not implemented");
  return [
    ...limits,
    ...left.map(({ gate, status, reason }) => `${gate} is ${status}: ${reason}.`),
    ...(demo ? ["The site is a demo: gates that are not implemented held the host back from nothing."] : []),
  ];
}

/** Members of a policy that a certificate names; another release's may have others. */
const policyFacts = z.object({ sanitization: z.object({ standard: z.string(), minimum: z.unknown() }) });

/** What a subject's digest is of: what anybody can read off the thing itself. */
const subjectOf = (kind: "host" | "drive", model: string, serial: string) => ({
  name: `${kind}/${serial}`,
  digest: { sha256: canonicalDigest({ kind, model, serial }) },
});

/** A certificate, or a record of non-conformance where the reclamation did not end in Ready. Throws NoCertificate when a drive that is expected has no result and nobody has answered for it. */
export function buildStatement(records: CertificateRecords, facts: CertificateFacts): Statement {
  const { host, reclamation } = records;
  const parsed = deviceList.safeParse(reclamation.devices);
  const known: Known = parsed.data ?? { expected: [], excluded: [], missing: [], answered: [] };
  const gates = orderedGates(records.gates);
  const devices = deviceEntries(known, records);
  if (facts.outcome === "ready") refuseOpen(devices, known, gates);
  const built = statementForm.safeParse({
    _type: statementType,
    subject: [
      subjectOf("host", host.model ?? "", reclamation.hostSerial),
      ...devices.map(({ model, serial }) => subjectOf("drive", model, serial)),
    ],
    predicateType,
    predicate: {
      certificate: certificateEntry(facts, host.demo, gates),
      exceptions: [],
      host: hostEntry(records),
      reclamation: reclamationEntry(records, facts),
      policy: policyEntry(records),
      devices,
      ...listsOf(known),
      gates,
      boots: records.boots,
      procedures: records.procedures,
      agentIdentity: "network only",
      form: formOf(records, facts),
      limits: limitsOf(gates, host.demo),
    },
  });
  if (!built.success) throw new NoCertificate(`the records do not fit: ${z.prettifyError(built.error)}`);
  return built.data;
}

const certificateEntry = (
  { id, issuer, atTheEnd, outcome }: CertificateFacts,
  demo: boolean,
  gates: Statement["predicate"]["gates"],
): Statement["predicate"]["certificate"] => ({
  id,
  type: typeOf(outcome === "ready", demo, gates),
  issuer,
  atTheEnd,
});

function policyEntry({ host, reclamation }: CertificateRecords): Statement["predicate"]["policy"] {
  const policy = policyFacts.safeParse(reclamation.policy).data?.sanitization;
  return {
    version: reclamation.policyVersion,
    sha256: canonicalDigest(reclamation.policy),
    standard: policy?.standard ?? null,
    level: policy === undefined ? null : (canonicalize(policy.minimum) ?? null),
    demo: host.demo,
  };
}

const listsOf = ({ expected, excluded, missing, answered }: Known) => ({
  excluded: excluded.map(({ serial, model, reason }) => ({ serial, model, reason })),
  unexpected: expected.filter(({ sources }) => sources?.join() === "agent").map(({ serial }) => serial),
  missing: missing.map(({ serial, model, knownBy }) => ({ serial, model, knownBy })),
  dispositions: answered.map(({ serial, disposition: { kind, reason, by, at } }) => ({
    serial,
    kind,
    reason,
    by,
    at,
  })),
});

const formOf = (
  { host: { site, rack, slot }, reclamation }: CertificateRecords,
  { outcome }: CertificateFacts,
): Statement["predicate"]["form"] => ({
  classification: null,
  destination: outcome === "ready" ? "reuse in the provider's fleet" : null,
  sanitizedBy: {
    name: reclamation.requestedBy ?? "Reclaim, without a person",
    title: null,
    location: [site, rack, slot].filter((part) => part !== null).join(", "),
    contact: null,
  },
  verificationMethod: "samples and markers of each drive are read back; see verification of each",
});

/** What is expected has a result, a statement, or a gate that asks for none. */
function refuseOpen(
  devices: readonly DeviceEntry[],
  known: Known,
  gates: Statement["predicate"]["gates"],
): void {
  const leftOut = cleaningLeftOut(gates);
  const open = devices.find(({ result }) => result === "not sanitized");
  // safety: certificate: an expected drive without a result
  if (open !== undefined && !leftOut)
    throw new NoCertificate(`drive ${open.serial} has no result: ${open.reason}`);
  const [lost] = known.missing;
  // safety: certificate: a drive that is missing
  if (lost !== undefined && !leftOut)
    throw new NoCertificate(`drive ${lost.serial} is missing, and nobody has said what became of it`);
  // safety: certificate: gates on record
  if (gates.length < gateNames.length) throw new NoCertificate("not every gate is on record");
}

function hostEntry({ host, reclamation }: CertificateRecords): Statement["predicate"]["host"] {
  const { id, name, systemUuid, manufacturer, model, sku, site, rack, slot, hardwareType } = host;
  const serial = reclamation.hostSerial;
  const assetTag = null;
  return { id, name, serial, systemUuid, assetTag, manufacturer, model, sku, site, rack, slot, hardwareType };
}

function reclamationEntry(
  { reclamation }: CertificateRecords,
  { outcome, message }: CertificateFacts,
): Statement["predicate"]["reclamation"] {
  const { id, number, kind, instanceId, tenantId, requestedBy, startedAt, endedAt } = reclamation;
  return { id, number, kind, instanceId, tenantId, requestedBy, startedAt, endedAt, outcome, message };
}

/** What a tenant is given of a certificate of its machine; null where there was none of its own. */
export function buildReceipt(
  whole: Statement,
  { id, sha256: of }: { readonly id: string; readonly sha256: string },
): ReceiptStatement | null {
  const { certificate, host, reclamation, devices, gates, limits: said } = whole.predicate;
  const { instanceId, tenantId, endedAt } = reclamation;
  if (instanceId === null || tenantId === null) return null;
  return {
    _type: statementType,
    subject: whole.subject,
    predicateType: receiptType,
    predicate: {
      receipt: { id, issuer: certificate.issuer },
      certificate: { id: certificate.id, sha256: of, type: certificate.type },
      machine: { id: host.id, serial: host.serial },
      instanceId,
      tenantId,
      endedAt,
      devices: devices.map(
        ({
          serial,
          model,
          media,
          capacityBytes,
          result,
          method,
          technique,
          standard,
          techniqueTable,
          verification,
          at,
        }) => ({
          serial,
          model,
          media,
          capacityBytes,
          result,
          method,
          technique,
          standard,
          techniqueTable,
          verification,
          at,
        }),
      ),
      gates: gates.map(({ gate, status }) => ({ gate, status })),
      limits: said.slice(0, limits.length),
    },
  };
}

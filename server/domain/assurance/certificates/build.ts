// Builds the statement of a reclamation at its end, from the records. Pure: equal records give equal bytes.
import canonicalize from "canonicalize";
import { z } from "zod";
import {
  gateNames,
  gateStatuses,
  laterGates,
  statusAsOfNow,
} from "@/server/domain/reclamations/gates/gate-names";
import { exceptionEntries, exceptionFault } from "@/server/domain/assurance/certificates/exceptions";
import { deviceEntries } from "@/server/domain/assurance/certificates/devices";
import type { Standing } from "@/server/domain/assurance/standing";
import { canonicalDigest } from "@/server/domain/assurance/certificates/digest";
import { isMeasured, limitsOf } from "@/server/domain/assurance/certificates/limits";
import { deviceList } from "@/server/domain/assurance/certificates/records";
import type { CertificateRecords } from "@/server/domain/assurance/certificates/records";
import {
  predicateType,
  statement as statementForm,
  statementType,
  typeOfStanding,
} from "@/server/domain/assurance/certificates/statement";
import type { DeviceEntry } from "@/server/domain/assurance/certificates/device-entry";
import type { Statement } from "@/server/domain/assurance/certificates/statement";
import { restsOnOf, skuDrivesOf, standingOfRecords } from "@/server/domain/assurance/certificates/standing";

/** Why there is no certificate, as a sentence without a full stop. */
export class NoCertificate extends Error {
  override readonly name = "NoCertificate";
}

export interface CertificateFacts {
  readonly id: string;
  /** Name of the audit log that it goes into. */
  readonly issuer: string;
  /** Written in the transaction that ends the reclamation. */
  readonly atTheEnd: boolean;
  /** The outcome with which the reclamation ended or is about to end, such as `ready`. */
  readonly outcome: string;
  readonly message: string | null;
}

type Known = z.infer<typeof deviceList>;

/** The gate itself says that not every drive has a result, and why that is acceptable. */
const cleaningLeftOut = (gates: Statement["predicate"]["gates"]): boolean =>
  gates.some(({ gate, status }) => gate === "storageSanitized" && status !== "satisfied");

/** Every gate is on record, except those that its release did not have yet. */
const isWhole = (gates: Statement["predicate"]["gates"]): boolean =>
  gateNames.every((name) => laterGates.has(name) || gates.some(({ gate }) => gate === name));

/** Outcomes of a host that is clean according to its gates but is not allocated again. */
const endsClean: ReadonlySet<string> = new Set(["cleaned", "handedToRepair", "decommissioned"]);

/**
 * Why no erase of the reclamation counts; null: they do. If a person ended the reclamation, its erases may have been voided since, and gates that did not
 * all pass prove nothing about them (docs/adr/0020-a-boot-is-proven.md). The gate `healthy` does not matter, because health says nothing about drives.
 */
function doubtOf(outcome: string, gates: Statement["predicate"]["gates"]): string | null {
  if (outcome === "ready") return null;
  const clean =
    endsClean.has(outcome) &&
    isWhole(gates) &&
    gates.some(({ gate, status }) => gate === "storageSanitized" && status === "satisfied") &&
    gates.every(({ gate, status }) => gate === "healthy" || status !== "unsatisfied");
  // safety: certificate: no erase counts whose gates were not passed
  if (!clean)
    return "an erase is on record, but the reclamation ended before the gates were passed: it does not count";
  return null;
}

/** A gate that is not implemented lets a host pass only on a demo site, whatever the site is marked as now. */
function isDemo(demo: boolean, outcome: string, gates: Statement["predicate"]["gates"]): boolean {
  // safety: certificate: a gate that is not implemented certifies nothing
  if (outcome === "ready" && gates.some(({ status }) => status === "not implemented")) return true;
  return demo;
}

const storedGate = z.object({ gate: z.enum(gateNames), status: z.enum(gateStatuses), reason: z.string() });

/** In the display order. */
const orderedGates = (gates: CertificateRecords["gates"]): Statement["predicate"]["gates"] =>
  gates
    .flatMap(({ status, ...gate }) => {
      const asOfNow = statusAsOfNow(status, gate.reason);
      return storedGate.safeParse({ ...gate, status: asOfNow }).data ?? [];
    })
    .sort((a, b) => gateNames.indexOf(a.gate) - gateNames.indexOf(b.gate));

/** Members of a policy that a certificate names. Policies of other releases may have other members. */
const policyFacts = z.object({ sanitization: z.object({ standard: z.string(), minimum: z.unknown() }) });

/** A subject's digest covers only what anybody can read off the device itself. */
const subjectOf = (kind: "host" | "drive", model: string, serial: string) => ({
  name: `${kind}/${serial}`,
  digest: { sha256: canonicalDigest({ kind, model, serial }) },
});

/**
 * A certificate, or a record of non-conformance if the reclamation did not end in Ready. Throws NoCertificate if an expected drive has no result and
 * nobody has answered for it.
 */
export function buildStatement(records: CertificateRecords, facts: CertificateFacts): Statement {
  const { host, reclamation } = records;
  const parsed = deviceList.safeParse(reclamation.devices);
  const known: Known = parsed.data ?? { expected: [], excluded: [], missing: [], answered: [] };
  const gates = orderedGates(records.gates);
  const demo = isDemo(host.demo, facts.outcome, gates);
  const devices = deviceEntries(known, records, doubtOf(facts.outcome, gates));
  const exceptions = exceptionEntries(records);
  const fault = facts.outcome === "ready" ? exceptionFault({ exceptions, gates, devices }) : null;
  // safety: certificate: exceptions cover what is open
  if (fault !== null) throw new NoCertificate(fault);
  if (facts.outcome === "ready") refuseOpen(devices, known, gates);
  const built = statementForm.safeParse({
    _type: statementType,
    subject: [
      subjectOf("host", host.model ?? "", reclamation.hostSerial),
      ...devices.map(({ model, serial }) => subjectOf("drive", model, serial)),
    ],
    predicateType,
    predicate: {
      certificate: certificateEntry(
        facts,
        demo,
        standingOfRecords(records, { gates, devices, missing: known.missing }, facts.outcome),
      ),
      exceptions,
      host: hostEntry(records),
      reclamation: reclamationEntry(records, facts),
      policy: policyEntry(records, demo),
      devices,
      ...listsOf(known),
      gates,
      boots: records.boots,
      procedures: records.procedures,
      agentIdentity: isMeasured(gates) ? "measured boot" : "network only",
      measuredBoot: isMeasured(gates) ? records.measuredBoot : null,
      form: formOf(records, facts),
      limits: limitsOf(gates, isMeasured(gates) ? records.measuredBoot : null, demo),
    },
  });
  if (!built.success) throw new NoCertificate(`the records do not fit: ${z.prettifyError(built.error)}`);
  return built.data;
}

const certificateEntry = (
  { id, issuer, atTheEnd, outcome }: CertificateFacts,
  demo: boolean,
  standing: Standing,
): Statement["predicate"]["certificate"] => ({
  id,
  type: typeOfStanding(standing, outcome === "ready", demo),
  issuer,
  atTheEnd,
  standing,
});

function policyEntry({ reclamation }: CertificateRecords, demo: boolean): Statement["predicate"]["policy"] {
  const policy = policyFacts.safeParse(reclamation.policy).data?.sanitization;
  return {
    version: reclamation.policyVersion,
    sha256: canonicalDigest(reclamation.policy),
    standard: policy?.standard ?? null,
    level: policy === undefined ? null : (canonicalize(policy.minimum) ?? null),
    demo,
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

/** Every expected drive needs a result, a disposition, or a gate that requires none. */
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
  const excepted = gates.some(({ gate, status }) => gate === "storageSanitized" && status === "excepted");
  // safety: certificate: a drive that is missing
  if (lost !== undefined && (!leftOut || excepted))
    throw new NoCertificate(`drive ${lost.serial} is missing, and nobody has said what became of it`);
  // safety: certificate: gates on record
  if (!isWhole(gates)) throw new NoCertificate("not every gate is on record");
}

function hostEntry({ host, reclamation }: CertificateRecords): Statement["predicate"]["host"] {
  const { id, name, systemUuid, manufacturer, model, sku, site, rack, slot, hardwareType } = host;
  const serial = reclamation.hostSerial;
  return {
    ...{ id, name, serial, systemUuid, assetTag: null, manufacturer, model, sku, site, rack, slot },
    ...{ hardwareType, skuDrives: skuDrivesOf(host) },
  };
}

function reclamationEntry(
  { reclamation }: CertificateRecords,
  { outcome, message }: CertificateFacts,
): Statement["predicate"]["reclamation"] {
  const { id, number, kind, instanceId, tenantId, requestedBy, startedAt, endedAt } = reclamation;
  return {
    ...{ id, number, kind, instanceId, tenantId, requestedBy, startedAt, endedAt, outcome, message },
    restsOn: restsOnOf(reclamation),
  };
}

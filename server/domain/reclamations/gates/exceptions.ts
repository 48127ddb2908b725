// Exceptions: two people let one gate, or one drive under `storageSanitized`, through in one reclamation (docs/adr/0105-exceptions-and-dispositions.md).
import { gateTable } from "@/server/domain/reclamations/gates/gate-names";
import { evidenceDigest } from "@/server/domain/assurance/approvals/evidence-digest";
import { evaluateGates } from "@/server/domain/reclamations/gates/evaluate";
import type { GateName } from "@/server/domain/reclamations/gates/gate-names";
import type { GateEvidenceInput, GateResult } from "@/server/domain/reclamations/gates/gate-rule";
import { ofOneStep } from "@/server/domain/reclamations/gates/gate-rule";
import { storageSanitized } from "@/server/domain/reclamations/gates/storage";
import type { DeviceVerdict } from "@/server/domain/hosts/record/reclamation";
import { deviceKey } from "@/server/domain/hosts/inventory/inventory";

export interface ExceptedDevice {
  readonly serial: string;
  readonly model: string;
}

/** An exception that another person approved and that was not voided. */
export interface GateException {
  readonly id: string;
  readonly gate: GateName;
  /** Null: the whole gate. */
  readonly device: ExceptedDevice | null;
  /** Digest of what it was requested for: `exceptionEvidence` or, for a drive, `driveEvidence`. */
  readonly evidence: string;
  readonly validUntilMs: number;
  readonly reason: string;
  readonly by: string;
  readonly askedAtMs: number;
  readonly approvedBy: string;
  readonly approvedAtMs: number;
}

/** The reclamation, its plan, and the time of the evaluation. */
export interface ExceptionFacts {
  readonly reclamationId: string;
  readonly planEpoch: number;
  readonly nowMs: number;
}

/** Boot numbers. The same reading in a later boot is not new evidence. */
const bootMembers: ReadonlySet<string> = new Set(["epoch", "readEpoch"]);

function withoutBoots(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutBoots);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, member]) => !bootMembers.has(name) && member !== undefined)
      .map(([name, member]) => [name, withoutBoots(member)]),
  );
}

type ExceptionContext = Pick<ExceptionFacts, "reclamationId" | "planEpoch">;

/** What an exception for a whole gate covers, bound by its digest. Another plan, status, reason or evidence is not covered. Pure. */
export const exceptionEvidence = (
  { reclamationId, planEpoch }: ExceptionContext,
  { gate, status, reason, evidence }: GateResult,
): Readonly<Record<string, unknown>> => ({
  ...{ reclamationId, planEpoch, gate, status, reason },
  evidence: withoutBoots(evidence),
});

/** The latest result of a drive; null: none. */
type Verdict = Pick<DeviceVerdict, "verdict" | "reason"> | null;

/**
 * The same for one drive. It contains only what is known of this drive, since the others are proven on their own. So the exception can be requested when the
 * step that erases the drive has stopped, and it still matches at the gates. Pure.
 */
export const driveEvidence = (
  { reclamationId, planEpoch }: ExceptionContext,
  { serial, model }: ExceptedDevice,
  found: Verdict,
): Readonly<Record<string, unknown>> => ({
  ...{ reclamationId, planEpoch, gate: "storageSanitized", device: { serial, model } },
  status: found?.verdict ?? "none",
  reason: found?.reason ?? "no result",
});

/** Exceptions for the whole gate that match its current result. Pure. */
export const ofGate = (
  found: GateResult,
  exceptions: readonly GateException[],
  facts: ExceptionFacts,
): readonly GateException[] =>
  exceptions.filter(
    (each) =>
      each.gate === found.gate &&
      each.device === null &&
      each.validUntilMs > facts.nowMs &&
      each.evidence === evidenceDigest(exceptionEvidence(facts, found)),
  );

/** Exceptions for drives that match their current results. A sanitized drive needs none. Pure. */
export const ofDrives = (
  verdicts: readonly DeviceVerdict[],
  exceptions: readonly GateException[],
  facts: ExceptionFacts,
): readonly GateException[] =>
  exceptions.filter(({ gate, device, validUntilMs, evidence }) => {
    if (gate !== "storageSanitized" || device === null) return false;
    const found = verdicts.find((each) => deviceKey(each) === deviceKey(device)) ?? null;
    return (
      found?.verdict !== "sanitized" &&
      validUntilMs > facts.nowMs &&
      evidence === evidenceDigest(driveEvidence(facts, device, found))
    );
  });

/** The result of the gate without these drives and with nothing else left out. */
function withoutDevices(input: GateEvidenceInput, left: ReadonlySet<string>) {
  const expected = input.devices.expected.filter((device) => !left.has(deviceKey(device)));
  return storageSanitized({
    ...input,
    devices: { ...input.devices, expected },
    deviceVerdicts: input.deviceVerdicts.filter((device) => !left.has(deviceKey(device))),
    // An empty list normally proves nothing, but here the drives are known and covered by exceptions.
    skuHasStorage: expected.length === 0 ? false : input.skuHasStorage,
  });
}

const iso = (ms: number): string => new Date(ms).toISOString();

const letThrough = (found: GateResult, by: readonly GateException[], reason: string): GateResult => ({
  gate: found.gate,
  status: "excepted",
  reason,
  evidence: {
    ...found.evidence,
    found: { status: found.status, reason: found.reason },
    exceptions: by.map((each) => ({
      id: each.id,
      ...(each.device === null ? {} : { serial: each.device.serial, model: each.device.model }),
      ...{ reason: each.reason, by: each.by, askedAt: iso(each.askedAtMs) },
      ...{ approvedBy: each.approvedBy, approvedAt: iso(each.approvedAtMs), until: iso(each.validUntilMs) },
    })),
  },
});

const whoText = (each: GateException): string =>
  `asked by ${each.by}, approved by ${each.approvedBy}, until ${iso(each.validUntilMs).slice(0, 16)}Z`;

function excepted(
  found: GateResult,
  input: GateEvidenceInput,
  exceptions: readonly GateException[],
  facts: ExceptionFacts,
): GateResult {
  if (found.status !== "unsatisfied" && found.status !== "not implemented") return found;
  // safety: exceptions: nothing leaves the fleet by one
  if (input.kind === "decommission") return found;
  const scope = gateTable[found.gate].exception;
  // safety: exceptions: gates that have none
  if (scope === "never") return found;
  const own =
    scope === "device" ? ofDrives(input.deviceVerdicts, exceptions, facts) : ofGate(found, exceptions, facts);
  const [first] = own;
  if (first === undefined) return found;
  if (scope === "whole") return letThrough(found, own, `${found.reason}; let through: ${whoText(first)}`);
  const rest = withoutDevices(
    input,
    new Set(own.flatMap(({ device }) => (device === null ? [] : [deviceKey(device)]))),
  );
  // safety: exceptions: the other drives are proven
  if (rest.status !== "satisfied" && rest.status !== "waived") return found;
  const words = own.map((each) => `drive ${each.device?.serial ?? ""} is not sanitized; ${whoText(each)}`);
  return letThrough(found, own, words.join("; "));
}

/** A step that may be excepted together with its drives: one that only erases. Pure. */
export const erasesOnly = ({ proves }: { readonly proves: readonly GateName[] }): boolean =>
  proves.length > 0 && proves.every((gate) => gate === "storageSanitized");

/** A step that failed and was left out, with every gate that it should have proven. */
function goesWith(run: GateEvidenceInput["plan"][number], results: readonly GateResult[]): boolean {
  const isExcepted = (gate: GateName) =>
    results.some((each) => each.gate === gate && each.status === "excepted");
  // safety: exceptions: a step goes with its drives only
  if (!run.proves.every(isExcepted)) return false;
  return run.status === "excepted" && run.proves.length > 0;
}

/** Steps that were left out do not count as missing, as long as the same exceptions cover their gates: of drives, or of what one step proves. */
function withItsSteps(
  found: GateResult,
  input: GateEvidenceInput,
  results: readonly GateResult[],
  own: readonly GateException[],
): GateResult {
  if (found.gate !== "cleanupCompleted" || found.status !== "unsatisfied") return found;
  const left = input.plan.filter((run) => goesWith(run, results));
  if (left.length === 0) return found;
  const rest = evaluateGates({
    ...input,
    plan: input.plan.map((run) => (left.includes(run) ? { ...run, status: "succeeded" as const } : run)),
  }).find(({ gate }) => gate === found.gate);
  return rest?.status === "satisfied"
    ? letThrough(found, own, `${found.reason}, with its drives: ${own.map(whoText).join("; ")}`)
    : found;
}

/** All gates, with exceptions applied. Pure. */
export function evaluateWithExceptions(
  input: GateEvidenceInput,
  exceptions: readonly GateException[],
  facts: ExceptionFacts,
): readonly GateResult[] {
  const gates = evaluateGates(input);
  const results = gates.map((found) => excepted(found, input, exceptions, facts));
  const own = [
    ...ofDrives(input.deviceVerdicts, exceptions, facts),
    ...gates
      .filter(({ gate }) => ofOneStep.includes(gate))
      .flatMap((found) => ofGate(found, exceptions, facts)),
  ];
  return results.map((found) => withItsSteps(found, input, results, own));
}

/** The earliest end of an exception that these gates depend on; null: they depend on none. Pure. */
export function exceptedUntilMs(
  results: readonly GateResult[],
  exceptions: readonly GateException[],
): number | null {
  const gates = new Set(results.flatMap(({ gate, status }) => (status === "excepted" ? [gate] : [])));
  const ends = exceptions.filter(({ gate }) => gates.has(gate)).map(({ validUntilMs }) => validUntilMs);
  return ends.length === 0 ? null : Math.min(...ends);
}

// Exceptions: one gate, or one drive under `storageSanitized`, of one reclamation let through on purpose by two people (docs/adr/0105-exceptions-and-dispositions.md).
import { evidenceDigest } from "@/server/domain/approvals/evidence-digest";
import { exceptionScope } from "@/server/domain/gates/exception-scope";
import { evaluateGates } from "@/server/domain/gates/evaluate";
import type { GateName } from "@/server/domain/gates/gate-names";
import type { GateEvidenceInput, GateResult } from "@/server/domain/gates/gate-rule";
import { storageSanitized } from "@/server/domain/gates/storage";
import { deviceKey } from "@/server/domain/inventory/inventory";

export interface ExceptedDevice {
  readonly serial: string;
  readonly model: string;
}

/** One that another person approved and that was not voided. */
export interface GateException {
  readonly id: string;
  readonly gate: GateName;
  /** Null: the whole gate. */
  readonly device: ExceptedDevice | null;
  /** Digest of what it was asked for: `exceptionEvidence`. */
  readonly evidence: string;
  readonly validUntilMs: number;
  readonly reason: string;
  readonly by: string;
  readonly askedAtMs: number;
  readonly approvedBy: string;
  readonly approvedAtMs: number;
}

/** Of the reclamation: its plan, and when it is evaluated. */
export interface ExceptionFacts {
  readonly reclamationId: string;
  readonly planEpoch: number;
  readonly nowMs: number;
}

/** Numbers of boots: reading the same again in a later boot is no new evidence. */
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

type Asked = Pick<ExceptionFacts, "reclamationId" | "planEpoch">;

/** What a person asks to let through of a whole gate, as its digest binds it: another plan, status, reason or evidence is another one. Pure. */
export const exceptionEvidence = (
  { reclamationId, planEpoch }: Asked,
  { gate, status, reason, evidence }: GateResult,
): Readonly<Record<string, unknown>> => ({
  ...{ reclamationId, planEpoch, gate, status, reason },
  evidence: withoutBoots(evidence),
});

/** What the newest result says of a drive; null: there is none. */
type DriveVerdict = Pick<GateEvidenceInput["deviceVerdicts"][number], "verdict" | "reason"> | null;

/**
 * The same of one drive: what is said of this drive, and nothing of the others, which are proven by themselves. So it may be asked for where the step
 * that erases it stopped, and holds at the gates. Pure.
 */
export const driveEvidence = (
  { reclamationId, planEpoch }: Asked,
  { serial, model }: ExceptedDevice,
  found: DriveVerdict,
): Readonly<Record<string, unknown>> => ({
  ...{ reclamationId, planEpoch, gate: "storageSanitized", device: { serial, model } },
  status: found?.verdict ?? "none",
  reason: found?.reason ?? "no result",
});

/** Exceptions of whole gates that count for what was found now. */
const ofGate = (
  found: GateResult,
  exceptions: readonly GateException[],
  facts: ExceptionFacts,
): readonly GateException[] =>
  exceptions.filter(
    (each) =>
      each.gate === found.gate &&
      each.device === null &&
      /* safety: exceptions: none after its end */ each.validUntilMs > facts.nowMs &&
      /* safety: exceptions: new evidence is not what was approved */ each.evidence ===
        evidenceDigest(exceptionEvidence(facts, found)),
  );

/** Exceptions of drives that count for what is said of these drives now. A drive that is sanitized needs none. Pure. */
export const ofDrives = (
  verdicts: GateEvidenceInput["deviceVerdicts"],
  exceptions: readonly GateException[],
  facts: ExceptionFacts,
): readonly GateException[] =>
  exceptions.filter(({ gate, device, validUntilMs, evidence }) => {
    if (gate !== "storageSanitized" || device === null) return false;
    const found = verdicts.find((each) => deviceKey(each) === deviceKey(device)) ?? null;
    return (
      found?.verdict !== "sanitized" &&
      /* safety: exceptions: none of a drive after its end */ validUntilMs > facts.nowMs &&
      /* safety: exceptions: another result is not what was approved */ evidence ===
        evidenceDigest(driveEvidence(facts, device, found))
    );
  });

/** What remains of the gate where some drives are left out, and nothing else is. */
function withoutDevices(input: GateEvidenceInput, left: ReadonlySet<string>) {
  const expectedDevices = input.expectedDevices.filter((device) => !left.has(deviceKey(device)));
  return storageSanitized({
    ...input,
    expectedDevices,
    deviceVerdicts: input.deviceVerdicts.filter((device) => !left.has(deviceKey(device))),
    // Of no drive is anything proven by an empty list; these are known, and let through.
    skuHasStorage: expectedDevices.length === 0 ? false : input.skuHasStorage,
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

const whoWords = (each: GateException): string =>
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
  const scope = exceptionScope[found.gate];
  // safety: exceptions: gates that have none
  if (scope === "never") return found;
  const own =
    scope === "device" ? ofDrives(input.deviceVerdicts, exceptions, facts) : ofGate(found, exceptions, facts);
  const [first] = own;
  if (first === undefined) return found;
  if (scope === "whole") return letThrough(found, own, `${found.reason}; let through: ${whoWords(first)}`);
  const rest = withoutDevices(
    input,
    new Set(own.flatMap(({ device }) => (device === null ? [] : [deviceKey(device)]))),
  );
  // safety: exceptions: the other drives are proven
  if (rest.status !== "satisfied" && rest.status !== "not required") return found;
  const words = own.map((each) => `drive ${each.device?.serial ?? ""} is not sanitized; ${whoWords(each)}`);
  return letThrough(found, own, words.join("; "));
}

/** A step that was let through with its drives: erases, and nothing else. Pure. */
export const erasesOnly = ({ proves }: { readonly proves: readonly GateName[] }): boolean =>
  proves.length > 0 && proves.every((gate) => gate === "storageSanitized");

/** Steps that stopped at drives which exceptions let through are no steps that are missing, as long as the gate of the drives is let through by the same. */
function withItsSteps(
  found: GateResult,
  input: GateEvidenceInput,
  results: readonly GateResult[],
  own: readonly GateException[],
): GateResult {
  if (found.gate !== "cleanupCompleted" || found.status !== "unsatisfied") return found;
  const storage = results.find(({ gate }) => gate === "storageSanitized");
  // safety: exceptions: a step goes with its drives only
  if (storage?.status !== "excepted" || own.length === 0) return found;
  const left = input.plan.filter((run) => run.status === "excepted" && erasesOnly(run));
  const rest = evaluateGates({
    ...input,
    plan: input.plan.map((run) => (left.includes(run) ? { ...run, status: "succeeded" } : run)),
  }).find(({ gate }) => gate === found.gate);
  return rest?.status === "satisfied"
    ? letThrough(found, own, `${found.reason}, with its drives: ${own.map(whoWords).join("; ")}`)
    : found;
}

/** All gates, and those that exceptions let through. Pure. */
export function evaluateWithExceptions(
  input: GateEvidenceInput,
  exceptions: readonly GateException[],
  facts: ExceptionFacts,
): readonly GateResult[] {
  const results = evaluateGates(input).map((found) => excepted(found, input, exceptions, facts));
  const own = ofDrives(input.deviceVerdicts, exceptions, facts);
  return results.map((found) => withItsSteps(found, input, results, own));
}

/** When the first exception ends on which these gates rest; null: they rest on none. Pure. */
export function exceptedUntilMs(
  results: readonly GateResult[],
  exceptions: readonly GateException[],
): number | null {
  const gates = new Set(results.flatMap(({ gate, status }) => (status === "excepted" ? [gate] : [])));
  const ends = exceptions.filter(({ gate }) => gates.has(gate)).map(({ validUntilMs }) => validUntilMs);
  return ends.length === 0 ? null : Math.min(...ends);
}

// The gate `deviceMemoryCleared`: every GPU and NVLink switch was cleared in this plan, or the host was without power (docs/adr/0144-device-memory.md).
import { memoryDrain } from "@/server/domain/assurance/procedures/standing";
import type { RecordFacts } from "@/server/domain/assurance/procedures/standing";
import { fullAcDrain } from "@/server/domain/assurance/procedures/procedure";
import { canaryAt, judgeMemory, memoryDevice } from "@/server/domain/hosts/device-memory/device-memory";
import type {
  CanaryResult,
  MemoryDevice,
  MemoryVerdict,
} from "@/server/domain/hosts/device-memory/device-memory";
import { nameOfPart } from "@/server/domain/hosts/parts/part";
import {
  bootEpochOf,
  disabled,
  disabledFor,
  notRequired,
  rechecked,
  satisfied,
  skipped,
  unprovenBoot,
  unsatisfied,
  waivedByPolicy,
} from "@/server/domain/reclamations/gates/gate-rule";
import type { Evaluated, GateEvidenceInput } from "@/server/domain/reclamations/gates/gate-rule";
import {
  drainNeeded as memoryDrainNeeded,
  procedureEvidence,
} from "@/server/domain/reclamations/gates/memory";

interface JudgedMemory extends MemoryDevice {
  readonly verdict: MemoryVerdict;
  readonly why: string;
  /** Left out: the step did not treat it. */
  readonly canary?: CanaryResult;
}

/**
 * Each device that the last boot lists, and each that the step treated and the last boot does not list any more: a device that fell off its bus keeps what it
 * holds. The step's results count only for the run that succeeded in this plan.
 */
function judged({ proven, plan }: GateEvidenceInput): JudgedMemory[] {
  const step = proven.memoryCleared;
  const counts = plan.some(({ id, status }) => id === step?.stepRunId && status === "succeeded");
  const results = counts ? (step?.devices ?? []) : [];
  const devices = proven.memoryDevices?.devices ?? [];
  const listed = new Set(devices.map(({ slot }) => slot));
  // safety: device memory: one that is not listed any more (empty)
  const gone = results.filter(({ slot }) => !listed.has(slot));
  return [...devices, ...gone].map((device) => {
    const canary = canaryAt(device.slot, results);
    return {
      ...memoryDevice.parse(device),
      ...judgeMemory(device, results),
      ...(canary === undefined ? {} : { canary }),
    };
  });
}

/** A signed drain of the host's power after the drives were erased, and after the step looked at the memory; undefined: none. */
function drained({ procedures, assurance, nowMs, proven }: GateEvidenceInput): RecordFacts | undefined {
  if (assurance === null) return undefined;
  const record = memoryDrain(procedures, assurance, nowMs);
  const lookedMs = Date.parse(proven.memoryCleared?.at ?? "");
  // safety: device memory: a drain from before the memory was looked at
  if (record !== undefined && record.recordedAtMs <= lookedMs) return undefined;
  return record;
}

const textOf = (each: JudgedMemory): string => `${nameOfPart(each)}: ${each.why}`;

const drainIt = `record the procedure ${fullAcDrain}, have it signed off and retry`;
const waysOn = `Put NVIDIA's gpu-admin-tools into the agent image and restart the plan, or ${drainIt}`;
const waysToKnow = `Boot a current image of Reclaim's agent, read the inventory again and restart the plan, or ${drainIt}`;

function judge(input: GateEvidenceInput): Evaluated {
  const found = input.proven.memoryDevices;
  const unproven = unprovenBoot(input);
  if (unproven !== null) return unproven;
  // safety: device memory: listed in the last boot
  if (found === undefined || found.epoch !== bootEpochOf(input.boot))
    return unsatisfied("whether the host has GPUs was not looked up in its last boot");
  const devices = judged(input);
  const evidence = { deviceMemory: devices };
  if (devices.length === 0 && found.why === null)
    return notRequired(
      "none of the host's PCI devices is a GPU, an accelerator or an NVLink switch",
      evidence,
    );
  const notCleared = devices.filter(({ verdict }) => verdict !== "cleared");
  // safety: device memory: unknown is not none (empty)
  const unknown = found.why === null ? [] : [found.why];
  const open = [...unknown, ...notCleared.map(textOf)];
  const record = drained(input);
  if (open.length > 0 && record !== undefined)
    return satisfied(`the host was without power: ${fullAcDrain}, signed off by ${record.decidedBy}`, {
      ...evidence,
      procedures: [procedureEvidence(record)],
    });
  const kept = devices.filter(({ verdict }) => verdict === "kept");
  // safety: device memory: no policy lets content pass
  if (kept.length > 0) return unsatisfied(kept.map(textOf).join("; "), evidence);
  const left = disabledFor(input, "deviceMemoryCleared");
  if (open.length > 0 && left.length > 0) return disabled(input, left, evidence);
  if (open.length > 0 && !input.requires.deviceMemoryCleared)
    return waivedByPolicy(
      input,
      `the site's policy does not require the memory of devices; not proven: ${open.join("; ")}`,
      evidence,
    );
  // safety: device memory: every device
  if (open.length > 0)
    return unsatisfied(`${open.join("; ")}. ${found.why === null ? waysOn : waysToKnow}`, evidence);
  return satisfied(
    `cleared: ${devices.map(({ slot, model }) => `${model} in slot ${slot}`).join(", ")}`,
    evidence,
  );
}

/** The result if it is skipped along with the cleaning; null: it must be proven. A device that came since the last cleaning was not cleared by it. */
function leftOut(input: GateEvidenceInput): Evaluated | null {
  // safety: device memory: a device that came since the last cleaning (true)
  const isSame = input.proven.memoryDevices?.changed !== true;
  return skipped(input) ?? (rechecked(input) && isSame ? notRequired("a recheck cleans nothing") : null);
}

export const deviceMemoryCleared = (input: GateEvidenceInput): Evaluated => leftOut(input) ?? judge(input);

/** Only a drain of the host's power can prove its memory, or that of its devices. */
export const drainNeeded = (input: GateEvidenceInput): boolean =>
  memoryDrainNeeded(input) ||
  (leftOut(input) === null &&
    drained(input) === undefined &&
    (typeof input.proven.memoryDevices?.why === "string" ||
      judged(input).some(({ verdict }) => verdict !== "cleared")));

// What SATA and SAS disks have in common: one area, `smartctl` health, and the meaning of their sanitize state.
import type { Technique } from "@/server/domain/sanitization/techniques";
import type { EraseStatus } from "@/agent/steps/erasable-device";
import type { Answer, Disk, DiskTools, SanitizeState } from "@/agent/tools/tools";
import type { Area } from "@/agent/verification/area";

export function wholeDisk(disk: Disk): Area {
  return {
    target: { kind: "disk", disk: disk.path },
    blocks: Number(disk.capacityBytes / BigInt(disk.blockBytes)),
    blockBytes: disk.blockBytes,
  };
}

export async function healthOf(disks: DiskTools, path: string): Promise<string | undefined> {
  const { value } = await disks.health(path);
  return value === null ? undefined : `SMART overall health ${value.passed ? "passed" : "failed"}`;
}

/** `techniques`: what each operation is called on this bus. */
export function statusOf(
  answer: Answer<SanitizeState>,
  state: SanitizeState,
  techniques: { readonly crypto: Technique; readonly block: Technique },
): EraseStatus {
  return {
    state: state.state,
    technique: state.operation === "unknown" ? null : techniques[state.operation],
    percent: state.percent,
    text: answer.status,
    estimateMs: null,
  };
}

export const atRest: EraseStatus = {
  state: "idle",
  technique: null,
  percent: 0,
  text: "no sanitize status on this device",
  estimateMs: null,
};

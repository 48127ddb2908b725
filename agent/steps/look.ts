// The drives' own status of their erases, read without changing anything: for a server that waits for an erase that no agent reports.
import type { DrivesBody } from "@/server/domain/agents/protocol";
import { isReadable, type ErasableDevice } from "@/agent/steps/erasable-device";
import { findAllDevices } from "@/agent/steps/erase-all/all-devices";
import { clip } from "@/agent/steps/results";
import type { Tools } from "@/agent/tools/tools";

type DriveReport = DrivesBody["drives"][number];

async function lookAt(device: ErasableDevice, blocks: Tools["blocks"]): Promise<DriveReport> {
  const { serial } = device.facts;
  const status = await device.readStatus();
  if (!status.ok) return { serial, state: "unknown", status: clip(status.problem, 500), remainingMs: null };
  const { state, percent, text, estimateMs } = status.value;
  // In the media verification state the drive waits for a command indefinitely and survives a loss of power.
  // safety: agent: a disk that says it is idle and cannot be read may be erasing
  if (state === "idle" && (await silent(device, blocks)))
    return {
      serial,
      state: "unknown",
      status: clip(`${text}, but it cannot be read, so its controller may not pass its status on`, 500),
      remainingMs: null,
    };
  if (state !== "running") return { serial, state: "idle", status: clip(text, 500), remainingMs: 0 };
  return {
    serial,
    state: "erasing",
    status: clip(text, 500),
    remainingMs: estimateMs === null ? null : Math.ceil(estimateMs * (1 - percent / 100)),
  };
}

/** An NVMe drive answers for itself; a disk's controller may answer for it. No block of a disk can be read while it erases. */
async function silent(device: ErasableDevice, blocks: Tools["blocks"]): Promise<boolean> {
  if (device.bus !== "ata" && device.bus !== "scsi") return false;
  return !(await isReadable(device, blocks));
}

/** The status of every drive that this boot shows. Empty if they cannot be listed, so that nobody takes them for idle. */
export async function lookAtDrives(around: { readonly tools: Tools }): Promise<DrivesBody["drives"]> {
  const found = await findAllDevices(around.tools);
  return found.ok ? await Promise.all(found.value.map((device) => lookAt(device, around.tools.blocks))) : [];
}

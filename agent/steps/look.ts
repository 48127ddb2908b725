// The drives' own status of their erases, read without changing anything: for a server that waits for an erase that no agent reports.
import type { DrivesBody } from "@/server/domain/agents/protocol";
import type { ErasableDevice } from "@/agent/steps/erasable-device";
import { findAllDevices } from "@/agent/steps/erase-all/all-devices";
import { clip } from "@/agent/steps/results";
import type { Tools } from "@/agent/tools/tools";

type Said = DrivesBody["drives"][number];

async function lookAt(device: ErasableDevice): Promise<Said> {
  const { serial } = device.facts;
  const status = await device.readStatus();
  if (!status.ok) return { serial, state: "unknown", status: clip(status.problem, 500), remainingMs: null };
  const { state, percent, text, estimateMs } = status.value;
  // In the media verification state the drive waits for a command indefinitely and survives a loss of power.
  if (state !== "running") return { serial, state: "idle", status: clip(text, 500), remainingMs: 0 };
  return {
    serial,
    state: "erasing",
    status: clip(text, 500),
    remainingMs: estimateMs === null ? null : Math.ceil(estimateMs * (1 - percent / 100)),
  };
}

/** The status of every drive that this boot shows. Empty if they cannot be listed, so that nobody takes them for idle. */
export async function lookAtDrives(around: { readonly tools: Tools }): Promise<DrivesBody["drives"]> {
  const found = await findAllDevices(around.tools);
  return found.ok ? await Promise.all(found.value.map(lookAt)) : [];
}

// Lenovo's M.2 NVMe 2-Bay RAID Kit through the vendor's `mnv_cli`, which sites may not redistribute. Without it in the image each call is refused, and
// the host stays out of allocation.
import { refused } from "@/agent/tools/machine/program/answers";
import { programs } from "@/agent/tools/machine/program/paths";
import type { Answer, BlockTarget, KitTools } from "@/agent/tools/tools";

type KitTarget = Extract<BlockTarget, { kind: "kit" }>;

/** Blocks of the drives in its bays. */
export interface KitBlocks {
  read(
    target: KitTarget,
    blockBytes: number,
    blocks: readonly number[],
  ): Promise<Answer<readonly (Uint8Array | null)[]>>;
  write(target: KitTarget, blockBytes: number, block: number, content: Uint8Array): Promise<Answer<true>>;
}

const words =
  "this agent cannot read what mnv_cli prints: its output is not published, and none was recorded. A drive in a RAID kit cannot be erased by it.";

const cannot = (...args: readonly string[]): Promise<Answer<never>> =>
  Promise.resolve(refused([programs.mnvCli, ...args].join(" "), words, 127));

export const kitTools: KitTools = {
  members: () => cannot("info", "-o", "pd"),
  volumes: () => cannot("info", "-o", "vd"),
  removeVolume: (_kit, volume) => cannot("vd", "-a", "delete", "-i", String(volume)),
  formatLeft: (_kit, bay) => cannot("passthru", "-i", String(bay), "-o", "0x06"),
  format: (_kit, bay) => cannot("passthru", "-i", String(bay), "-o", "0x80"),
  health: (_kit, bay) => cannot("passthru", "-i", String(bay), "-o", "0x02"),
};

export const kitBlocks: KitBlocks = {
  read: ({ bay }) => cannot("passthru", "-i", String(bay), "-o", "0x02"),
  write: ({ bay }) => cannot("passthru", "-i", String(bay), "-o", "0x01"),
};

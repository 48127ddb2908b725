// Erases one drive on a bench and returns what was found.
import type { JournalEvent } from "@/agent/steps/results";
import { eraseNvme } from "@/agent/steps/erase-nvme/erase-nvme";
import type { Bench, Erased } from "@/agent/tools/machine/testing/drives/bench";
import type { Technique } from "@/server/domain/cleaning/sanitization/techniques";

/** Erases the bench's NVMe drives with these techniques, in order if `fallback` allows it. */
export const eraseNvmeBy = (
  bench: Bench,
  nvme: readonly Technique[] = ["nvme-sanitize-block"],
  more: Parameters<Bench["erase"]>[2] = {},
  told: JournalEvent[] = [],
  fallback = true,
): Promise<Erased> =>
  bench.erase(
    eraseNvme,
    { fallback, techniques: { nvme: [...nvme], ssd: [], hdd: [], "raid-kit": [] } },
    more,
    told,
  );

/** The result of the only device. */
export const only = ({ outcome }: Erased): Erased["outcome"]["devices"][number] => {
  const [device] = outcome.devices;
  if (device === undefined || outcome.devices.length !== 1) throw new Error(outcome.message);
  return device;
};

// The drives that a plan or a manual cleaning is for: all that are known, except those that a person's statement answers for.
import type { HardwareInventory } from "@/server/domain/hosts/inventory/inventory";
import { outOfBandSerials } from "@/server/domain/hosts/inventory/platform";
import { answerDevices } from "@/server/domain/cleaning/sanitization/dispositions";
import { freezeDevices } from "@/server/domain/cleaning/sanitization/known-devices";
import type { DeviceList } from "@/server/domain/cleaning/sanitization/known-devices";
import { bmcKnown, readForListMs } from "@/server/controller/inventory/bmc-storage";
import type { Draft } from "@/server/controller/host/draft";

/** The device list as it stands now, from the agent's report of this boot, the BMC's reading, the debts and the dispositions (docs/adr/0023). */
export function frozenDevices(
  draft: Draft,
  agent: { readonly collectedMs: number; readonly body: Pick<HardwareInventory, "storage" | "unnamed"> },
): DeviceList {
  const { view } = draft;
  const read = draft.hardware.storage;
  const { storage: bmc, earlier, unresolved, platform } = bmcKnown(draft);
  const more = {
    earlier,
    unresolved,
    unnamed: agent.body.unnamed,
    rules: draft.policy.sanitization.excludedMedia,
  };
  const list = freezeDevices(
    bmc,
    agent.body.storage,
    view.debts.driveSerials,
    outOfBandSerials(platform),
    more,
  );
  return answerDevices(list, view.dispositions ?? [], [
    { takenMs: read === null ? readForListMs(draft) : draft.nowMs, storage: bmc },
    { takenMs: agent.collectedMs, storage: agent.body.storage },
  ]);
}

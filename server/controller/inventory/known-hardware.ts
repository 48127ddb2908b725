// What is known of a host's hardware, for its clean steps.
import type { OfferedStep } from "@/server/domain/agents/protocol";
import { hasMemoryDevices } from "@/server/domain/hosts/device-memory/device-memory";
import { stepOf } from "@/server/domain/hosts/fake/fake-steps";
import type { CleanStep, KnownHardware } from "@/server/domain/cleaning/steps/step";
import type { KnownDevice } from "@/server/domain/cleaning/sanitization/known-devices";
import type { StepKnown } from "@/server/hardware/interfaces";
import { bmcKnown } from "@/server/controller/inventory/bmc-storage";
import type { Draft } from "@/server/controller/host/draft";

/**
 * The frozen drives of the reclamation, and what agent, BMC and SKU add. While the agent works
 * (`WaitingForCleanup/HostCleanup`) a claim reads no inventory, so the drives are all that is known.
 */
export function knownHardware(
  draft: Draft,
  expected: readonly KnownDevice[] = draft.reclamation?.devices?.expected ?? [],
): KnownHardware {
  const { host, inventory } = draft.view;
  return {
    hardwareType: host.hardwareType,
    storage: expected.map(({ sources: _sources, ...device }) => device),
    infiniband: inventory.agent?.body.infiniband ?? [],
    memoryDevices: inventory.memoryDevices ?? hasMemoryDevices(inventory.agent?.body.parts),
    platform: bmcKnown(draft).platform,
    baseline: host.sku?.components.baseline ?? null,
    images: host.sku?.images ?? [],
    tpm: inventory.agent?.body.tpm ?? null,
  };
}

/** The clean step of that name for this host; null: unknown. */
export const declaredStep = (
  draft: Draft,
  { interface: name, step }: { readonly interface: string; readonly step: string },
): CleanStep | null => stepOf(draft.view.host, name, step, offeredSteps(draft));

/** The part of it that the code of a controller's step uses. */
export const stepKnown = ({ view, policy }: Draft): StepKnown => ({
  platform: view.platform,
  baseline: view.host.sku?.components.baseline ?? null,
  ...((view.host.sku?.images ?? []).length === 0
    ? {}
    : { images: view.host.sku?.images ?? [], ...(policy.reflashFirmware ? { reflash: true } : {}) }),
});

/** The steps that the host's newest agent offers, even if it is of an earlier boot. */
export function offeredSteps(draft: Draft): readonly OfferedStep[] {
  return (draft.view.lastAgent?.hardwareManagers ?? []).flatMap((manager) => manager.steps);
}

// BomValidating/…: a new inventory after the last restart of cleaning, held against the SKU and the treated devices.
import { skuDifference } from "@/server/domain/inventory/sku";
import { deviceSetDifference } from "@/server/domain/sanitization/known-devices";
import { ensureAgent, usableAgent } from "@/server/controller/boot";
import { goto, wait } from "@/server/controller/draft";
import type { Draft, Step } from "@/server/controller/draft";

export function bomBootingAgent(draft: Draft): Step {
  return ensureAgent(draft) ?? goto("BomValidating/UpdatingInventory", "the agent registered");
}

const silentAtMs = (draft: Draft): number | null => (draft.view.agent === null ? null : draft.view.agent.lastSeenMs + draft.policy.times.agentFreshMs + 1);

export function updatingInventory(draft: Draft): Step {
  if (!usableAgent(draft)) return goto("BomValidating/BootingAgent", "the inventory needs the agent");
  draft.take("discovery");
  draft.take("agentRegistered");
  const found = draft.view.inventory.agent;
  if (found !== null && found.bootEpoch === draft.bootEpoch && found.collectedMs > draft.enteredMs) {
    draft.command = null;
    return goto("BomValidating/VerifyingSku", "a new inventory was reported");
  }
  draft.command = { kind: "discover", id: `discover:${draft.bootEpoch}:${draft.enteredMs}` };
  return wait("the agent takes a new inventory", silentAtMs(draft));
}

export function verifyingSku(draft: Draft): Step {
  const { sku, skuAssigned } = draft.view.host;
  const found = draft.view.inventory.agent;
  if (found === null || found.bootEpoch !== draft.bootEpoch) return goto("BomValidating/UpdatingInventory", "no inventory of this boot");
  if (!skuAssigned) return goto("BomValidating/WaitingForSkuAssignment", "no SKU is assigned to the host");
  if (sku === null) return goto("BomValidating/SkuMissing", "the assigned SKU is gone");
  const differences = skuDifference(sku.components, found.body);
  const expected = draft.reclamation?.devices?.expected ?? [];
  const storage = draft.context.proven.cleaningSkipped ? null : deviceSetDifference(expected, found.body.storage.filter((device) => !device.removable && device.transport !== "virtual"));
  draft.context.proven.sku = { epoch: draft.bootEpoch, name: sku.name, differences: differences.length, storage };
  if (differences.length > 0) {
    const words = differences.map((row) => `${row.what}: ${row.wanted} wanted, ${row.found} found`).join("; ");
    draft.lastError = `differs from ${sku.name}: ${words}`;
    return goto("BomValidating/SkuVerificationFailed", draft.lastError);
  }
  draft.lastError = null;
  if (draft.policy.validationTests.length === 0) return goto("HostInit/Discovered", `equals ${sku.name}; the site has no tests`);
  // Tests run on a freshly restarted host; the restart after cleaning is such a one (docs/adr/0006).
  const fresh = draft.bootEpoch > (draft.context.proven.lastStepEpoch ?? 0);
  return goto(fresh ? "Validation/MachineValidating" : "Validation/RebootHost", `equals ${sku.name}`);
}

/** Nothing tells a host that its SKU was edited: it looks again after this. */
const lookAgainMs = 60_000;

/** Waits for a person or a new inventory: a corrected SKU, or an inventory that is reported later, is compared at once. */
export function waitingForSku(draft: Draft): Step {
  if (draft.takeIntent("restart") !== null) {
    draft.context.minEpoch = draft.bootEpoch + 1;
    draft.lastError = null;
    return goto("WaitingForCleanup/Queued", "restart was asked for");
  }
  const found = draft.view.inventory.agent;
  const { sku, skuAssigned } = draft.view.host;
  const here = skuAssigned ? (sku === null ? "BomValidating/SkuMissing" : "BomValidating/SkuVerificationFailed") : "BomValidating/WaitingForSkuAssignment";
  const newer = found !== null && found.bootEpoch === draft.bootEpoch && found.collectedMs > draft.enteredMs;
  const equal = found !== null && sku !== null && skuDifference(sku.components, found.body).length === 0;
  if (newer || here !== draft.state || equal) return goto("BomValidating/VerifyingSku", newer ? "a new inventory was reported" : "the SKU was changed");
  return wait(draft.lastError ?? "waits for a person or a new inventory", draft.nowMs + lookAgainMs);
}

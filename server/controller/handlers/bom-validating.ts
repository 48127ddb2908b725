// BomValidating/…: a new inventory after the last restart of cleaning, held against the SKU and the treated devices.
import { heardUntilMs } from "@/server/domain/agents/signs-of-life";
import { skuDifference } from "@/server/domain/inventory/sku";
import { foundInventory } from "@/server/domain/inventory/found-inventory";
import type { HardwareInventory } from "@/server/domain/inventory/inventory";
import { deviceSetDifference, unnamedStorage } from "@/server/domain/sanitization/known-devices";
import { addUnresolved, ensureStorageReading } from "@/server/controller/inventory/bmc-storage";
import { ensureAgent, usableAgent } from "@/server/controller/boot/boot";
import { contentToRead } from "@/server/controller/inventory/content";
import { inspected } from "@/server/controller/inventory/inspection";
import type { Draft } from "@/server/controller/host/draft";
import { goto, wait } from "@/server/controller/host/handler-result";
import type { HandlerResult } from "@/server/controller/host/handler-result";

export function bomBootingAgent(draft: Draft): HandlerResult {
  return ensureAgent(draft) ?? goto("BomValidating/UpdatingInventory", "the agent registered");
}

const silentAtMs = (draft: Draft): number | null =>
  draft.view.agent === null
    ? null
    : heardUntilMs(draft.view.agent.lastSeenMs, draft.policy.times.agentFreshMs) + 1;

/** Everything that was found after cleaning, without media that are left out: what the agent sees, and what else the BMC lists. */
function foundAfterCleaning(draft: Draft, byAgent: HardwareInventory): HardwareInventory {
  const { outOfBand } = draft.context.proven;
  const byBmcOnly =
    /* safety: inventory: a reading of an earlier boot does not count → outOfBand != null */ outOfBand?.epoch ===
    draft.bootEpoch
      ? outOfBand.drives
      : [];
  return foundInventory(byAgent, byBmcOnly, draft.policy.sanitization.excludedMedia);
}

/**
 * The agent registered a moment ago, in a boot that began after the last step: what it said of the host then, at `collectedMs`, is as new as
 * an answer would be. Not while a step of the BMC still worked: its end may be read together with the registration.
 */
const justRegistered = (draft: Draft, collectedMs: number): boolean =>
  /* safety: inventory: a registration before the last step does not count */ draft.bootEpoch >
    (draft.context.proven.lastStepEpoch ?? 0) &&
  draft.steps.rows.every(
    ({ endedAtMs }) =>
      endedAtMs === null ||
      /* safety: inventory: a registration before a step of the BMC ended does not count (true) */ endedAtMs <
        collectedMs,
  ) &&
  draft.view.signals.some(
    ({ signal }) =>
      signal.kind === "agentRegistered" &&
      /* safety: inventory: a registration of another boot does not count */ signal.payload.bootEpoch ===
        draft.bootEpoch,
  );

export function updatingInventory(draft: Draft): HandlerResult {
  if (!usableAgent(draft)) return goto("BomValidating/BootingAgent", "the inventory needs the agent");
  draft.inbox.take("discovery");
  draft.inbox.take("agentRegistered");
  const found = draft.view.inventory.agent;
  const reading = ensureStorageReading(draft, "after");
  if (
    found !== null &&
    /* safety: inventory: one from before does not count */ found.bootEpoch === draft.bootEpoch &&
    (found.collectedMs > draft.run.enteredMs || justRegistered(draft, found.collectedMs))
  ) {
    draft.run.setCommand(null);
    // safety: inventory: what only the BMC reaches is read again
    if (reading !== null) return reading;
    return goto("BomValidating/VerifyingSku", "a new inventory was reported");
  }
  draft.run.setCommand({ kind: "discover", id: `discover:${draft.bootEpoch}:${draft.run.enteredMs}` });
  return wait("the agent takes a new inventory", silentAtMs(draft));
}

export function verifyingSku(draft: Draft): HandlerResult {
  const { sku, skuAssigned } = draft.view.host;
  const found = draft.view.inventory.agent;
  if (found === null || found.bootEpoch !== draft.bootEpoch)
    return goto("BomValidating/UpdatingInventory", "no inventory of this boot");
  if (!skuAssigned) return goto("BomValidating/WaitingForSkuAssignment", "no SKU is assigned to the host");
  if (sku === null) return goto("BomValidating/SkuMissing", "the assigned SKU is gone");
  // safety: inventory: no SKU is compared without the BMC's drives of this boot
  if (!draft.fake && draft.context.proven.outOfBand?.epoch !== draft.bootEpoch)
    return goto("BomValidating/UpdatingInventory", "the BMC's drives were not read in this boot");
  // safety: inventory: drives that the agent cannot name after cleaning
  addUnresolved(
    draft,
    unnamedStorage(found.body.unnamed ?? [], draft.policy.sanitization.excludedMedia).unresolved,
  );
  const present = foundAfterCleaning(draft, found.body);
  const differences = skuDifference(sku.components, present);
  const expected = draft.reclamation?.devices?.expected ?? [];
  const storage = draft.context.proven.cleaningSkipped
    ? null
    : deviceSetDifference(expected, present.storage);
  draft.memory.prove({
    sku: {
      epoch: draft.bootEpoch,
      name: sku.name,
      differences: differences.length,
      storage,
    },
  });
  // safety: inventory: the SKU
  if (differences.length > 0) {
    const words = differences
      .map((row) => `${row.what}: ${row.wanted} wanted, ${row.found} found`)
      .join("; ");
    const message = `differs from ${sku.name}: ${words}`;
    draft.run.setError(message);
    return goto("BomValidating/SkuVerificationFailed", message);
  }
  draft.run.setError(null);
  if (draft.policy.validationTests.length === 0 && contentToRead(draft) === null)
    return goto("HostInit/Discovered", `equals ${sku.name}; the site has no tests`);
  // Tests run on a freshly restarted host; the restart after cleaning is such a one (docs/adr/0006).
  const fresh = draft.bootEpoch > (draft.context.proven.lastStepEpoch ?? 0);
  return goto(fresh ? "Validation/MachineValidating" : "Validation/RebootHost", `equals ${sku.name}`);
}

/** Nothing tells a host that its SKU was edited: it looks again after this. */
const lookAgainMs = 60_000;

/** Waits for a person or a new inventory: a corrected SKU, or an inventory that is reported later, is compared at once. */
export function waitingForSku(draft: Draft): HandlerResult {
  if (draft.takeIntent("restart") !== null) {
    draft.needNewBoot();
    draft.run.setError(null);
    return goto("WaitingForCleanup/Queued", "restart was asked for");
  }
  if (inspected(draft)) {
    // Whatever was changed in the host, it was changed while it was off: only an agent that boots now sees it.
    draft.memory.forget("inspection");
    draft.memory.prove({ sku: null, tests: null });
    draft.run.setError(null);
    return goto("BomValidating/BootingAgent", "the BMC's inventory was read again; the agent's follows");
  }
  const found = draft.view.inventory.agent;
  const { sku, skuAssigned } = draft.view.host;
  const here = skuAssigned
    ? sku === null
      ? "BomValidating/SkuMissing"
      : "BomValidating/SkuVerificationFailed"
    : "BomValidating/WaitingForSkuAssignment";
  const newer =
    found !== null && found.bootEpoch === draft.bootEpoch && found.collectedMs > draft.run.enteredMs;
  const equal =
    found !== null &&
    sku !== null &&
    skuDifference(sku.components, foundAfterCleaning(draft, found.body)).length === 0;
  if (newer || here !== draft.state || equal)
    return goto("BomValidating/VerifyingSku", newer ? "a new inventory was reported" : "the SKU was changed");
  return wait(draft.run.kept.lastError ?? "waits for a person or a new inventory", draft.nowMs + lookAgainMs);
}

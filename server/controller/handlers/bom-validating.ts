// BomValidating/…: a new inventory after the last restart of cleaning, compared with the SKU and the treated devices.
import { ensureMeasured } from "@/server/controller/boot/measured";
import { heardUntilMs } from "@/server/domain/agents/signs-of-life";
import {
  comparisonVersion,
  formatDifference,
  readStoredSku,
  skuDifference,
  unreadableText,
} from "@/server/domain/hosts/inventory/sku";
import { matchSku } from "@/server/domain/hosts/inventory/sku-match";
import type { SkuComponents } from "@/server/domain/hosts/inventory/sku";
import type { SkuMatch } from "@/server/domain/hosts/inventory/sku-match";
import type { SkuCandidate } from "@/server/domain/hosts/record/view";
import { foundInventory } from "@/server/domain/hosts/inventory/found-inventory";
import type { HardwareInventory } from "@/server/domain/hosts/inventory/inventory";
import { bringsMemory, memoryDevicesOf } from "@/server/domain/hosts/device-memory/device-memory";
import { deviceSetDifference, unnamedStorage } from "@/server/domain/cleaning/sanitization/known-devices";
import { addUnresolved, ensureStorageReading } from "@/server/controller/inventory/bmc-storage";
import { ensureAgent } from "@/server/controller/boot/boot";
import { usableAgent } from "@/server/controller/host/usable-agent";
import {
  comparedParts,
  keepParts,
  noPartChanges,
  openText,
} from "@/server/controller/inventory/part-changes";
import type { ComparedParts } from "@/server/controller/inventory/part-changes";
import { contentToRead } from "@/server/controller/inventory/content";
import { inspected } from "@/server/controller/inventory/inspection";
import { wantedTests } from "@/server/controller/handlers/validation";
import type { Draft } from "@/server/controller/host/draft";
import { goto, wait } from "@/server/controller/host/handler-result";
import type { HandlerResult } from "@/server/controller/host/handler-result";

export function bomBootingAgent(draft: Draft): HandlerResult {
  return (
    ensureAgent(draft) ??
    ensureMeasured(draft) ??
    goto("BomValidating/UpdatingInventory", "the agent registered")
  );
}

const silentAtMs = (draft: Draft): number | null =>
  draft.view.agent === null
    ? null
    : heardUntilMs(draft.view.agent.lastSeenMs, draft.policy.times.agentFreshMs) + 1;

/** Everything found after cleaning except excluded media: what the agent sees, and the drives that only the BMC lists. */
function foundAfterCleaning(draft: Draft, byAgent: HardwareInventory): HardwareInventory {
  const { outOfBand } = draft.context.proven;
  const byBmcOnly = outOfBand?.epoch === draft.bootEpoch ? outOfBand.drives : [];
  return foundInventory(byAgent, byBmcOnly, draft.policy.sanitization.excludedMedia);
}

/**
 * The agent registered a moment ago, in a boot that began after the last step, so its inventory of `collectedMs` is as good as a new one. Not while
 * a step of the BMC was still running: the end of that step may be read together with the registration.
 */
const justRegistered = (draft: Draft, collectedMs: number): boolean =>
  draft.bootEpoch > (draft.context.proven.lastStepEpoch ?? 0) &&
  draft.steps.rows.every(({ endedAtMs }) => endedAtMs === null || endedAtMs < collectedMs) &&
  draft.view.signals.some(
    ({ signal }) => signal.kind === "agentRegistered" && signal.payload.bootEpoch === draft.bootEpoch,
  );

export function updatingInventory(draft: Draft): HandlerResult {
  if (!usableAgent(draft)) return goto("BomValidating/BootingAgent", "the inventory needs the agent");
  const unmeasured = ensureMeasured(draft);
  if (unmeasured !== null) return unmeasured;
  draft.inbox.take("discovery");
  draft.inbox.take("agentRegistered");
  const found = draft.view.inventory.agent;
  const reading = ensureStorageReading(draft, "after");
  if (
    found !== null &&
    found.bootEpoch === draft.bootEpoch &&
    (found.collectedMs > draft.run.enteredMs || justRegistered(draft, found.collectedMs))
  ) {
    draft.run.setCommand(null);
    // safety: inventory: what only the BMC reaches is read again
    if (reading !== null) return reading;
    return goto(
      draft.view.host.skuAssigned || draft.leaves
        ? "BomValidating/VerifyingSku"
        : "BomValidating/MatchingSku",
      "a new inventory was reported",
    );
  }
  draft.run.setCommand({ kind: "discover", id: `discover:${draft.bootEpoch}:${draft.run.enteredMs}` });
  return wait("the agent is taking a new inventory", silentAtMs(draft));
}

/** Matches a host without a SKU. Null: it has one, or the claim did not read the SKUs or the inventory. */
function matchOf(draft: Draft): SkuMatch<SkuCandidate> | null {
  const { skus, host, inventory } = draft.view;
  return skus === null || host.skuAssigned || inventory.agent === null
    ? null
    : matchSku(skus, foundAfterCleaning(draft, inventory.agent.body));
}

/** The agent's inventory, ready to be compared with a SKU, or what must happen first. */
function comparable(draft: Draft): HardwareInventory | HandlerResult {
  const found = draft.view.inventory.agent;
  if (found === null || found.bootEpoch !== draft.bootEpoch)
    return goto("BomValidating/UpdatingInventory", "no inventory of this boot");
  // safety: inventory: no SKU is compared without the BMC's drives of this boot
  if (!draft.fake && draft.context.proven.outOfBand?.epoch !== draft.bootEpoch)
    return goto("BomValidating/UpdatingInventory", "the BMC's drives were not read in this boot");
  return found.body;
}

/** A host without a SKU gets the only one that it matches, and is then compared with it like any other (docs/adr/0050-enrolment.md). */
export function matchingSku(draft: Draft): HandlerResult {
  if (draft.view.host.skuAssigned) return goto("BomValidating/VerifyingSku", "the host has a SKU");
  const found = comparable(draft);
  if ("kind" in found) return found;
  const match = matchOf(draft);
  if (match === null) return wait("reads the SKUs", draft.nowMs);
  if (!match.ok) {
    draft.run.setError(match.reason);
    return goto("BomValidating/WaitingForSkuAssignment", match.reason);
  }
  const { sku } = match;
  draft.run.setError(null);
  draft.hardware.matchSku(sku);
  // The plan was made without the SKU, so steps that its baseline asks for did not run.
  // safety: matching: cleaned as the SKU asks
  if (draft.reclamation?.planMade === true && (sku.components.baseline !== undefined || sku.hasPriorities)) {
    draft.needNewBoot();
    return goto(
      "WaitingForCleanup/Queued",
      `matches ${sku.name}, whose baseline or priorities were not in the plan`,
    );
  }
  return wait(`matches ${sku.name}`, draft.nowMs);
}

/** A person may assign a SKU while the host waits for one, or replace it: the plan was then made for another SKU, or for none. */
function isPlannedForOther({ reclamation }: Draft, sku: string): boolean {
  const plannedFor = reclamation?.planMade === true ? reclamation.plan?.sku : undefined;
  return plannedFor !== undefined && plannedFor !== sku;
}

export function verifyingSku(draft: Draft): HandlerResult {
  const { sku, skuAssigned } = draft.view.host;
  const found = comparable(draft);
  if ("kind" in found) return found;
  if (draft.leaves) return withoutSku(draft, found);
  if (!skuAssigned) return goto("BomValidating/MatchingSku", "no SKU is assigned to the host");
  if (sku === null) return goto("BomValidating/SkuMissing", "the assigned SKU was deleted");
  const read = readStoredSku(sku.components);
  if (!read.ok) {
    const message = unreadableText({ name: sku.name, faults: read.faults });
    draft.run.setError(message);
    return goto("BomValidating/SkuVerificationFailed", message);
  }
  const parts = comparedParts(draft, found);
  if (parts === null) return wait("reads what parts the host had", draft.nowMs);
  const present = drivesCompared(draft, found);
  const { count, message } = differencesOf({ ...sku, components: read.components }, present, parts);
  proveInventory(draft, present, parts, {
    ...{ name: sku.name, differences: count, comparison: comparisonVersion },
    ...(message === null ? {} : { words: message.slice(0, wordsLength) }),
  });
  // safety: inventory: the SKU
  if (message !== null) {
    draft.run.setError(message);
    return goto("BomValidating/SkuVerificationFailed", message);
  }
  keepParts(draft, found, parts);
  draft.run.setError(null);
  // safety: inventory: cleaned as the baseline of its SKU asks
  if (isPlannedForOther(draft, sku.name) && sku.components.baseline !== undefined) {
    draft.needNewBoot();
    return goto("WaitingForCleanup/Queued", `the plan did not include the baseline of ${sku.name}`);
  }
  return toTests(draft, `matches ${sku.name}`);
}

/** What differs from the SKU and what changed since the host was last verified; the message is null if nothing does. */
function differencesOf(
  { name, components }: { readonly name: string; readonly components: SkuComponents },
  present: HardwareInventory,
  { open }: ComparedParts,
): { readonly count: number; readonly message: string | null } {
  const differences = skuDifference(components, present);
  const words = [
    ...(differences.length === 0 ? [] : [`differs from ${name}: ${formatDifference(differences)}`]),
    ...(open.length === 0 ? [] : [openText(open)]),
  ];
  return {
    count: differences.length + open.length,
    message: words.length === 0 ? null : words.join("; "),
  };
}

/** Enough for the first few differences. The host's last error has them all. */
const wordsLength = 1_000;

/** A host that leaves the fleet may differ from its SKU, but its drives must be the ones that were erased. */
function withoutSku(draft: Draft, found: HardwareInventory): HandlerResult {
  proveInventory(draft, drivesCompared(draft, found), noPartChanges, { name: "no SKU", differences: 0 });
  return toTests(draft, "the host is leaving the fleet, so it is not compared with its SKU");
}

/** What is in the host after cleaning; drives without an identity are noted. */
function drivesCompared(draft: Draft, found: HardwareInventory): HardwareInventory {
  // safety: inventory: drives that the agent cannot name after cleaning
  addUnresolved(
    draft,
    unnamedStorage(found.unnamed ?? [], draft.policy.sanitization.excludedMedia).unresolved,
  );
  return foundAfterCleaning(draft, found);
}

function proveInventory(
  draft: Draft,
  present: HardwareInventory,
  { accepted }: ComparedParts,
  sku: Omit<NonNullable<Draft["context"]["proven"]["sku"]>, "epoch" | "storage">,
): void {
  const expected = draft.reclamation?.devices?.expected ?? [];
  const found = memoryDevicesOf(present.parts, draft.view.inventory.bmcParts ?? null);
  draft.memory.prove({
    memoryDevices: {
      epoch: draft.bootEpoch,
      why: found.known ? null : found.why,
      devices: found.known ? [...found.devices] : [],
      ...(accepted.some(bringsMemory) ? { changed: true } : {}),
    },
  });
  const storage = draft.context.proven.cleaningSkipped
    ? null
    : deviceSetDifference(expected, present.storage);
  draft.memory.prove({ sku: { epoch: draft.bootEpoch, ...sku, storage } });
}

/** Tests run on a freshly restarted host; the restart after cleaning counts (docs/adr/0014). */
function toTests(draft: Draft, words: string): HandlerResult {
  if (wantedTests(draft).length === 0 && contentToRead(draft) === null)
    return goto("HostInit/Discovered", `${words}; no tests are required`);
  const fresh = draft.bootEpoch > (draft.context.proven.lastStepEpoch ?? 0);
  return goto(fresh ? "Validation/MachineValidating" : "Validation/RebootHost", words);
}

/** An act that changes a SKU wakes the waiting hosts (`usecases/skus/wake-waiting.ts`); a change by the previous release or by SQL is noticed after this. */
const lookAgainMs = 10 * 60_000;

/** Why the host does not match the SKU as it is stored now, or which changes of its parts nobody accepted; null: it matches. */
function skuFault(
  draft: Draft,
  { name, components }: { readonly name: string; readonly components: unknown },
  found: HardwareInventory,
): string | null {
  const read = readStoredSku(components);
  if (!read.ok) return unreadableText({ name, faults: read.faults });
  const parts = comparedParts(draft, found) ?? noPartChanges;
  return differencesOf({ name, components: read.components }, foundAfterCleaning(draft, found), parts)
    .message;
}

/** Waits for a person or a new inventory. A corrected SKU, or an inventory reported later, is compared at once. */
export function waitingForSku(draft: Draft): HandlerResult {
  if (draft.takeIntent("restart") !== null) {
    draft.needNewBoot();
    draft.run.setError(null);
    return goto("WaitingForCleanup/Queued", "restart requested");
  }
  if (inspected(draft)) {
    // Hardware is changed while a host is off, so only an agent that boots now sees the change.
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
  const wrong = found === null || sku === null ? null : skuFault(draft, sku, found.body);
  const equal = found !== null && sku !== null && wrong === null;
  if (wrong !== null) draft.run.setError(wrong);
  if (newer || here !== draft.state || equal)
    return goto("BomValidating/VerifyingSku", newer ? "a new inventory was reported" : "the SKU was changed");
  const match = matchOf(draft);
  if (match?.ok === true) return goto("BomValidating/MatchingSku", `matches ${match.sku.name}`);
  if (match !== null) draft.run.setError(match.reason);
  return wait(
    draft.run.kept.lastError ?? "waiting for an operator or a new inventory",
    draft.nowMs + lookAgainMs,
  );
}

// The BMC's own list of drives, read again when a reclamation begins and after its last step (docs/adr/0019-what-a-bmc-did-not-say.md).
import { z } from "zod";
import { deviceKey, storageDevice } from "@/server/domain/inventory/inventory";
import type { StorageDevice } from "@/server/domain/inventory/inventory";
import { noPlatformFacts, storageFacts } from "@/server/domain/inventory/platform";
import { freezeDevices, unresolvedStorage } from "@/server/domain/sanitization/known-devices";
import { otherHost } from "@/server/controller/bmc-inventory";
import type { StoragePatch } from "@/server/controller/decision";
import { fail, wait } from "@/server/controller/draft";
import type { Draft, Step } from "@/server/controller/draft";
import { readOutcome, systemReading } from "@/server/controller/effect-outcome";
import type { EffectView, ReclamationView } from "@/server/controller/host-view";

/** `before`: for the list that is frozen; `after`: against the drives that were treated. */
export type ReadingPhase = "before" | "after";

const storageValue = z.object({ system: systemReading, storage: z.array(storageDevice), unresolved: z.array(unresolvedStorage), platform: storageFacts });

const order = z.object({ only: z.literal("storage"), of: z.string() });

/** Of a reading, so that one of another reclamation or plan never stands for it. */
export function readingOf(reclamation: Pick<ReclamationView, "id" | "planEpoch"> | null, phase: ReadingPhase): string {
  return `${reclamation?.id ?? ""}:${reclamation?.planEpoch ?? 0}:${phase}`;
}

const isOf = (effect: EffectView, of: string): boolean => effect.kind === "verify" && order.safeParse(effect.request).data?.of === of;

/** What is known of the host's drives by its BMC, with what this decision has read. */
export function bmcKnown({ storage, view }: Draft): StoragePatch {
  const { bmc, bmcEarlier: earlier = [], bmcUnresolved: unresolved = [] } = view.inventory;
  return storage ?? { storage: bmc ?? [], earlier, unresolved, platform: view.platform };
}

/** Asks for the reading that a boot makes time for, before the boot itself: what a machine shows while it starts may lack drives. */
export function beginStorageReading(draft: Draft, phase: ReadingPhase): void {
  const of = readingOf(draft.reclamation, phase);
  if (draft.fake || wasRead(draft, phase, of) || draft.view.effects.some((effect) => isOf(effect, of))) return;
  // Nothing is to be decided when it is done: the agent's registration wakes the host.
  draft.request("verify", { only: "storage", of }, draft.policy.times.failureRetryMs);
}

/** Whether this reading was taken in; after cleaning, in this very boot. */
function wasRead(draft: Draft, phase: ReadingPhase, of: string): boolean {
  const { storageRead, outOfBand } = draft.context.proven;
  return storageRead?.of === of && storageRead.readAt !== null && (phase === "before" || outOfBand?.epoch === draft.bootEpoch);
}

/** Null when the BMC's drives were read; else asks for it, follows it up, and says what it waits for. */
export function ensureStorageReading(draft: Draft, phase: ReadingPhase): Step | null {
  const effect = draft.takeEffect("verify");
  const of = readingOf(draft.reclamation, phase);
  if (draft.fake || wasRead(draft, phase, of)) return null;
  const outcome = effect === null || /* safety: inventory: a reading of another plan */ !isOf(effect, of) ? null : readOutcome(effect, draft.view.run.generation);
  if (outcome?.kind === "pending") return wait("the BMC's drives are being read", null);
  if (outcome?.kind === "done") return takeIn(draft, phase, of, storageValue.parse(outcome.value));
  if (outcome?.kind === "failed") return /* safety: plan: a failed reading never counts (null) */ notRead(draft, of, outcome.errorKind, outcome.message);
  const { storageRead } = draft.context.proven;
  const retryMs = storageRead?.of === of && storageRead.retryAt !== null ? Date.parse(storageRead.retryAt) : null;
  if (retryMs !== null && retryMs > draft.nowMs) return wait(`the BMC's drives could not be read: ${draft.lastError ?? ""}`, retryMs);
  draft.request("verify", { only: "storage", of });
  return wait("the BMC's drives are being read", null);
}

function takeIn(draft: Draft, phase: ReadingPhase, of: string, found: z.infer<typeof storageValue>): Step | null {
  const other = otherHost(draft, { system: found.system, macs: [], links: null });
  // safety: inventory: a BMC of another machine
  if (other !== null) return notRead(draft, of, "refused", other);
  const before = bmcKnown(draft);
  const listed = new Set(found.storage.map(deviceKey));
  // What was listed once is not gone because a reading lacks it: only `manage`, which reads the host anew, or a person's word takes it away.
  const earlier = [...new Map([...before.earlier, /* safety: plan: what the BMC listed once is not gone because a reading lacks it */ ...before.storage].map((device) => [deviceKey(device), device])).values()].filter((device) => !listed.has(deviceKey(device)));
  draft.storage = { storage: found.storage, earlier, unresolved: found.unresolved, platform: { ...noPlatformFacts, ...draft.view.platform, ...found.platform } };
  const readAt = new Date(draft.nowMs).toISOString();
  draft.context.proven = { ...draft.context.proven, storageRead: { of, readAt, retryAt: null, failures: 0 } };
  if (phase === "after") keepAfter(draft, readAt, found.storage);
  draft.lastError = null;
  return null;
}

/** Beside the drives that the agent is to show: those that only the BMC reaches, and those that nobody knew of. */
function keepAfter(draft: Draft, readAt: string, found: readonly StorageDevice[]): void {
  const devices = draft.reclamation?.devices ?? null;
  const agents = new Set((devices?.expected ?? []).filter(({ sources }) => sources.includes("agent")).map(deviceKey));
  draft.context.proven = { ...draft.context.proven, outOfBand: { epoch: draft.bootEpoch, readAt, drives: found.filter((device) => !agents.has(deviceKey(device))) } };
  if (devices === null) return;
  const known = new Set([...(devices.unresolved ?? []), ...(devices.resolved ?? [])].map(({ key }) => key));
  const listed = freezeDevices(found, [], [], [], { unresolved: bmcKnown(draft).unresolved });
  const fresh = (listed.unresolved ?? []).filter(({ key }) => !known.has(key));
  // safety: inventory: drives that cannot be named after cleaning
  if (fresh.length > 0) draft.patchReclamation({ devices: { ...devices, unresolved: [...(devices.unresolved ?? []), ...fresh] } });
}

/** A BMC is given time; one that goes on like that has its own cause, and nothing is cleaned by a list that may lack a drive. */
function notRead(draft: Draft, of: string, errorKind: string, message: string): Step {
  const { storageRead, ...proven } = draft.context.proven;
  const failures = (storageRead?.of === of ? storageRead.failures : 0) + 1;
  draft.lastError = message;
  if (failures >= draft.policy.times.bmcTries) {
    draft.context.proven = proven;
    const words = `The BMC's list of drives could not be read (${failures} tries): ${message}. A host is not cleaned by a list that may lack a drive.`;
    return fail(errorKind === "unreachable" ? "BmcUnreachable" : "BmcInventoryFailed", `${words} Correct the BMC, then retry.`);
  }
  const untilMs = draft.nowMs + draft.policy.times.bmcRetryMs;
  draft.context.proven = { ...proven, storageRead: { of, readAt: null, retryAt: new Date(untilMs).toISOString(), failures } };
  return wait(`the BMC's drives could not be read: ${message}`, untilMs);
}

// The BMC's own list of drives, read again when a reclamation begins and after its last step (docs/adr/0019-what-a-bmc-did-not-say.md).
import { bmcTrouble } from "@/server/controller/host/bmc-cause";
import type { BmcAnswer } from "@/server/controller/host/bmc-cause";
import { z } from "zod";
import { deviceKey, storedDevice } from "@/server/domain/hosts/inventory/inventory";
import type { StorageDevice } from "@/server/domain/hosts/inventory/inventory";
import { listedByBmcOnly } from "@/server/domain/hosts/inventory/found-inventory";
import { noPlatformFacts, storageFacts } from "@/server/domain/hosts/inventory/platform";
import { freezeDevices, unresolvedStorage } from "@/server/domain/cleaning/sanitization/known-devices";
import type { UnresolvedStorage } from "@/server/domain/cleaning/sanitization/known-devices";
import { judgePlatform, queryOf, tpmName } from "@/server/domain/hosts/platform/judge";
import { trusted } from "@/server/domain/hosts/record/column";
import type { PlatformQuery, PlatformReading } from "@/server/domain/hosts/platform/reading";
import { otherHost } from "@/server/controller/inventory/bmc-inventory";
import type { StoragePatch } from "@/server/controller/host/decision";
import { readOutcome, systemReading } from "@/server/controller/host/effect-outcome";
import type { EffectView } from "@/server/domain/hosts/record/effect";
import type { ReclamationView } from "@/server/domain/hosts/record/reclamation";
import type { Draft } from "@/server/controller/host/draft";
import { fail, wait } from "@/server/controller/host/handler-result";
import type { HandlerResult } from "@/server/controller/host/handler-result";

/** `before`: for the list to be frozen; `after`: to compare with the treated drives. */
const readingPhases = ["before", "after"] as const;
export type ReadingPhase = (typeof readingPhases)[number];

const storageValue = z.object({
  system: systemReading,
  storage: z.array(storedDevice),
  unresolved: z.array(unresolvedStorage),
  platform: storageFacts,
  // Effects of the previous version read no platform.
  reading: trusted<PlatformReading>().nullable().default(null),
});

const order = z.object({ only: z.literal("storage"), of: z.string() });

/** Identifies a reading, so that one of another reclamation or plan is never used for it. */
export function readingOf(
  reclamation: Pick<ReclamationView, "id" | "planEpoch"> | null,
  phase: ReadingPhase,
): string {
  return `${reclamation?.id ?? ""}:${reclamation?.planEpoch ?? 0}:${phase}`;
}

const isOf = (effect: EffectView, of: string): boolean =>
  effect.kind === "verify" && order.safeParse(effect.request).data?.of === of;

/** What the BMC has reported of the host's drives, including what this decision read. */
export function bmcKnown({ hardware: { storage }, view }: Draft): StoragePatch {
  const { bmc, bmcEarlier: earlier = [], bmcUnresolved: unresolved = [] } = view.inventory;
  return storage ?? { storage: bmc ?? [], earlier, unresolved, platform: view.platform };
}

/**
 * What to read of the platform after cleaning; nothing, because no gate asks for it: the host has no machine, leaves the fleet and owes nothing,
 * has no baseline yet, or its site does not require one.
 */
function platformOf(draft: Draft, phase: ReadingPhase): { readonly platform?: PlatformQuery } {
  const baseline = draft.view.host.sku?.components.baseline;
  return phase === "before" ||
    draft.fake ||
    (draft.leaves && draft.tenancy.debts === 0) ||
    baseline === undefined ||
    !draft.policy.requires.platformAtBaseline
    ? {}
    : { platform: queryOf(baseline) };
}

/**
 * The reading that the boot being ordered takes before its restart, because a starting machine may not list all drives. Null: none is due, or the platform
 * is read as well, which has to be after the restart: that applies what is pending at the BMC.
 * A boot that fails brings none; `ensureStorageReading` then requests a separate one (docs/adr/0019).
 */
export function storageWithBoot(draft: Draft): { readonly storage: string } | null {
  const phase = phaseOf(draft);
  if (phase === null || draft.fake || draft.reclamation === null) return null;
  const of = readingOf(draft.reclamation, phase);
  return wasRead(draft, phase, of) ||
    platformOf(draft, phase).platform !== undefined ||
    draft.view.effects.some((effect) => isOf(effect, of))
    ? null
    : { storage: of };
}

/** What the boot is for. `before`: the drives are frozen into a list of their own after it. */
export function phaseOf({ state, context, reclamation }: Draft): ReadingPhase | null {
  if (state === "ManualCleaning/BootingAgent" && reclamation?.devices === null) return "before";
  if (
    state === "Assigned/BootingWithDiscoveryImage" ||
    (state === "WaitingForCleanup/BootingAgent" && context.returnTo === "WaitingForCleanup/Init")
  )
    return "before";
  return state === "BomValidating/BootingAgent" ? "after" : null;
}

/** The drives as a boot read them before its restart. `read` is null if they could not be read. */
const readWithBoot = z.object({ storage: z.object({ of: z.string(), read: storageValue.nullable() }) });

/** Uses the reading of the boot of this epoch if it is the one that is due. Any other is dropped, and the drives are read separately. */
export function takeInWithBoot(draft: Draft, value: unknown, readAtMs: number): void {
  const told = readWithBoot.safeParse(value).data?.storage;
  // A claim without the inventory (`db/hot/host/claim.ts`) cannot tell what was listed before.
  if (told === undefined || told.read === null || draft.view.inventory.bmc === null) return;
  // Many BMCs list drives only while the machine is on: then they are read again after the restart.
  if (told.read.system.power !== "on" && told.read.storage.length === 0) return;
  const phase = readingPhases.find((name) => readingOf(draft.reclamation, name) === told.of);
  if (
    phase === undefined ||
    draft.fake ||
    otherHost(draft, {
      system: told.read.system,
      macs: [],
      links: null,
    }) !== null
  )
    return;
  keep(draft, phase, told.of, told.read, Math.min(readAtMs, draft.nowMs));
}

/** Whether this reading was taken in; after cleaning, in the present boot. */
function wasRead(draft: Draft, phase: ReadingPhase, of: string): boolean {
  const { storageRead, outOfBand } = draft.context.proven;
  return (
    storageRead?.of === of &&
    storageRead.readAt !== null &&
    (phase === "before" || outOfBand?.epoch === draft.bootEpoch)
  );
}

/** Null if the BMC's drives were read. Otherwise requests a reading, follows it up, and returns what it waits for. */
export function ensureStorageReading(draft: Draft, phase: ReadingPhase): HandlerResult | null {
  const effect = draft.inbox.takeEffect("verify");
  const of = readingOf(draft.reclamation, phase);
  if (draft.fake || wasRead(draft, phase, of)) return null;
  const outcome =
    effect === null || !isOf(effect, of) ? null : readOutcome(effect, draft.view.run.generation);
  if (outcome?.kind === "pending") return wait("reading the BMC's drives", null);
  if (outcome?.kind === "done") return takeIn(draft, phase, of, storageValue.parse(outcome.value));
  if (outcome?.kind === "failed") return notRead(draft, of, outcome);
  const { storageRead } = draft.context.proven;
  const retryMs =
    storageRead?.of === of && storageRead.retryAt !== null ? Date.parse(storageRead.retryAt) : null;
  if (retryMs !== null && retryMs > draft.nowMs)
    return wait(`the BMC's drives could not be read: ${draft.run.kept.lastError ?? ""}`, retryMs);
  draft.request("verify", { only: "storage", of, ...platformOf(draft, phase) });
  return wait("reading the BMC's drives", null);
}

function takeIn(
  draft: Draft,
  phase: ReadingPhase,
  of: string,
  found: z.infer<typeof storageValue>,
): HandlerResult | null {
  const other = otherHost(draft, { system: found.system, macs: [], links: null });
  // safety: inventory: a BMC of another machine
  if (other !== null) return notRead(draft, of, { errorKind: "refused", message: other, answer: null });
  keep(draft, phase, of, found, draft.nowMs);
  draft.run.setError(null);
  return null;
}

function keep(
  draft: Draft,
  phase: ReadingPhase,
  of: string,
  found: z.infer<typeof storageValue>,
  readAtMs: number,
): void {
  const before = bmcKnown(draft);
  const listed = new Set(found.storage.map(deviceKey));
  // A drive that was listed once is not gone because one reading lacks it: only `manage`, which reads the host anew, or a person's statement removes it.
  const earlier = [
    ...new Map([...before.earlier, ...before.storage].map((device) => [deviceKey(device), device])).values(),
  ].filter((device) => !listed.has(deviceKey(device)));
  draft.hardware.keepStorage({
    storage: found.storage,
    earlier,
    unresolved: found.unresolved,
    platform: { ...noPlatformFacts, ...draft.view.platform, ...found.platform },
  });
  const readAt = new Date(readAtMs).toISOString();
  draft.memory.prove({ storageRead: { of, readAt, retryAt: null, failures: 0 } });
  if (phase === "after") {
    keepAfter(draft, readAt, found.storage);
    keepPlatform(draft, readAt, found.reading);
  }
}

/** Compares the platform that was read with the baseline of the host's SKU. Without a reading an earlier one does not stand for it. */
function keepPlatform(draft: Draft, readAt: string, reading: PlatformReading | null): void {
  const { sku } = draft.view.host;
  const baseline = sku?.components.baseline;
  const before = draft.reclamation?.platform ?? null;
  if (sku === null || baseline === undefined || reading === null) {
    if (before !== null) draft.patchReclamation({ platform: null });
    return;
  }
  const { tpm } = reading;
  draft.patchReclamation({
    platform: {
      ...{ epoch: draft.bootEpoch, readAt, sku: sku.name },
      tpm: "value" in tpm ? "there" : "absent" in tpm ? "none" : "unknown",
      // A recheck has brought along what became of the TPM before its host was Ready.
      items: [
        ...judgePlatform(baseline, reading),
        ...(before?.items.filter(({ name }) => name === tpmName) ?? []),
      ],
    },
  });
}

/** When the drives were read for the list being frozen now, from the host's context; 0 if unknown. */
export function readForListMs({ context, reclamation }: Draft): number {
  const { storageRead } = context.proven;
  return storageRead?.of === readingOf(reclamation, "before") && storageRead.readAt !== null
    ? Date.parse(storageRead.readAt)
    : 0;
}

/** Keeps the drives that the agent need not show: those that only the BMC reaches, and those that were unknown. */
function keepAfter(draft: Draft, readAt: string, found: readonly StorageDevice[]): void {
  const devices = draft.reclamation?.devices ?? null;
  draft.memory.prove({
    outOfBand: {
      epoch: draft.bootEpoch,
      readAt,
      drives: listedByBmcOnly(found, devices?.expected ?? []),
    },
  });
  const listed = freezeDevices(found, [], [], [], { unresolved: bmcKnown(draft).unresolved });
  // safety: inventory: drives that cannot be named after cleaning
  addUnresolved(draft, listed.unresolved ?? []);
}

/** Adds to the frozen list what a new reading shows that nobody can treat and the list does not have. */
export function addUnresolved(draft: Draft, entries: readonly UnresolvedStorage[]): void {
  const devices = draft.reclamation?.devices ?? null;
  if (devices === null) return;
  const known = new Set([...(devices.unresolved ?? []), ...(devices.resolved ?? [])].map(({ key }) => key));
  const fresh = entries.filter(({ key }) => !known.has(key));
  if (fresh.length > 0)
    draft.patchReclamation({
      devices: { ...devices, unresolved: [...(devices.unresolved ?? []), ...fresh] },
    });
}

/** Retries the BMC. If it keeps failing, the host stops with a cause of its own: nothing is cleaned by a list that may lack a drive. */
function notRead(draft: Draft, of: string, answer: BmcAnswer): HandlerResult {
  const { errorKind, message } = answer;
  const { storageRead, ...proven } = draft.context.proven;
  const failures = (storageRead?.of === of ? storageRead.failures : 0) + 1;
  draft.trouble(bmcTrouble(answer, failures), message);
  if (failures >= draft.policy.times.bmcTries) {
    draft.memory.keep({ proven });
    return errorKind === "unreachable"
      ? fail("BmcUnreachable", [bmcTrouble(answer, failures)])
      : fail("BmcInventoryFailed", [{ ...bmcTrouble(answer, failures), key: "drivesNotListed" }]);
  }
  const untilMs = draft.nowMs + draft.policy.times.bmcRetryMs;
  draft.memory.prove({
    storageRead: { of, readAt: null, retryAt: new Date(untilMs).toISOString(), failures },
  });
  return wait(`the BMC's drives could not be read: ${message}`, untilMs);
}

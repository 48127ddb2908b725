// What the model's operators ask of a host: intents, power, and stops of its cleaning. Each is refused as in the product, or sent without a check.
import type { ManualStep } from "@/server/domain/cleaning/plan/manual";
import { refusal } from "@/server/domain/lifecycle/intents";
import { bmcIntents } from "@/server/domain/lifecycle/signals";
import type { BmcIntent, IntentKind, Signal } from "@/server/domain/lifecycle/signals";
import { by } from "@/server/controller/testing/host-view";
import { openInstance, storeSignal } from "@/server/controller/testing/model/world";
import type { World } from "@/server/controller/testing/model/world";

export function factsOf(world: World) {
  const host = world.host;
  const instance = openInstance(world);
  return {
    state: host?.run.state ?? ("Enroll" as const),
    instanceOpen: instance !== null,
    releaseRequested: instance !== null && instance.releaseRequestedMs !== null,
    reclamationOpen: host?.reclamations.some((row) => !row.ended) ?? false,
    allocatable: host?.run.allocatable ?? false,
    cleaning: null,
    erasing: host?.run.erasing ?? false,
    eraseUntilMs: null,
    drivesHeard: false,
    retired: world.retired,
    protected: false,
    deletionPrevented: false,
    gatesMayPass: world.exceptions.some(({ validUntilMs }) => validUntilMs > world.nowMs),
    leasedTo: host?.run.outsideLease === true ? "fixit" : null,
  };
}

export const plainIntents = [
  "manage",
  "provide",
  "retry",
  "restart",
  "forceDelete",
] as const satisfies readonly IntentKind[];
export type PlainIntent = (typeof plainIntents)[number];

/** As `usecases/hosts/acts/ask-of-host.ts`; `raw` skips its check, as if the host had moved on since. */
export function ask(world: World, intent: PlainIntent, raw: boolean): void {
  const host = world.host;
  // Whoever wants a retired host back ends its retirement first.
  if (intent === "provide") world.retired = false;
  if (
    host === null ||
    (!raw &&
      (host.signals.some(({ signal }) => signal.kind === intent) || refusal(intent, factsOf(world)) !== null))
  )
    return;
  storeSignal(host, world, { kind: intent, payload: { by } });
}

/** As `usecases/decommission/decommission-host.ts`; `raw` skips its check. */
export function askDecommission(world: World, raw: boolean): void {
  const host = world.host;
  if (host === null || (!raw && refusal("decommission", factsOf(world)) !== null)) return;
  storeSignal(host, world, {
    kind: "decommission",
    payload: { by, reason: "sold", keepAccount: false },
  });
}

function toBmc(kind: BmcIntent): Signal {
  if (kind === "softPowerOff" || kind === "softReboot") return { kind, payload: { by, forMs: 60_000 } };
  return kind === "setBoot"
    ? { kind, payload: { by, change: { device: "disk", persistent: true } } }
    : { kind, payload: { by } };
}

/** Power, an NMI or a boot device, whatever the host's state; every other time without the check. */
export function askPower(world: World, choice: number): void {
  const intent = bmcIntents[choice % bmcIntents.length] ?? "reboot";
  const host = world.host;
  if (host === null || (choice % 2 === 0 && refusal(intent, factsOf(world)) !== null)) return;
  storeSignal(host, world, toBmc(intent));
  world.seen.add("power asked for");
  if (intent === "setBoot") world.seen.add("disk set as boot device");
}

const byHand: readonly (readonly ManualStep[])[] = [
  [{ interface: "deploy", step: "erase_nvme", args: {} }],
  [
    { interface: "deploy", step: "verify_mem_overwrite", args: {} },
    { interface: "deploy", step: "erase_disks", args: {} },
  ],
  [
    { interface: "power", step: "hold", args: { seconds: 600 } },
    { interface: "deploy", step: "erase_nvme", args: { devices: ["NVME1"] } },
  ],
  [
    { interface: "power", step: "reboot", args: {} },
    { interface: "power", step: "wait", args: { seconds: 30 } },
  ],
  [{ interface: "deploy", step: "no_such_step", args: {} }],
];

/** Abort, hold and resume without a check, as if the host had moved on each time. */
export function interruptCleaning(world: World, choice: number): void {
  const host = world.host;
  if (host === null) return;
  switch (choice % 4) {
    case 0:
      return storeSignal(host, world, { kind: "abort", payload: { by } });
    case 1:
      return storeSignal(host, world, {
        kind: "hold",
        payload: { by, reason: "look at it", forMs: choice % 3 === 0 ? null : 10 * 60_000 },
      });
    case 2:
      return storeSignal(host, world, { kind: "resume", payload: { by } });
    case 3:
      return storeSignal(host, world, {
        kind: "clean",
        payload: {
          by,
          steps: [...(byHand[Math.floor(choice / 4) % byHand.length] ?? [])],
          runbook: null,
          bulkId: null,
        },
      });
  }
}

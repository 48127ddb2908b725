// The model's people: tenants claim and release; operators send intents, and set maintenance, policy and SKU.
import { overrideScopes } from "@/server/domain/cleaning/plan/priorities";
import type { ManualStep } from "@/server/domain/cleaning/plan/manual";
import { noPlatformFacts } from "@/server/domain/inventory/platform";
import { refusal } from "@/server/domain/lifecycle/intents";
import { bmcIntents } from "@/server/domain/lifecycle/signals";
import type { BmcIntent, IntentKind, Signal } from "@/server/domain/lifecycle/signals";
import { evidenceDigest } from "@/server/domain/approvals/evidence-digest";
import { exceptionScope } from "@/server/domain/gates/exception-scope";
import { driveEvidence, exceptionEvidence } from "@/server/domain/gates/exceptions";
import { passes } from "@/server/domain/gates/gate-names";
import { isFailed, topLevel } from "@/server/domain/lifecycle/states";
import type { Disposition } from "@/server/domain/sanitization/dispositions";
import { dispositionKinds } from "@/server/domain/sanitization/disposition-kinds";
import { by } from "@/server/controller/testing/host-view";
import { sku } from "@/server/controller/testing/hardware";
import { verdictsOf } from "@/server/controller/testing/model/claim";
import { foreignWrite, restart } from "@/server/controller/testing/model/machine";
import { newId, openInstance, storeSignal, wake } from "@/server/controller/testing/model/world";
import type { HostTables, ReclamationRow, World } from "@/server/controller/testing/model/world";

/** As `usecases/instances/claim-host.ts`. */
export function claimHost(world: World): void {
  const host = world.host;
  if (
    host === null ||
    host.run.state !== "Ready" ||
    !host.run.allocatable ||
    openInstance(world) !== null ||
    world.database.stopped ||
    !world.database.confirmed
  )
    return;
  const id = newId(world);
  world.instances.push({
    id,
    hostId: host.run.hostId,
    releaseRequestedMs: null,
    ended: false,
    resourcesHeld: 2,
  });
  Object.assign(host.run, { allocatable: false, evidenceSeq: host.run.evidenceSeq + 1 });
  storeSignal(host, world, { kind: "assign", payload: { by, instanceId: id } });
  world.seen.add("claimed");
}

/** As `usecases/instances/release-instance.ts`. */
export function releaseInstance(world: World): void {
  const host = world.host;
  const instance = openInstance(world);
  if (host === null || instance === null || instance.releaseRequestedMs !== null) return;
  const pendingAssign = host.signals.some(({ signal }) => signal.kind === "assign");
  if (!pendingAssign && refusal("release", factsOf(world)) !== null) return;
  instance.releaseRequestedMs = world.nowMs;
  storeSignal(host, world, { kind: "release", payload: { by, instanceId: instance.id } });
}

function factsOf(world: World) {
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
    excepted: world.exceptions.some(({ validUntilMs }) => validUntilMs > world.nowMs),
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

/** A release or an assignment that names another instance, or arrives when there is none. */
export function strayTenancy(world: World, kind: "release" | "assign"): void {
  const host = world.host;
  const instanceId = world.instances[0]?.id ?? newId(world);
  if (host !== null && openInstance(world)?.id !== instanceId)
    storeSignal(host, world, { kind, payload: { by, instanceId } });
}

/** People's statements about drives, true or not: about one in the host or one that is gone; and their withdrawal. */
export function stateDisposition(world: World, choice: number): void {
  if (choice % 5 === 4) {
    world.dispositions = [];
    if (world.host !== null) world.host.run.evidenceSeq += 1;
    return;
  }
  const key = world.machine.drives[choice % world.machine.drives.length]?.device.serial ?? "NVME1";
  const kind = dispositionKinds[Math.floor(choice / 5) % dispositionKinds.length] ?? "misread";
  // Also one from before the release that asks for two signatures: it answers nothing.
  const isSigned = choice % 3 !== 0;
  const disposition: Disposition = {
    id: newId(world),
    key,
    model: "",
    slot: kind === "misread" ? "1" : null,
    kind,
    reason: "seen on site",
    by: "operator",
    at: new Date(world.nowMs).toISOString(),
    signature: isSigned ? "signed" : "one",
    signedBy: isSigned ? "another person" : null,
  };
  // What was decided with the previous one must not lead to Ready.
  if (world.host !== null) world.host.run.evidenceSeq += 1;
  world.dispositions = [...world.dispositions.filter((row) => row.key !== key), disposition];
}

/** As `usecases/exceptions/exception-acts.ts`, approved at once; every fourth time all of them are withdrawn. */
export function exceptGate(world: World, choice: number): void {
  const { host } = world;
  if (host === null) return;
  host.run.evidenceSeq += 1;
  if (choice % 4 === 3) {
    world.exceptions = [];
    if (host.run.state === "Ready" || topLevel(host.run.state) === "ReturnToAllocation") {
      if (openInstance(world) === null) Object.assign(host.run, { touched: true, allocatable: false });
    }
    return wake(host.run, world.nowMs);
  }
  // As `usecases/nodes/update-node.ts`.
  if (choice % 7 === 5) world.retired = true;
  const open = host.reclamations.find((row) => !row.ended);
  if (open === undefined || open.view.kind === "manualCleaning") return;
  const forMs = choice % 5 === 0 ? 20 * 60_000 : 30 * 24 * 3_600_000;
  for (const { gate, device, evidence } of whatIsOpen(host, open)) {
    world.exceptions.push({
      ...{ id: newId(world), gate, device, evidence: evidenceDigest(evidence) },
      ...{ reclamationId: open.view.id, planEpoch: open.view.planEpoch },
      ...{ validUntilMs: world.nowMs + forMs, by: "operator", approvedBy: "another person" },
      ...{ reason: "it is needed", askedAtMs: world.nowMs, approvedAtMs: world.nowMs },
    });
    world.seen.add("exception approved");
  }
  wake(host.run, world.nowMs);
  ask(world, "retry", true);
}

/** Everything that an exception may be requested for, including the drives of a step that stopped. */
function whatIsOpen(host: HostTables, { view, gates }: ReclamationRow) {
  const { id: reclamationId, planEpoch, devices } = view;
  const of = { reclamationId, planEpoch };
  const whole = gates
    .filter(
      ({ gate, status }) => exceptionScope[gate] === "whole" && !passes(status, { demo: false, fake: false }),
    )
    .map((found) => ({ gate: found.gate, device: null, evidence: exceptionEvidence(of, found) }));
  const verdicts = verdictsOf(host, view);
  const drives = planEpoch === 0 || !isFailed(host.run.state) ? [] : (devices?.expected ?? []);
  const open = drives.flatMap((drive) => {
    const device = { serial: drive.serial, model: drive.model };
    const found = verdicts.find((each) => each.serial === drive.serial && each.model === drive.model) ?? null;
    return found?.verdict === "sanitized"
      ? []
      : [{ gate: "storageSanitized" as const, device, evidence: driveEvidence(of, device, found) }];
  });
  return [...whole, ...open];
}

export function setMaintenance(world: World): void {
  const host = world.host;
  if (host === null) return;
  const { run } = host;
  if (run.maintenanceBy !== "person") Object.assign(host.run, { touchUncovered: run.touched });
  if (!world.personMaintenance) world.machine.touched = false;
  Object.assign(host.run, {
    maintenance: true,
    maintenanceBy: "person",
    maintenanceReason: "fan",
    allocatable: false,
    touched: true,
    evidenceSeq: host.run.evidenceSeq + 1,
  });
  wake(host.run, world.nowMs);
  world.personMaintenance = true;
}

/** As `usecases/hosts/maintenance/maintenance.ts`. A person states that nobody touched the host only if nobody did during this maintenance. */
export function clearMaintenance(world: World, choice = 0): void {
  const host = world.host;
  if (host === null || host.run.maintenanceBy !== "person") return;
  const untouched =
    choice % 4 === 3 &&
    !world.machine.touched &&
    !host.run.touchUncovered &&
    (host.run.state === "Ready" || host.run.state === "ReturnToAllocation/AwaitingHealth");
  if (untouched) world.seen.add("stated untouched");
  Object.assign(host.run, {
    maintenance: false,
    maintenanceBy: null,
    maintenanceReason: null,
    allocatable: untouched && host.run.state === "Ready" && openInstance(world) === null,
    touched: !untouched,
    touchUncovered: true,
    evidenceSeq: host.run.evidenceSeq + 1,
  });
  wake(host.run, world.nowMs);
  world.personMaintenance = false;
}

export function changePolicy(world: World, choice: number): void {
  const { policy } = world;
  world.policyVersion += 1;
  const minimum = (["none", "clear", "purge"] as const)[choice % 3] ?? "purge";
  switch (choice % 5) {
    case 0:
      world.policy = { ...policy, automatedClean: !policy.automatedClean };
      return;
    case 1:
      world.policy = {
        ...policy,
        validationTests: choice % 2 === 0 ? [] : ["memory-pattern", "network-loopback"],
      };
      return;
    case 2:
      world.policy = {
        ...policy,
        sanitization: {
          ...policy.sanitization,
          minimum: { nvme: minimum, ssd: minimum, hdd: minimum, "raid-kit": "none" },
        },
      };
      return;
    case 3:
      world.policy = {
        ...policy,
        sanitization: {
          ...policy.sanitization,
          standard: policy.sanitization.standard === "ieee-2883" ? "sp-800-88r1" : "ieee-2883",
        },
      };
      return;
    case 4:
      world.policy = {
        ...policy,
        attempts: { agent: 1 + (choice % 3), controller: 5 },
        times: { ...policy.times, maxBoots: 1 + (choice % 3), bmcTries: 1 + (choice % 2) },
      };
  }
}

const mayBeSet = [
  "deploy.erase_nvme",
  "deploy.erase_disks",
  "deploy.verify_mem_overwrite",
  "deploy.reset_infiniband",
  "deploy.erase_devices_metadata",
  "bios.recommit",
  "raid.secure_erase_drives",
] as const;

/** Sets, changes or removes a priority for site, SKU or host, at any time. Ties are not checked, as if two people saved at once. */
export function setPriority(world: World, choice: number): void {
  const name = mayBeSet[choice % mayBeSet.length] ?? "deploy.erase_nvme";
  const [stepInterface = "", step = ""] = name.split(".");
  const scope = overrideScopes[Math.floor(choice / 7) % overrideScopes.length] ?? "site";
  const priority = [0, null, 0, 95, 41, null, 12][Math.floor(choice / 21) % 7] ?? null;
  world.overrides = world.overrides.filter(
    (row) => row.scope !== scope || row.interface !== stepInterface || row.step !== step,
  );
  if (priority !== null) world.overrides.push({ scope, interface: stepInterface, step, priority });
  if (choice % 5 === 0) world.hostAutomatedClean = [true, false, null][choice % 3] ?? null;
  // The longest is within what `eraseLimitMs` gives the drive: nothing could protect a slower one that reports nothing.
  if (choice % 11 === 0) world.machine.bmcEraseMs = [15_000, 20 * 60_000, 180 * 60_000][choice % 3] ?? 15_000;
}

/** A drive that the BMC does not list, the SKU wants, and the agent cannot identify; with a tenant's data if a tenant has the host. */
export function fitNameless(world: World): void {
  const spare = world.machine.drives.find(({ device }) => device.serial === "SPARE");
  if (spare === undefined) return;
  const isUsed = openInstance(world) !== null;
  Object.assign(spare, { nameless: true, present: true, bytes: spare.bytes.map(() => (isUsed ? 1 : 0)) });
  const { components } = world.sku ?? sku;
  const storage = components.storage.map((row) =>
    row.media === spare.device.media ? { ...row, count: row.count + 1 } : row,
  );
  world.sku = { ...sku, components: { ...components, storage } };
}

/** Somebody removes a drive and changes the SKU to fit: only what was known before shows that the drive is missing. */
export function fitMissing(world: World): void {
  const gone = world.machine.drives.find(({ present }) => present);
  if (gone === undefined) return;
  gone.present = false;
  const { components } = world.sku ?? sku;
  const storage = components.storage.map((row) =>
    row.media === gone.device.media ? { ...row, count: Math.max(0, row.count - 1) } : row,
  );
  world.sku = { ...sku, components: { ...components, storage } };
}

/** A machine whose BMC performs steps that its SKU asks for. */
export function fitBmc(world: World): void {
  world.platform = { ...noPlatformFacts, bios: true, lockdown: false, erasableDrives: ["SSD1"] };
  world.sku = {
    ...sku,
    components: { ...sku.components, baseline: { bios: { LogicalProc: "Disabled" }, lockdown: true } },
  };
  if (world.host !== null) world.host.platform = world.platform;
}

/** A machine with a drive behind a controller that shows the host volumes but no drives. */
export function fitHidden(world: World): void {
  world.platform = { ...noPlatformFacts, erasableDrives: ["SSD1"] };
  if (world.host !== null) world.host.platform = world.platform;
  for (const drive of world.machine.drives) drive.hidden = drive.device.serial === "SSD1";
}

/** While a clean host waits for its maintenance to end, somebody writes to that drive and restarts the host. */
export function workOnHidden(world: World): void {
  const hidden = world.machine.drives.findIndex((drive) => drive.hidden);
  world.machine.agent = null;
  foreignWrite(world, hidden);
  restart(world);
}

/** SKUs that a host without one may match: none, the right one, the right one with a baseline, two, or one without drives. */
function matchable(choice: number): World["skus"] {
  const right = { id: "sku", name: sku.name, version: "1", hasPriorities: false, components: sku.components };
  const baseline = {
    ...right,
    version: "2",
    components: { ...sku.components, baseline: { lockdown: true } },
  };
  const twin = { ...right, id: "twin", name: "R760 of another customer" };
  const diskless = { ...right, id: "diskless", components: { ...sku.components, storage: [] } };
  const lists = [[], [right], [baseline], [right, twin], [diskless]];
  return lists[choice % lists.length] ?? [];
}

/** A person removes, changes or assigns the host's SKU; the available SKUs change as well. */
export function changeSku(world: World, choice: number): void {
  world.skus = matchable(Math.floor(choice / 8));
  switch (choice % 4) {
    case 0:
      Object.assign(world, { sku: null, skuAssigned: choice % 8 === 0 });
      if (world.host !== null) wake(world.host.run, world.nowMs);
      return;
    case 1:
      Object.assign(world, {
        sku: { ...sku, components: { ...sku.components, infiniband: 2 } },
        skuAssigned: true,
      });
      return;
    default:
      Object.assign(world, { sku, skuAssigned: true });
  }
  if (world.host !== null) wake(world.host.run, world.nowMs);
}

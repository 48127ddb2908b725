// What the property test begins with: a new site, its untouched drives, and a host that was just enrolled.
import { noLimits } from "@/server/domain/cleaning/queue/admission";
import { plainPolicy } from "@/server/testing/test-policy";
import { noPlatformFacts } from "@/server/domain/hosts/inventory/platform";
import { emptyContext } from "@/server/domain/lifecycle/context";
import { allDrives, nvme1, sku } from "@/server/controller/testing/hardware";
import { places } from "@/server/controller/testing/model/machine-state";
import type { Drive } from "@/server/controller/testing/model/machine-state";
import type { RunRow } from "@/server/controller/testing/model/tables";
import { newId } from "@/server/controller/testing/model/world";
import type { World } from "@/server/controller/testing/model/world";

/** A new site with one host in Enroll. */
export function newWorld(): World {
  const world: World = {
    nowMs: Date.UTC(2026, 10, 1),
    ids: 0,
    demo: true,
    policyVersion: 1,
    policy: { ...plainPolicy(), admission: noLimits },
    sku,
    skuAssigned: true,
    skus: [],
    host: null,
    machine: {
      drives: newDrives(),
      override: false,
      bootsDisk: false,
      agent: null,
      waiting: false,
      foreign: false,
      touched: false,
      resets: 1,
      resetsBefore: 0,
      resetAtMs: 0,
      tellsResets: true,
      readings: 0,
      clockMs: 0,
      writtenInReady: false,
      readyDrives: "",
      networkFirst: false,
      memory: { tenant: false, askedIn: null, overwrittenIn: null, drainedIn: null },
      infiniband: { tenant: false, resetIn: null },
      ports: new Map(),
      asked: null,
      passed: new Map(),
      bios: { pendingIn: null, appliedIn: null },
      bmcEraseMs: 15_000,
      faults: [],
      listingFaults: [],
    },
    database: { epoch: 1, sequence: 1, stopped: false, confirmed: true },
    mark: { epoch: 1, sequence: 1 },
    backup: null,
    instances: [],
    debts: [],
    dispositions: [],
    exceptions: [],
    overrides: [],
    hostAutomatedClean: null,
    retired: false,
    image: 1,
    bundles: {},
    platform: noPlatformFacts,
    disabledIn: new Map(),
    eraseLeftUntilMs: null,
    personMaintenance: false,
    late: [],
    seen: new Set(),
  };
  enroll(world);
  return world;
}

/** A host just enrolled, on a chassis like `machine`. */
export function enroll(world: World): void {
  world.personMaintenance = false;
  const hostId = newId(world);
  const leftMs =
    world.eraseLeftUntilMs !== null && world.eraseLeftUntilMs > world.nowMs ? world.eraseLeftUntilMs : null;
  const run: RunRow = {
    hostId,
    state: "Enroll",
    stateVersion: 1,
    stateSinceMs: world.nowMs,
    context: { ...emptyContext(), eraseUntil: leftMs === null ? null : new Date(leftMs).toISOString() },
    dueAtMs: null,
    wakeSeq: 0,
    leaseOwner: null,
    leaseUntilMs: 0,
    generation: 0,
    bootEpoch: 0,
    allocatable: false,
    touched: false,
    touchUncovered: true,
    evidenceSeq: 0,
    maintenance: false,
    maintenanceBy: null,
    maintenanceReason: null,
    lastError: null,
    reclamationId: null,
    command: null,
    commandEpoch: null,
    erasing: leftMs !== null,
    bootHeld: false,
    outsideLease: false,
  };
  world.host = {
    run,
    signals: [],
    effects: [],
    reclamations: [],
    steps: [],
    attempts: [],
    verdicts: [],
    records: [],
    acks: [],
    sessions: [],
    windows: [],
    bmcInventory: null,
    bmcEarlier: [],
    bmcUnresolved: [],
    platform: noPlatformFacts,
    agentInventory: null,
    measured: null,
    history: [{ version: 1, state: "Enroll", reclamationId: null }],
  };
}

/** Untouched drives. The last one lies on the shelf, and no system knows of it. */
const newDrives = (): Drive[] =>
  [...allDrives, { ...nvme1, serial: "SPARE" }].map((device) => ({
    device,
    present: device.serial !== "SPARE",
    nameless: false,
    hidden: false,
    bytes: Array.from({ length: places }, () => 0),
    erasedIn: null,
    erasing: null,
    formats: false,
    says: "truth",
    behaviour: "honest",
  }));

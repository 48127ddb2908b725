// The BMC's drives as a boot reads them before its restart (docs/adr/0019-what-a-bmc-did-not-say.md).
import { describe, expect, it } from "vitest";
import { readingOf } from "@/server/controller/inventory/bmc-storage";
import { allDrives, nvme1, nvme2, ssd1 } from "@/server/controller/testing/hardware";
import { decideOn, effectKindsOf, hostView, minute, now, path } from "@/server/controller/testing/host-view";
import {
  acksOf,
  agent,
  inventory,
  networkContext,
  planned,
  reclamation,
} from "@/server/controller/testing/view-parts";
import { drivesTold, effect, restarted } from "@/server/controller/testing/effect-views";
import type { ViewChanges } from "@/server/controller/testing/host-view";
import type { State } from "@/server/domain/lifecycle/states";

const network = networkContext("admin");
const iso = (ms: number): string => new Date(ms).toISOString();

const at = (state: State, changes: ViewChanges) =>
  decideOn(
    hostView(state, {
      drivesUnread: true,
      acks: acksOf(network),
      inventory: inventory(),
      ...changes,
      context: { network, minEpoch: 3, ...changes.context },
    }),
  );

/** A boot of epoch 3, done a while ago, with its reading of the drives. */
const booted = (of: string, read: unknown, settledAtMs = now - 5_000) => {
  const done = restarted();
  return effect(
    "bootAgent",
    "done",
    { ...done, value: { ...done.value, storage: { of, read } } },
    settledAtMs,
  );
};
const told = (storage: typeof allDrives, serial?: string) => drivesTold(storage, {}, serial).value;
const offAndEmpty = drivesTold([], { system: { ...drivesTold([]).value.system, power: "off" } }).value;
const boot = { epoch: 3, attempt: 1, orderedAt: null, bmcFailures: 0, retryAt: null };

describe("a boot is asked for the drives", () => {
  const asked = (state: State, changes: ViewChanges) =>
    at(state, changes).effects.map(({ kind, request }) => [kind, request["storage"]]);

  it("before the list is frozen", () => {
    const before = [["bootAgent", readingOf(reclamation(), "before")]];
    expect(asked("Assigned/BootingWithDiscoveryImage", { reclamation: reclamation() })).toEqual(before);
    expect(
      asked("WaitingForCleanup/BootingAgent", {
        reclamation: reclamation(),
        context: { returnTo: "WaitingForCleanup/Init" },
      }),
    ).toEqual(before);
  });

  it("after cleaning, in each boot", () => {
    const storageRead = { of: readingOf(planned(), "after"), readAt: iso(now), retryAt: null, failures: 0 };
    const proven = {
      lastStepEpoch: 2,
      memoryStepEpoch: null,
      cleaningSkipped: false,
      networkVersion: null,
      sku: null,
      tests: null,
      storageRead,
      outOfBand: { epoch: 3, readAt: iso(now), drives: [] },
    };
    expect(
      asked("BomValidating/BootingAgent", { reclamation: planned(), context: { proven, minEpoch: 4 } }),
    ).toEqual([["bootAgent", readingOf(planned(), "after")]]);
  });

  it("and not in the middle of a plan, nor of a list made by hand, nor while they are being read", () => {
    expect(
      asked("WaitingForCleanup/BootingAgent", {
        reclamation: planned(),
        context: { returnTo: "WaitingForCleanup/HostCleanup" },
      }),
    ).toEqual([["bootAgent", undefined]]);
    expect(asked("ManualCleaning/BootingAgent", { reclamation: planned() })).toEqual([
      ["bootAgent", undefined],
    ]);
    const reading = {
      ...effect("verify", "permitted", {}),
      generation: "7",
      request: { only: "storage", of: readingOf(reclamation(), "before") },
    };
    expect(
      asked("Assigned/BootingWithDiscoveryImage", { reclamation: reclamation(), effects: [reading] }),
    ).toEqual([["bootAgent", undefined]]);
  });
});

describe("what a boot read of the drives", () => {
  const before = readingOf(reclamation(), "before");
  const extra = [...allDrives, { ...ssd1, serial: "NEW1" }];

  it("is kept when its restart is done, with the time of the reading", () => {
    const decision = at("Assigned/BootingWithDiscoveryImage", {
      reclamation: reclamation(),
      context: { boot },
      effects: [booted(before, told(extra))],
    });
    expect(decision.storage).toMatchObject({ storage: extra, earlier: [] });
    expect(decision.run.context.proven.storageRead).toEqual({
      of: before,
      readAt: iso(now - 5_000),
      retryAt: null,
      failures: 0,
    });
  });

  it("is kept when the agent is there first, and counts for the list that is frozen", () => {
    const changes = {
      reclamation: reclamation(),
      agent: agent(),
      context: { boot, returnTo: "WaitingForCleanup/Init" },
      effects: [booted(before, told([nvme1, nvme2]))],
    };
    const decision = at("WaitingForCleanup/BootingAgent", changes);
    expect(path(decision).slice(0, 1)).toEqual(["WaitingForCleanup/Init"]);
    expect(effectKindsOf(decision)).not.toContain("verify");
    // A drive that was listed before is not gone because one reading lacks it.
    expect(decision.storage).toMatchObject({ storage: [nvme1, nvme2], earlier: [{ serial: "SSD1" }] });
    expect(decision.reclamation?.row.devices?.expected.map(({ serial }) => serial).toSorted()).toEqual([
      "NVME1",
      "NVME2",
      "SSD1",
    ]);
  });

  it("after cleaning counts for this very boot", () => {
    const decision = at("BomValidating/BootingAgent", {
      reclamation: planned(),
      agent: agent(),
      context: { boot },
      effects: [booted(readingOf(planned(), "after"), told(extra))],
    });
    expect(effectKindsOf(decision)).toEqual([]);
    expect(decision.run.context.proven.outOfBand).toMatchObject({
      epoch: 3,
      readAt: iso(now - 5_000),
      drives: [{ serial: "NEW1" }],
    });
  });

  it.each<[string, ReturnType<typeof booted>, ViewChanges]>([
    ["could not be read", booted(before, null), {}],
    ["is of another machine", booted(before, told(allDrives, "OTHER")), {}],
    [
      "is of a machine that is known, and another than was expected",
      booted(before, told(allDrives)),
      { host: { expectedSerial: "OTHER" } },
    ],
    [
      "is of another reading",
      booted(readingOf({ ...reclamation(), planEpoch: 4 }, "before"), told(allDrives)),
      {},
    ],
    [
      "is of the list from before cleaning, after it",
      booted(before, told(allDrives)),
      { reclamation: planned() },
    ],
    ["has no drives of a machine that was off, as many BMCs list it", booted(before, offAndEmpty), {}],
    ["is no list", booted(before, { storage: "2" }), {}],
    [
      "comes where nobody knows what was listed before",
      booted(before, told(allDrives)),
      { inventory: { bmc: null, agent: null } },
    ],
    ["was not asked for", effect("bootAgent", "done", restarted(), now - minute), {}],
  ])("and %s is not kept", (_what, done, changes) => {
    const decision = at("Assigned/BootingWithDiscoveryImage", {
      reclamation: reclamation(),
      context: { boot },
      effects: [done],
      ...changes,
    });
    expect([decision.storage, decision.run.context.proven.storageRead]).toEqual([null, undefined]);
  });

  it("and was not kept is read by itself before the list is frozen", () => {
    const decision = at("WaitingForCleanup/BootingAgent", {
      reclamation: reclamation(),
      agent: agent(),
      context: { boot, returnTo: "WaitingForCleanup/Init" },
      effects: [booted(before, null)],
    });
    expect([path(decision), decision.steps, effectKindsOf(decision)]).toEqual([
      ["WaitingForCleanup/Init"],
      [],
      ["verify"],
    ]);
  });
});

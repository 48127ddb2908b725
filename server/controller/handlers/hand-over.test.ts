// A claimed host is compared with what was proven of it by a reading that is newer than the claim, before its tenant's network is requested.
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { EffectView } from "@/server/domain/hosts/record/effect";
import { read, reading, watch } from "@/server/controller/testing/hand-over-look";
import { nvme1 } from "@/server/controller/testing/hardware";
import { decideOn, hostView, instanceId, minute, now, path } from "@/server/controller/testing/host-view";
import { plainPolicy } from "@/server/testing/test-policy";
import type { ViewChanges } from "@/server/controller/testing/host-view";
import { instance, networkContext } from "@/server/controller/testing/view-parts";

const unread: EffectView = {
  ...read(reading),
  status: "failed",
  result: { phase: "read", error: { kind: "unreachable", message: "no answer" } },
};

const claimed = (changes: ViewChanges) =>
  decideOn(
    hostView("Ready", {
      instance: instance(),
      resourcesHeld: 2,
      watch,
      ...changes,
      context: { network: networkContext("admin"), drives: [nvme1.serial], ...changes.context },
    }),
  );
const asked = { kind: "verify", request: { only: "watch", of: instanceId } };

describe("a claimed host", () => {
  it("is read before anything else, whatever was read before the claim", () => {
    for (const effects of [[], [read(reading, "an earlier instance")]]) {
      const decision = claimed({ effects });
      expect(path(decision)).toEqual([]);
      expect(decision.effects).toMatchObject([asked]);
      expect(decision.run.allocatable).toBe(false);
    }
  });

  it("goes to its tenant if it is as it was proven", () => {
    const decision = claimed({ effects: [read(reading)] });
    expect(path(decision)).toEqual(["Assigned/WaitingForNetworkConfig"]);
    expect(decision.readyChanged).toBeNull();
    expect(decision.effects).toMatchObject([{ kind: "network", request: { network: "tenant" } }]);
  });

  it.each<[string, ViewChanges, RegExp]>([
    ["another drive", { effects: [read({ ...reading, drives: [{ serial: "X", model: "Y" }] })] }, /drive X/],
    [
      "a drive that belongs elsewhere",
      { effects: [read(reading)], watch: { ...watch, elsewhere: [{ serial: "A", why: "owed", host: "S" }] } },
      /is owed/,
    ],
    [
      "no record of its drives",
      { effects: [read(reading)], watch: { ...watch, inventory: null } },
      /no list/,
    ],
    ["nothing to compare with", { effects: [read(reading)], watch: null }, /nothing is recorded/],
  ])("is taken back with %s, and proven again", (_, changes, why) => {
    const decision = claimed(changes);
    expect(path(decision).at(0)).toMatch(/^WaitingForCleanup\/Queued|^BomValidating/);
    expect(decision.entered[0]?.reason).toMatch(why);
    // Where nothing could be compared, nothing shows that it changed.
    const isCompared = changes.watch?.inventory !== null && changes.watch !== null;
    expect(decision.readyChanged).toEqual(isCompared ? expect.stringMatching(why) : null);
    expect(decision).toMatchObject({
      endInstance: instanceId,
      newDebt: null,
      reclamation: { isNew: true, row: { kind: "recheck", instanceId: null } },
      instanceHistory: [{ status: "Error" }, { status: "Terminated" }],
    });
    expect(
      decision.effects.some(({ kind, request }) => kind === "network" && request["network"] === "tenant"),
    ).toBe(false);
  });

  it("is read again if its BMC does not answer, and is taken back when the tries are used up", () => {
    const first = claimed({ effects: [unread] });
    expect(path(first)).toEqual([]);
    expect(first.run.context.handOver).toMatchObject({ of: instanceId, failures: 1 });
    expect(first.endInstance).toBeNull();
    const handOver = { of: instanceId, failures: 99, retryAt: null };
    const last = claimed({ effects: [unread], context: { handOver } });
    expect(last).toMatchObject({ endInstance: instanceId, readyChanged: null });
    expect(last.entered[0]?.reason).toMatch(/could not be compared.*no answer/);
  });

  it("whose proof is as old as the policy allows is taken back, which does not show that it changed", () => {
    const aged = (proofMaxAgeDays: number, days: number) =>
      claimed({
        effects: [read(reading)],
        watch: { ...watch, readySinceMs: now - days * 24 * 60 * minute },
        site: { policy: { ...plainPolicy(), proofMaxAgeDays } },
      });
    const decision = aged(30, 30);
    expect(decision).toMatchObject({ endInstance: instanceId, readyChanged: null });
    expect(decision.entered[0]?.reason).toMatch(
      /^it was not handed over: its proof has reached the maximum age/,
    );
    for (const [most, days] of [
      [30, 29],
      [0, 3_000],
    ] as const)
      expect(path(aged(most, days))).toEqual(["Assigned/WaitingForNetworkConfig"]);
  });

  it("whose boot is not trusted any more is taken back, where the site requires that it is", () => {
    const revoked = (attestation: "observe" | "required") =>
      claimed({
        effects: [read(reading)],
        site: { policy: { ...plainPolicy(), attestation } },
        measurement: {
          ...{ tpmEpoch: 3, ownKey: true, tpmProblem: null, bootEpoch: 3, problem: null },
          ...{ state: "MeasuringFailed", bundle: { id: "b", name: "image 12", state: "Retired" } },
        },
      });
    expect(revoked("required")).toMatchObject({ endInstance: instanceId, readyChanged: null });
    expect(path(revoked("observe"))).toEqual(["Assigned/WaitingForNetworkConfig"]);
  });

  it("whose BMC no longer lists its drives cannot be read, which does not show that it changed", () => {
    const silent = { effects: [read({ ...reading, drives: null })] };
    expect(claimed(silent).run.context.handOver).toMatchObject({ of: instanceId, failures: 1 });
    const last = claimed({
      ...silent,
      context: { handOver: { of: instanceId, failures: 99, retryAt: null } },
    });
    expect(last).toMatchObject({ endInstance: instanceId, readyChanged: null });
    expect(last.entered[0]?.reason).toMatch(/could not be compared.*lists no drives/);
  });

  it("waits between two tries, and those of another instance do not count", () => {
    const handOver = { of: instanceId, failures: 1, retryAt: new Date(now + minute).toISOString() };
    expect(claimed({ context: { handOver } }).effects).toEqual([]);
    const other = claimed({
      effects: [unread],
      context: { handOver: { ...handOver, of: "other", failures: 99 } },
    });
    expect(other.endInstance).toBeNull();
  });

  it("that is given up meanwhile is not read: it gets no network, and is released as usual", () => {
    const decision = claimed({ instance: instance({ releaseRequestedMs: now }) });
    expect(path(decision)).toEqual([
      "Assigned/WaitingForNetworkConfig",
      "Assigned/BootingWithDiscoveryImage",
    ]);
  });
});

it("every way to a tenant's network goes through the look", () => {
  const root = fileURLToPath(new URL("..", import.meta.url));
  const sources = globSync("**/*.ts", { cwd: root })
    .filter((file) => !/(test|itest)\.ts$/.test(file) && !/(^|\/)(testing|system)\//.test(file))
    .map((file) => ({ file, text: readFileSync(`${root}/${file}`, "utf8") }));
  const having = (part: string) =>
    sources.flatMap(({ file, text }) => (text.includes(part) ? [file] : [])).toSorted();
  const entering = having('goto("Assigned/WaitingForNetworkConfig"');
  expect(entering).toEqual(["handlers/provider.ts", "handlers/return-to-allocation.ts"]);
  expect(having("handOverLook(draft, instance)")).toEqual(entering);
  // Only the state that they enter asks for the network.
  expect(having('(draft, "tenant")')).toEqual(["handlers/assigned.ts"]);
});

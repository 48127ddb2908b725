// The living demo on a fleet without a server: who requests what, what breaks, what is repaired, and what is left for a person.
import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import type { z } from "zod";
import { Living } from "@/server/simulator/living/living";
import { Refused } from "@/server/simulator/living/people";
import type { Person } from "@/server/simulator/living/people";
import { parseScenario, ScenarioError } from "@/server/simulator/living/scenario";
import { fleetForEach, type TestFleet } from "@/server/simulator/testing/fleet";

const text = readFileSync(new URL("./demo.yaml", import.meta.url), "utf8");
let fleet: TestFleet;
fleetForEach((started) => {
  fleet = started;
});

/** A server that records what was requested. */
class Site {
  readonly acts: { readonly name: string; readonly input: Record<string, unknown> }[] = [];
  readonly instances = new Map<string, { name: string; status: string; host: string }>();
  states = new Map<string, string>();
  /** Hosts that await repair and can be claimed, and those that are being repaired. */
  queue: { hostId: string; host: string; claim: { allowed: boolean } }[] = [];
  held: { hostId: string; instanceId: string; instance: string; release: { allowed: boolean } }[] = [];
  down = false;

  readonly person: Person = {
    read: <Schema extends z.ZodType>(name: string, input: object | null, schema: Schema) => {
      if (this.down) return Promise.reject(new Refused(503, "down"));
      return Promise.resolve(schema.parse(this.#answer(name, { ...input })));
    },
    act: (name, input) => {
      this.acts.push({ name, input: { ...input } });
      return Promise.resolve();
    },
  };

  #answer(name: string, input: Record<string, unknown>): unknown {
    const rows = [...this.instances].map(([id, row]) => ({ id, sku: "s", ...row }));
    switch (name) {
      case "instances.list":
        return { rows, total: rows.length };
      case "instances.offer":
        return { kinds: [{ siteId: "a", skuId: "s", free: 1 }] };
      case "reclamations.list":
        return { rows: [] };
      case "queue.get":
        return { brakes: [] };
      case "repair.queue":
        return { rows: this.queue };
      case "repair.held":
        return this.held;
      case "instances.get":
        return { host: { name: this.instances.get(String(input.id))?.host } };
      default:
        return { id: "h", state: this.states.get(String(input.host)) ?? "Ready", stateVersion: "7" };
    }
  }

  of = (name: string) => this.acts.filter((act) => act.name === name);
}

let site: Site;
let nowMs: number;
let living: Living;
const seconds = (count: number) => (nowMs += count * 1000);
beforeEach(() => {
  site = new Site();
  nowMs = 1_000_000;
  living = new Living({
    scenario: {
      ...parseScenario(text),
      tenants: [{ org: "acme", everySeconds: 10, holds: { least: 0.2, most: 0.5 } }],
    },
    hosts: fleet.simulator.hosts,
    people: () => ({
      operator: site.person,
      tenantAdmin: () => site.person,
      repairTenantAdmin: () => site.person,
    }),
    log: () => undefined,
    now: () => nowMs,
  });
});
/** Of 5. */
const hostName = (index: number) => fleet.simulator.hosts[index]?.blueprint.name ?? "";

it("is at work at its first look: tenants release, a drive of one machine fails, a BMC is slow", async () => {
  for (const index of [0, 1, 2, 3])
    site.instances.set(String(index), { name: `acme-00${index}`, status: "Ready", host: hostName(index) });
  await living.tick();
  const { atStart, tickSeconds } = parseScenario(text);
  expect(site.of("instances.release")).toHaveLength(atStart.releases);
  const { hosts } = fleet.simulator;
  expect(hosts.filter(({ drives }) => drives.some(({ faults }) => faults.failErase))).toHaveLength(1);
  expect(hosts.filter(({ faults }) => faults.bmc?.mode === "slow")).toHaveLength(1);
  // The next ticks happen while a newcomer is still watching.
  expect(tickSeconds).toBeLessThanOrEqual(10);
});

describe("tenants", () => {
  it("take machines while they hold few, and give them back while they hold many; never what a person made", async () => {
    await living.tick(); // at the start it releases, and there is nothing to release
    seconds(10);
    await living.tick();
    expect(site.of("instances.create")).toMatchObject([
      { input: { name: expect.stringMatching(/^acme-\d{4}$/), wanted: { siteId: "a", skuId: "s" } } },
    ]);
    site.instances.set("1", { name: "acme-001", status: "Ready", host: hostName(0) });
    site.instances.set("2", { name: "train-1", status: "Ready", host: hostName(1) });
    site.instances.set("3", { name: "acme-002", status: "Provisioning", host: hostName(2) });
    for (let turn = 0; turn < 5; turn += 1) {
      seconds(10);
      await living.tick();
    }
    expect(site.of("instances.release").length).toBeGreaterThan(0);
    expect(new Set(site.of("instances.release").map(({ input }) => String(input.ids)))).toEqual(
      new Set(["1"]),
    );
  });

  it("wait while the server is away, and go on", async () => {
    site.down = true;
    await living.tick();
    site.down = false;
    seconds(10);
    await living.tick();
    expect(site.acts).toEqual([]); // the releases of the start
    seconds(10);
    await living.tick();
    expect(site.of("instances.create")).toHaveLength(1);
  });
});

describe("repairs", () => {
  const waiting = (host: string) => ({ hostId: host, host, claim: { allowed: true } });

  it("begin with an issue, with one release in twenty", async () => {
    for (let turn = 0; turn < 45; turn += 1) {
      site.instances.set("1", { name: "acme-001", status: "Ready", host: hostName(0) });
      for (const id of ["2", "3"])
        site.instances.set(id, { name: "held", status: "Ready", host: hostName(1) });
      await living.tick();
      seconds(10);
    }
    const releases = site.of("instances.release");
    expect(releases.length).toBeGreaterThan(20);
    releases.forEach(({ input }, index) => expect("issue" in input, String(index)).toBe(index % 20 === 1));
    expect(releases[1]?.input).toMatchObject({
      issue: { category: "Hardware", summary: expect.any(String) },
    });
  });

  it("are done by the repair tenant, one at a time; one host is left for a person", async () => {
    site.queue = [waiting("a")];
    await living.tick();
    expect(site.of("health.apply")).toEqual([]);
    site.queue = [waiting("a"), waiting("b")];
    seconds(60);
    await living.tick();
    expect(site.of("health.apply")).toMatchObject([{ input: { hostId: "a", template: "request-repair" } }]);
    const [claim] = site.of("instances.create").filter(({ input }) => /repair/.test(String(input.name)));
    expect(claim?.input).toMatchObject({
      name: expect.stringMatching(/^fixit-repair-\d{4}$/),
      wanted: { hostId: "a", allowUnhealthy: true },
    });
    site.held = [
      { hostId: "p", instanceId: "9", instance: "repair-of-a-person", release: { allowed: true } },
      { hostId: "a", instanceId: "8", instance: "fixit-repair-1234", release: { allowed: false } },
    ];
    seconds(60);
    await living.tick();
    expect(site.of("repair.setOutcome")).toEqual([]);
    site.held = site.held.map((row) => ({ ...row, release: { allowed: true } }));
    seconds(60);
    await living.tick();
    expect(site.of("repair.setOutcome")).toMatchObject([{ input: { hostId: "a", outcome: "Completed" } }]);
    expect(site.of("instances.release")).toMatchObject([{ input: { ids: ["8"], repairTenant: true } }]);
  });
});

describe("what breaks", () => {
  const failing = () =>
    fleet.simulator.hosts.filter(({ drives }) => drives.some(({ faults }) => faults.failErase));

  it("is one drive at a time; the newest is left for a person, older ones are mended", async () => {
    site.instances.set("1", { name: "acme-001", status: "Ready", host: hostName(0) });
    await living.tick();
    expect(failing().map(({ blueprint }) => blueprint.name)).toEqual([hostName(0)]);
    site.states.set(hostName(0), "Failed/NVMECleanFailed");
    for (let turn = 0; turn < 3; turn += 1) {
      seconds(100);
      await living.tick();
    }
    expect(site.of("host.act")).toEqual([]); // it is the only one, and stays for people to look at
    site.instances.clear();
    for (const id of ["2", "3"])
      site.instances.set(id, { name: `acme-00${id}`, status: "Ready", host: hostName(1) });
    for (let turn = 0; turn < 8 && failing().length < 2; turn += 1) {
      seconds(150);
      await living.tick();
    }
    expect(failing().map(({ blueprint }) => blueprint.name)).toContain(hostName(1));
    site.states.set(hostName(1), "Failed/NVMECleanFailed");
    for (const _ of ["it is seen to have failed", "the older one is mended"]) {
      seconds(10);
      await living.tick();
    }
    expect(site.of("host.act")).toMatchObject([{ input: { intent: "retry", stateVersion: "7" } }]);
    expect(failing()).toHaveLength(1);
  });

  it("is a BMC that takes its time, for a while", async () => {
    const slow = () => fleet.simulator.hosts.filter(({ faults }) => faults.bmc?.mode === "slow").length;
    await living.tick();
    expect(slow()).toBe(1);
    seconds(61);
    await living.tick();
    expect(slow()).toBe(0);
  });
});

describe("a scenario", () => {
  it("is refused with each fault and its place", () => {
    expect(() => parseScenario("format: 2\ntenants: []\nspeed: 1\n")).toThrow(ScenarioError);
    expect(() => parseScenario(text.replace("least: 0.12", "least: 0.9"))).toThrow(
      "tenants.0.holds: least must be below most",
    );
    expect(() => parseScenario("tenants: [")).toThrow(ScenarioError);
  });
});

describe("the desk", () => {
  const order = (body: object) => fleet.control("POST", "/desk", body);

  it("offers drills, and no living demo where there is no scenario", async () => {
    const offered = JSON.parse((await fleet.control("GET", "/desk")).text);
    expect(offered.switch).toBeNull();
    expect(offered.drills.map(({ name }: { name: string }) => name)).toEqual([
      "failDrive",
      "hangBmc",
      "neverAcknowledge",
      "killAgent",
      "forgeReport",
      "repair",
    ]);
    expect((await order({ act: "switch", on: true })).status).toBe(404);
  });

  it("does to a machine what the drill says, and takes it back", async () => {
    const [host] = fleet.simulator.hosts;
    for (const drill of ["failDrive", "hangBmc"])
      expect(await order({ act: "drill", drill, host: hostName(0) })).toMatchObject({ status: 200 });
    expect([host?.faults.bmc?.mode, host?.drives.filter(({ faults }) => faults.failErase).length]).toEqual([
      "silent",
      1,
    ]);
    expect((await order({ act: "drill", drill: "killAgent", host: hostName(0) })).text).toContain(
      "No agent runs",
    );
    await order({ act: "drill", drill: "repair", host: hostName(0) });
    expect([host?.faults.bmc, host?.drives.some(({ faults }) => faults.failErase)]).toEqual([null, false]);
    expect((await order({ act: "drill", drill: "repair", host: "nobody" })).status).toBe(404);
    expect((await order({ act: "drill", drill: "format", host: hostName(0) })).status).toBe(404);
    expect((await order({ act: "dance" })).status).toBe(400);
  });
});

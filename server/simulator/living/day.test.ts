// A day of the living demo against the real rule of the brake, without a server and with a clock of its own: what breaks by the scenario's own rate must not
// stop the site, while a bad drive firmware must be found.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { z } from "zod";
import { defaultPolicy } from "@/server/domain/cleaning/policy/policy";
import { findBrakes } from "@/server/domain/cleaning/queue/brake";
import type { FoundBrake, Group, RecentCleaning } from "@/server/domain/cleaning/queue/brake";
import { blueprint } from "@/server/simulator/fleet/blueprint";
import { mix } from "@/server/simulator/fleet/numbers";
import { hardwareTime, instantSpeed } from "@/server/simulator/hardware-time";
import { SimulatedHost } from "@/server/simulator/host/simulated-host";
import { Living } from "@/server/simulator/living/living";
import type { Person } from "@/server/simulator/living/people";
import { parseScenario } from "@/server/simulator/living/scenario";

const scenario = parseScenario(readFileSync(new URL("./demo.yaml", import.meta.url), "utf8"));
const { brake } = defaultPolicy();
const minute = 60_000;
const cleaningMs = 4 * minute;

interface Ended extends RecentCleaning {
  readonly at: number;
}

/** A site of 200 hosts on which people take and release machines. Every eleventh host lacks the step that the others run. */
class Day {
  readonly returns: number[] = [];
  readonly brakes: FoundBrake[] = [];
  failures = 0;
  #nowMs = 0;
  #turn = 0;
  #recent: Ended[] = [];
  readonly #seed: number;
  readonly #hosts: readonly SimulatedHost[];
  readonly #instances = new Map<
    string,
    { readonly name: string; readonly org: string; readonly host: SimulatedHost }
  >();
  readonly #free: SimulatedHost[];
  /** When the cleaning of each host ends. */
  readonly #cleaning = new Map<SimulatedHost, number>();
  readonly #failed = new Set<SimulatedHost>();
  readonly #isBad: (host: SimulatedHost) => boolean;
  readonly #living: Living;

  constructor(seed: number, isBad: (host: SimulatedHost) => boolean = () => false) {
    this.#seed = seed;
    this.#isBad = isBad;
    const time = hardwareTime(instantSpeed);
    this.#hosts = Array.from(
      { length: 200 },
      (_, index) => new SimulatedHost(blueprint(index, seed), seed, time, () => Promise.resolve()),
    );
    this.#free = [...this.#hosts];
    const people = new Map(
      ["", ...scenario.tenants.map(({ org }) => org)].map((org) => [org, this.#person(org)]),
    );
    this.#living = new Living({
      scenario,
      hosts: this.#hosts,
      people: () => ({
        operator: people.get("") ?? this.#person(""),
        tenantAdmin: (org) => people.get(org) ?? null,
        repairTenantAdmin: () => null,
      }),
      log: (_level, message) => {
        throw new Error(message);
      },
      now: () => this.#nowMs,
    });
  }

  async run(hours: number): Promise<void> {
    const stepMs = scenario.tickSeconds * 1000;
    for (let turn = 1; turn * stepMs <= hours * 60 * minute; turn += 1) {
      this.#nowMs = turn * stepMs;
      for (const [host, at] of this.#cleaning) if (at <= this.#nowMs) this.#end(host);
      await this.#living.tick();
      if (this.#nowMs % minute < stepMs) this.#look();
    }
  }

  /** The longest time without a host that came back. */
  get longestGapMs(): number {
    return Math.max(
      ...this.returns.map((at, index) => at - (this.returns[index - 1] ?? 0)),
      this.#nowMs - (this.returns.at(-1) ?? 0),
    );
  }

  #look(): void {
    this.#recent = this.#recent.filter(({ at }) => at > this.#nowMs - brake.windowMs);
    if (this.#recent.filter(({ failed }) => failed).length < brake.hosts) return;
    const having = (group: Group): number | null =>
      group.dimension === "step"
        ? null
        : this.#hosts.filter((host) =>
            this.#groups(host).some(
              ({ dimension, value }) => dimension === group.dimension && value === group.value,
            ),
          ).length;
    this.brakes.push(...findBrakes(this.#recent, brake, { hosts: this.#hosts.length, having }));
  }

  #groups({ blueprint: { index, model, drives } }: SimulatedHost): readonly Group[] {
    return [
      { dimension: "model", value: model },
      { dimension: "image", value: "1" },
      { dimension: "step", value: index % 11 === 5 ? "deploy.erase_hdd" : "deploy.erase_nvme" },
      ...[...new Set(drives.map((drive) => `${drive.model} ${drive.firmware}`))].map((value): Group => ({
        dimension: "driveFirmware",
        value,
      })),
    ];
  }

  #end(host: SimulatedHost): void {
    this.#cleaning.delete(host);
    const broken = host.drives.filter(({ faults }) => faults.failErase);
    const failed = broken.length > 0 || this.#isBad(host);
    if (failed) {
      this.failures += 1;
      this.#failed.add(host);
    } else {
      this.returns.push(this.#nowMs);
      this.#free.push(host);
    }
    this.#recent.push({
      hostId: host.blueprint.name,
      at: this.#nowMs,
      failed,
      groups: this.#groups(host),
      drives: broken.map(({ identity }) => identity.serial),
    });
  }

  #begin(host: SimulatedHost | undefined): void {
    if (host === undefined) return;
    this.#failed.delete(host);
    this.#cleaning.set(host, this.#nowMs + cleaningMs);
  }

  #person(org: string): Person {
    return {
      read: <Schema extends z.ZodType>(name: string, input: object | null, schema: Schema) =>
        Promise.resolve(schema.parse(this.#answer(org, name, { ...input }))),
      act: (name, input) => {
        this.#act(org, name, { ...input });
        return Promise.resolve();
      },
    };
  }

  #answer(org: string, name: string, input: Record<string, unknown>): unknown {
    switch (name) {
      case "instances.list": {
        const rows = [...this.#instances].filter(([, row]) => row.org === org).reverse();
        return {
          rows: rows.map(([id, row]) => ({ id, name: row.name, status: "Ready", sku: null })),
          total: rows.length,
        };
      }
      case "reclamations.list":
        return { rows: [] };
      case "queue.get":
        return { brakes: [] };
      case "instances.offer":
        return { kinds: [{ siteId: "a", skuId: "s", free: this.#free.length }] };
      case "instances.get":
        return { host: { name: this.#instances.get(String(input.id))?.host.blueprint.name } };
      case "host.get": {
        const host = this.#hosts.find(({ blueprint: own }) => own.name === input.host);
        const failed = host !== undefined && this.#failed.has(host);
        return { id: input.host, state: failed ? "Failed/NVMECleanFailed" : "Ready", stateVersion: "1" };
      }
      default:
        throw new Error(`the day knows no ${name}`);
    }
  }

  #act(org: string, name: string, input: Record<string, unknown>): void {
    if (name === "instances.create") {
      const [host] = this.#free.splice(mix(this.#seed, this.#turn++) % Math.max(1, this.#free.length), 1);
      if (host !== undefined)
        this.#instances.set(String(this.#turn), { name: `${org}-${1000 + this.#turn}`, org, host });
    } else if (name === "instances.release") {
      const id = String(input.ids);
      this.#begin(this.#instances.get(id)?.host);
      this.#instances.delete(id);
    } else if (name === "host.act")
      this.#begin(this.#hosts.find(({ blueprint: own }) => own.name === input.hostId));
  }
}

it.each([1, 2, 3])(
  "stays alive for a day, with the drives that fail by its own rate (seed %i)",
  async (seed) => {
    const day = new Day(seed);
    await day.run(24);
    expect(day.brakes).toEqual([]);
    // Otherwise the day shows nothing: it is the rate at which the brake looks at groups at all.
    expect(day.failures).toBeGreaterThan(10 * 24);
    expect(day.returns.length).toBeGreaterThan(100 * 24);
    expect(day.longestGapMs).toBeLessThan(10 * minute);
  },
);

it("finds a drive firmware of which every erase fails", async () => {
  const bad = "SSDPF2KE016T9L 2CV1L028";
  const day = new Day(4, ({ blueprint: { drives } }) =>
    drives.some(({ model, firmware }) => `${model} ${firmware}` === bad),
  );
  await day.run(1);
  expect(day.brakes[0]).toMatchObject({ dimension: "driveFirmware", value: bad });
});

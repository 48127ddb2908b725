// What breaks in the living demo, and how an operator repairs it: drives whose erase fails, and slow BMCs.
import { z } from "zod";
import { mix } from "@/server/simulator/fleet/numbers";
import type { SimulatedHost } from "@/server/simulator/host/simulated-host";
import type { Person } from "@/server/simulator/living/people";
import type { Scenario } from "@/server/simulator/living/scenario";

const head = z.object({ id: z.string(), state: z.string(), stateVersion: z.string() });

interface Broken {
  readonly host: SimulatedHost;
  /** When its host was first seen to have failed; null: not yet. */
  failedAt: number | null;
}

/** Entries of a long log, one each second until now. */
const longLog = 50_000;

function reported(
  host: SimulatedHost,
  what: Scenario["reportedBroken"][number],
): SimulatedHost["faults"]["health"] {
  switch (what) {
    case "fan":
      return { fan: 0 };
    case "supply":
      return { supply: 0 };
    case "leak":
      return { leak: "Critical" };
    case "drive":
      return { drives: host.drives.slice(0, 1).map(({ identity }) => identity.serial) };
    case "log":
      return {
        log: { first: 1, entries: longLog, since: new Date(Date.now() - longLog * 1_000).toISOString() },
      };
  }
}

export class Mishaps {
  readonly #scenario: Scenario;
  readonly #byName: ReadonlyMap<string, SimulatedHost>;
  readonly #hosts: readonly SimulatedHost[];
  readonly #now: () => number;
  /** Oldest first. */
  #broken: Broken[];
  #nextBreak = 0;
  #slow: { readonly host: SimulatedHost; readonly until: number } | null = null;
  #nextSlow = 0;
  #turn = 0;

  constructor(scenario: Scenario, hosts: readonly SimulatedHost[], now: () => number) {
    this.#scenario = scenario;
    this.#hosts = hosts;
    this.#byName = new Map(hosts.map((host) => [host.blueprint.name, host]));
    this.#now = now;
    // This start repairs what an earlier one broke.
    this.#broken = hosts
      .filter((host) => host.drives.some(({ faults }) => faults.failErase))
      .map((host) => ({ host, failedAt: null }));
  }

  /** Breaks a drive of the machine that is about to be released, if it is time. */
  beforeRelease(name: string): void {
    const { driveFails, leftForAPerson } = this.#scenario;
    const host = this.#byName.get(name);
    const drive = host?.drives[mix(this.#turn++) % Math.max(1, host.drives.length)];
    // Never more than one being repaired, plus those left for a person.
    if (driveFails === null || host === undefined || drive === undefined) return;
    if (this.#now() < this.#nextBreak || this.#broken.length > leftForAPerson) return;
    this.#nextBreak = this.#now() + driveFails.everySeconds * 1000;
    host.script({ drives: { [drive.identity.serial]: { failErase: true } } });
    this.#broken.push({ host, failedAt: null });
  }

  /** What BMCs report broken from the beginning, each of a machine that the place in the list decides. */
  begin(): void {
    for (const [at, what] of this.#scenario.reportedBroken.entries()) {
      const host = this.#hosts[mix(at, what.length) % Math.max(1, this.#hosts.length)];
      if (host !== undefined && host.faults.health === null) host.script({ health: reported(host, what) });
    }
  }

  async tick(operator: Person): Promise<void> {
    this.#slowBmc();
    for (const broken of [...this.#broken]) await this.#look(operator, broken);
  }

  async #look(operator: Person, broken: Broken): Promise<void> {
    const { driveFails, leftForAPerson } = this.#scenario;
    const { host } = broken;
    if (!host.drives.some(({ faults }) => faults.failErase)) {
      this.#forget(broken); // a person was quicker
      return;
    }
    const { id, state, stateVersion } = await operator.read("host.get", { host: host.blueprint.name }, head);
    if (!state.startsWith("Failed/")) return;
    broken.failedAt ??= this.#now();
    const waits = this.#now() < broken.failedAt + (driveFails?.mendedAfterSeconds ?? 0) * 1000;
    const failed = this.#broken.filter(({ failedAt }) => failedAt !== null);
    if (waits || failed.length <= leftForAPerson) return;
    host.clearFaults();
    this.#forget(broken);
    await operator.act("host.act", { hostId: id, intent: "retry", stateVersion });
  }

  #forget(broken: Broken): void {
    this.#broken = this.#broken.filter((each) => each !== broken);
  }

  #slowBmc(): void {
    const { slowBmc } = this.#scenario;
    if (this.#slow !== null && this.#now() >= this.#slow.until) {
      const { host } = this.#slow;
      if (host.faults.bmc?.mode === "slow") host.script({ bmc: null });
      this.#slow = null;
    }
    if (slowBmc === null || this.#slow !== null || this.#now() < this.#nextSlow) return;
    this.#nextSlow = this.#now() + slowBmc.everySeconds * 1000;
    const host = this.#hosts[mix(this.#turn++) % Math.max(1, this.#hosts.length)];
    if (host === undefined || host.faults.bmc !== null) return;
    host.script({ bmc: { mode: "slow", delayMs: slowBmc.delayMs } });
    this.#slow = { host, until: this.#now() + slowBmc.lastsSeconds * 1000 };
  }
}

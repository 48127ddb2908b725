// Stores what hardware keeps over a restart: a file beside the running fleet, to which every change is appended.
import type { SimulatedHost } from "@/server/simulator/host/simulated-host";
import type { NetworkController } from "@/server/simulator/network/network-controller";
import { Journal } from "@/server/simulator/state/journal";
import type { NetworkMemory, StateLine } from "@/server/simulator/state/memory";
import { recallFleet, type FleetIdentity } from "@/server/simulator/state/recall";

/** How long changes are batched. A change that replaces a drive's contents is written before anybody learns of it. */
const gatherMs = 100;
/** Time between two looks at erasing drives, and between two attempts to write after an error. */
const lookMs = 1_000;
/** The file is rewritten when more than this was appended, and more than four times its initial size. */
const maxAddedBytes = 16 * 1024 * 1024;
const maxAddedTimes = 4;

type Log = (level: "info" | "warn" | "error", host: string, message: string) => void;

/** What differs from the blueprint, or what of it is not in the file yet. */
interface Difference {
  host: boolean;
  readonly places: Set<number>;
}

export class FleetMemory {
  #journal: Journal | null = null;
  /** Real milliseconds for which earlier simulators of this fleet were running. */
  #before = 0;
  readonly #startedAt = performance.now();
  #networks: readonly NetworkMemory[] = [];
  /** Lines are being made. That may let an erase take effect, which is then included in them. */
  #busy = false;
  readonly #known = new Map<SimulatedHost, Difference>();
  readonly #unwritten = new Map<SimulatedHost, Difference>();
  readonly #unwrittenNetworks = new Set<string>();
  readonly #erasing = new Set<SimulatedHost>();
  #gathering: NodeJS.Timeout | null = null;
  #looking: NodeJS.Timeout | null = null;

  readonly #file: string;
  readonly #fleet: FleetIdentity;
  readonly #hosts: readonly SimulatedHost[];
  readonly #network: NetworkController;
  readonly #log: Log;

  constructor(
    file: string,
    fleet: FleetIdentity,
    hosts: readonly SimulatedHost[],
    network: NetworkController,
    log: Log,
  ) {
    this.#file = file;
    this.#fleet = fleet;
    this.#hosts = hosts;
    this.#network = network;
    this.#log = log;
  }

  /** Restores the fleet; does not change the file. Throws StateError if it is another fleet's. */
  recall(): void {
    const recalled = recallFleet(this.#file, this.#fleet);
    if (!recalled) return;
    this.#before = recalled.at;
    if (recalled.tornBytes > 0)
      this.#log(
        "warn",
        "simulator",
        `${this.#file} ended within a line: its last ${recalled.tornBytes} bytes are ignored`,
      );
    for (const [index, memory] of recalled.hosts) {
      const host = this.#hostAt(index);
      host.recall(memory);
      this.#note(this.#known, host).host = true;
    }
    for (const [index, places] of recalled.drives) {
      const host = this.#hostAt(index);
      for (const [place, { at, drive }] of places) {
        host.recallDrive(place, drive, recalled.at - at);
        this.#note(this.#known, host).places.add(place);
      }
      if (host.erasing) this.#erasing.add(host);
    }
    this.#networks = [...recalled.networks.values()];
  }

  #hostAt(index: number): SimulatedHost {
    const host = this.#hosts[index];
    if (!host) throw new Error(`no host ${index}`);
    return host;
  }

  #note(differences: Map<SimulatedHost, Difference>, host: SimulatedHost): Difference {
    const difference = differences.get(host) ?? { host: false, places: new Set<number>() };
    differences.set(host, difference);
    return difference;
  }

  /** Starts to write the file, and lets the network controller continue with what it had not done. Throws what the file system throws. */
  begin(): void {
    for (const memory of this.#networks) this.#network.recall(memory);
    this.#writeAnew();
    for (const host of this.#hosts) host.watch((place, lasting) => this.#changed(host, place, lasting));
    this.#network.onChange = (hostId) => {
      this.#unwrittenNetworks.add(hostId);
      this.#gather();
    };
    this.#looking = setInterval(() => this.#look(), lookMs);
  }

  #changed(host: SimulatedHost, place: number | null, lasting: boolean): void {
    for (const difference of [this.#note(this.#known, host), this.#note(this.#unwritten, host)]) {
      if (place === null) difference.host = true;
      else difference.places.add(place);
    }
    if (lasting) this.flush();
    else this.#gather();
  }

  #gather(): void {
    this.#gathering ??= setTimeout(() => this.flush(), gatherMs);
  }

  /** Erases take effect when somebody looks. The elapsed time of the others must be known after a kill. */
  #look(): void {
    for (const host of this.#erasing) if (!host.erasing) this.#erasing.delete(host);
    if (this.#journal === null) this.#attempt(() => this.#writeAnew());
    else if (this.#erasing.size > 0) this.#append(() => [this.#clockLine()]);
  }

  #at(): number {
    return Math.round(this.#before + performance.now() - this.#startedAt);
  }

  #clockLine(): string {
    return JSON.stringify({ at: this.#at() } satisfies StateLine);
  }

  #linesOf(host: SimulatedHost, { host: itself, places }: Difference): string[] {
    const index = host.blueprint.index;
    const lines: StateLine[] = itself ? [{ at: this.#at(), host: index, state: host.memory() }] : [];
    for (const place of places) {
      const drive = host.driveMemory(place);
      if (drive) lines.push({ at: this.#at(), host: index, place, drive });
      if (drive?.running) this.#erasing.add(host);
    }
    return lines.map((line) => JSON.stringify(line));
  }

  #networkLines(hostIds: Iterable<string>): string[] {
    return Array.from(hostIds, (hostId) => this.#network.memory(hostId)).flatMap((network) =>
      network ? [JSON.stringify({ at: this.#at(), network } satisfies StateLine)] : [],
    );
  }

  /** Writes what has changed. An error is logged, and everything is rewritten a little later. */
  flush(): void {
    if (this.#gathering) clearTimeout(this.#gathering);
    this.#gathering = null;
    this.#append(() => {
      const lines: string[] = [];
      for (const [host, difference] of this.#unwritten) {
        this.#unwritten.delete(host);
        lines.push(...this.#linesOf(host, difference));
      }
      lines.push(...this.#networkLines(this.#unwrittenNetworks));
      this.#unwrittenNetworks.clear();
      return lines;
    });
  }

  #append(lines: () => readonly string[]): void {
    const journal = this.#journal;
    if (journal === null) return;
    if (this.#busy) this.#gather();
    else if (journal.added > Math.max(maxAddedBytes, maxAddedTimes * journal.startBytes))
      this.#attempt(() => this.#writeAnew());
    else this.#attempt(() => journal.append(lines()));
  }

  #attempt(write: () => void): void {
    this.#busy = true;
    try {
      write();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      this.#journal?.close();
      this.#journal = null;
      this.#log("error", "simulator", `the state of the fleet is not kept: ${error.message}`);
    } finally {
      this.#busy = false;
    }
  }

  #writeAnew(): void {
    this.#unwritten.clear();
    this.#unwrittenNetworks.clear();
    const journal = new Journal(this.#file, this.#all());
    this.#journal?.close();
    this.#journal = journal;
  }

  *#all(): Generator<string> {
    yield JSON.stringify({ format: "reclaim-simulator-1", seed: this.#fleet.seed, hosts: this.#fleet.hosts });
    yield this.#clockLine();
    for (const [host, difference] of this.#known) yield* this.#linesOf(host, difference);
    yield* this.#networkLines(this.#network.hostIds());
  }

  /** Writes what is left. Nothing is stored from then on. */
  close(): void {
    if (this.#looking) clearInterval(this.#looking);
    if (this.#journal === null) this.#attempt(() => this.#writeAnew());
    this.flush();
    this.#append(() => [this.#clockLine()]);
    for (const host of this.#hosts) host.watch(() => undefined);
    this.#network.onChange = () => undefined;
    this.#journal?.close();
    this.#journal = null;
    if (this.#gathering) clearTimeout(this.#gathering);
  }
}

// The site's network controller: accepts the wanted network of a host, applies it to each interface after a while, and acknowledges each one.
import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import type { Pool } from "undici";
import {
  networkWanted,
  type NetworkAcknowledgement,
  type NetworkWanted,
} from "@/server/domain/hosts/network/network-protocol";
import { mix } from "@/server/simulator/fleet/numbers";
import { isOver, sleep, type HardwareTime } from "@/server/simulator/hardware-time";
import type { NetworkMemory } from "@/server/simulator/state/memory";
import { ask } from "@/server/simulator/host/ask";
import type { SimulatedHost } from "@/server/simulator/host/simulated-host";

const applyMs = 3_000;
const applySpreadMs = 3_000;
const firstPauseMs = 250;
const longestPauseMs = 15_000;

interface HostNetwork {
  readonly wanted: NetworkWanted;
  readonly sha256: string;
  /** Extension services were running before it was wanted. */
  readonly hadServices: boolean;
  /** Interfaces that are not acknowledged yet. */
  readonly pending: Set<string>;
  /** Aborts when a newer version is wanted. */
  readonly superseded: AbortController;
}

export class NetworkController {
  readonly #byHost = new Map<string, HostNetwork>();
  readonly #hostByInterface: ReadonlyMap<string, SimulatedHost>;
  /** By the host id in the request, whatever the result was. */
  readonly #askedFor = new Map<string, SimulatedHost>();
  readonly #servicesRunning = new Set<string>();
  /** Called with the host whose wanted network, or its progress, has changed. */
  onChange: (hostId: string) => void = () => undefined;

  readonly #pool: Pool;
  readonly #token: string;
  readonly #time: HardwareTime;

  constructor(hosts: readonly SimulatedHost[], pool: Pool, token: string, time: HardwareTime) {
    this.#pool = pool;
    this.#token = token;
    this.#time = time;

    // A host that was enrolled without interface names is identified by its MACs: the same cables.
    this.#hostByInterface = new Map(
      hosts.flatMap((host) =>
        [...host.blueprint.networkInterfaces, ...host.blueprint.nics.map(({ mac }) => mac)].map(
          (name) => [name, host] as const,
        ),
      ),
    );
  }

  /** `OPTIONS /hosts/{hostId}/network`: how a request would be answered, for a host that has already had one. */
  options(hostId: string): number {
    const { answers } = this.#askedFor.get(hostId)?.faults.network ?? {};
    return answers === "notFound" ? 404 : answers === "unavailable" ? 503 : 204;
  }

  /** `PUT /hosts/{hostId}/network`. The body must be about that host, and newer than what was wanted before. */
  want(hostId: string, body: unknown): { readonly status: number; readonly body: object } {
    const parsed = networkWanted.safeParse(body);
    if (!parsed.success || parsed.data.host !== hostId)
      return { status: 400, body: { error: "not a wanted network of this host" } };
    const wanted = parsed.data;
    const unknown = wanted.interfaces.filter((name) => !this.#hostByInterface.has(name));
    if (unknown.length > 0) return { status: 404, body: { error: `no interface ${unknown.join(", ")}` } };
    const host = this.#hostByInterface.get(wanted.interfaces[0] ?? "");
    if (host !== undefined) this.#askedFor.set(hostId, host);
    const { answers } = host?.faults.network ?? {};
    if (answers === "notFound") return { status: 404, body: { error: "no such host" } };
    if (answers === "unavailable") return { status: 503, body: { error: "try again later" } };
    const sha256 = createHash("sha256")
      .update(canonicalize(wanted) ?? "")
      .digest("hex");
    const before = this.#byHost.get(hostId);
    if (
      before &&
      (before.wanted.version > wanted.version ||
        (before.wanted.version === wanted.version && before.sha256 !== sha256))
    ) {
      return { status: 409, body: { error: `version ${before.wanted.version} is wanted already` } };
    }
    before?.superseded.abort(isOver);
    const entry = {
      wanted,
      sha256,
      hadServices: this.#servicesRunning.has(hostId),
      pending: new Set(wanted.interfaces),
      superseded: new AbortController(),
    };
    this.#byHost.set(hostId, entry);
    if (wanted.extensionServices) this.#servicesRunning.add(hostId);
    this.onChange(hostId);
    for (const name of wanted.interfaces) void this.#apply(entry, name);
    return { status: 202, body: { version: wanted.version, sha256 } };
  }

  hostIds(): string[] {
    return [...this.#byHost.keys()];
  }

  memory(hostId: string): NetworkMemory | null {
    const entry = this.#byHost.get(hostId);
    if (!entry) return null;
    const { wanted, sha256, hadServices, pending } = entry;
    return {
      wanted,
      sha256,
      hadServices,
      servicesRunning: this.#servicesRunning.has(hostId),
      pending: [...pending],
    };
  }

  /** Continues with what was wanted but not acknowledged when the process ended. */
  recall({ wanted, sha256, hadServices, servicesRunning, pending }: NetworkMemory): void {
    const entry = {
      wanted,
      sha256,
      hadServices,
      pending: new Set(pending),
      superseded: new AbortController(),
    };
    this.#byHost.set(wanted.host, entry);
    if (servicesRunning) this.#servicesRunning.add(wanted.host);
    for (const name of pending) void this.#apply(entry, name);
  }

  async #apply(
    { wanted, sha256, hadServices, pending, superseded }: HostNetwork,
    name: string,
  ): Promise<void> {
    const { signal } = superseded;
    const host = this.#hostByInterface.get(name);
    await this.#time.wait(applyMs + (mix(wanted.version, host?.blueprint.key ?? 0) % applySpreadMs), signal);
    if (signal.aborted || !host) return;
    host.network = wanted.network;
    host.changed();
    if (!wanted.extensionServices && this.#servicesRunning.delete(wanted.host)) this.onChange(wanted.host);
    // A DPU that does not answer cannot keep the switch from cutting off its port. One that answers again reports what it has.
    while (host.faults.network?.neverAck && wanted.network !== "quarantine" && !signal.aborted)
      await sleep(firstPauseMs, signal);
    const acknowledgement: NetworkAcknowledgement = {
      host: wanted.host,
      interface: name,
      version: wanted.version,
      sha256,
      extensionServices: wanted.extensionServices ? "running" : hadServices ? "terminated" : "none",
    };
    for (let pauseMs = firstPauseMs; !signal.aborted; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      if (await this.#post(acknowledgement, signal)) {
        host.counters.networkAcknowledgements += 1;
        pending.delete(name);
        this.onChange(wanted.host);
        return;
      }
      await sleep(pauseMs, signal);
    }
  }

  async #post(acknowledgement: NetworkAcknowledgement, signal: AbortSignal): Promise<boolean> {
    try {
      const { status } = await ask(this.#pool, {
        method: "POST",
        path: "/network/v1/acknowledgements",
        headers: { "content-type": "application/json", authorization: `Bearer ${this.#token}` },
        body: JSON.stringify(acknowledgement),
        signal,
      });
      return status >= 200 && status < 300;
    } catch (error) {
      if (error instanceof Error) return false;
      throw error;
    }
  }

  stop(): void {
    for (const { superseded } of this.#byHost.values()) superseded.abort(isOver);
  }
}

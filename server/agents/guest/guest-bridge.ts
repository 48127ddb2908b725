// The Ironic agents that this process speaks for. Each has one process at a time: a heartbeat starts it, and the next one resumes where a process stopped.
import { randomUUID } from "node:crypto";
import { GuestStore, type GuestKey, type GuestStoreOptions } from "@/server/agents/guest/guest-work";
import { GuestTurns, type GuestTurnsOptions } from "@/server/agents/guest/guest-turns";

type GuestBridgeOptions = Omit<GuestStoreOptions, "holder"> &
  Omit<GuestTurnsOptions, "log"> & {
    readonly log: (hostId: string, message: string) => void;
  };

export class GuestBridge {
  readonly #options: GuestBridgeOptions;

  readonly #holder = randomUUID();

  readonly #stop = new AbortController();

  readonly #running = new Map<string, Promise<void>>();

  constructor(options: GuestBridgeOptions) {
    this.#options = options;
  }

  /** Starts to speak to the agent of a boot, unless this process already does. */
  wake(key: GuestKey): void {
    const id = `${key.hostId}/${key.bootEpoch}`;
    if (this.#stop.signal.aborted || this.#running.has(id)) return;
    const store = new GuestStore(key, { ...this.#options, holder: this.#holder });
    const turns = new GuestTurns(key, store, this.#stop.signal, {
      ...this.#options,
      log: (message) => this.#options.log(key.hostId, message),
    });
    this.#running.set(
      id,
      turns.run().finally(() => this.#running.delete(id)),
    );
  }

  /** Stops and lets go of the agents; another process continues at the next heartbeat. */
  async close(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#running.values());
  }
}

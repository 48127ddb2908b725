// Reads parts of an inventory: what a BMC does not offer is left out with its reason, what it fails to tell stops the reading (docs/adr/0019).
import type { RedfishClient } from "@/server/hardware/redfish/client";
import { readCollection } from "@/server/hardware/redfish/collection";
import { contentError, type RedfishError } from "@/server/hardware/redfish/errors";
import type { Call } from "@/server/hardware/redfish/sender";

/** Stops the collecting: the BMC went away or refuses us, so what it has is not known. Caught in collect.ts. */
export class CannotTell extends Error {
  constructor(readonly error: RedfishError) {
    super(error.message);
  }
}

/** By these a BMC says that it has no such part. Any other answer says nothing of what the host has. */
const notOffered = new Set(/* safety: bmc: an error is no part that is not offered → [404, 405, 500, 501] */ [404, 405, 501]);

export class Gather {
  readonly leftOut: string[] = [];
  #stopped = false;

  constructor(
    private readonly client: RedfishClient,
    private readonly call: Call,
  ) {}

  leaveOut(part: string, reason: string): void {
    this.leftOut.push(`${part}: ${reason}`);
  }

  /** The members' paths of a collection that may not be there; none when it is left out. */
  async members(part: string, reference: string | undefined): Promise<readonly string[]> {
    if (reference === undefined) {
      this.leaveOut(part, "the BMC names no such collection");
      return [];
    }
    const read = await readCollection(this.client, this.call, reference);
    if (read.ok) return read.members;
    this.#leftOutOrStop(part, read.error);
    return [];
  }

  /** The content of a resource that may not be there, or undefined when it is left out. */
  async resource(part: string, path: string): Promise<unknown> {
    const replied = await this.client.get(this.call, path);
    if (replied.ok) return replied.answer.body;
    this.#leftOutOrStop(part, replied.error);
    return undefined;
  }

  /** Stops the reading: what was answered is not what this resource must be. */
  stop(path: string, problem: string): never {
    return this.#stop(contentError({ method: "GET", path, purpose: "read" }, 200, problem).error);
  }

  /**
   * The contents of many resources that the BMC itself has listed, in order: one that is not there is a broken answer. No more at a time
   * than the BMC takes: a power action must not queue behind an inventory.
   */
  async resources(paths: readonly string[]): Promise<ReadonlyArray<{ readonly path: string; readonly body: unknown }>> {
    const bodies = new Map<string, unknown>();
    const left = paths.values();
    const worker = async () => {
      for (const path of left) {
        if (this.#stopped) return;
        const replied = await this.client.get(this.call, path);
        if (!replied.ok) /* safety: bmc: what the BMC lists itself must be there → continue */ this.#stop(replied.error);
        bodies.set(path, replied.answer.body);
      }
    };
    await Promise.all(Array.from({ length: this.client.settings.limits.requestsAtATime }, worker));
    return paths.map((path) => ({ path, body: bodies.get(path) }));
  }

  #leftOutOrStop(part: string, error: RedfishError): void {
    if (error.status === null || !notOffered.has(error.status)) this.#stop(error);
    this.leaveOut(part, error.message);
  }

  #stop(error: RedfishError): never {
    this.#stopped = true;
    throw new CannotTell(error);
  }
}

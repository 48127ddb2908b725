// Reads parts of an inventory. A part that the BMC does not offer is left out with a reason; one that it fails to report stops the reading (docs/adr/0019).
import { isObject } from "@/server/domain/json";
import type { Reads } from "@/server/hardware/redfish/client/client";
import { readCollection, type CollectionRead } from "@/server/hardware/redfish/resources/collection";
import { contentError, type Failed, type RedfishError } from "@/server/hardware/redfish/client/errors";
import { contentsOf, expandQuery, type Expand } from "@/server/hardware/redfish/resources/expand";
import type { Call } from "@/server/hardware/redfish/client/sender";

/** Stops the reading: the BMC went away or refuses us, so its contents are unknown. `cannotTell` makes it the call's error. */
export class CannotTell extends Error {
  constructor(readonly error: RedfishError) {
    super(error.message);
  }
}

/** The result of a reading that stopped. Throws any other error again. */
export function cannotTell(error: unknown): Failed {
  if (error instanceof CannotTell) return { ok: false, error: error.error };
  throw error;
}

/** The names of a resource's own properties. */
const propertiesOf = (body: unknown): string =>
  isObject(body)
    ? Object.keys(body)
        .filter((name) => !name.startsWith("@"))
        .sort()
        .join()
    : "";

/** Statuses that mean that the BMC has no such part. Any other answer says nothing about what the host has. */
const notOffered = new Set([404, 405, 501]);

export class Gather {
  readonly leftOut: string[] = [];
  /** Resources that came with expanded answers, by path. */
  #contents = new Map<string, unknown>();
  #stopped = false;

  readonly #client: Reads;
  readonly #call: Call;

  constructor(client: Reads, call: Call) {
    this.#client = client;
    this.#call = call;
  }

  leaveOut(part: string, reason: string): void {
    this.leftOut.push(`${part}: ${reason}`);
  }

  /**
   * The members' paths of an optional collection; empty if it is left out. `levels`: how many levels behind the members to request with them,
   * if the BMC supports that; `resources` then uses what came.
   * `leavesOutUntold`: a collection with neither members nor a count is left out; otherwise it stops the reading.
   */
  async members(
    part: string,
    reference: string | undefined,
    levels = 0,
    { leavesOutUntold = false } = {},
  ): Promise<readonly string[]> {
    if (reference === undefined) {
      this.leaveOut(part, "the BMC names no such collection");
      return [];
    }
    const read =
      (await this.#expandedMembers(reference, levels)) ??
      (await readCollection(this.#client, this.#call, reference));
    if (read.ok) return read.members;
    if (leavesOutUntold && read.untold === true) this.leaveOut(part, read.error.message);
    else this.#leftOutOrStop(part, read.error);
    return [];
  }

  /** The content of an optional resource; undefined if it is left out. */
  async resource(part: string, path: string): Promise<unknown> {
    const replied = await this.#client.get(this.#call, path);
    if (replied.ok) return replied.answer.body;
    this.#leftOutOrStop(part, replied.error);
    return undefined;
  }

  /** If drives listed in `body` did not come with it and the BMC can expand them, reads the resource again with its drives. */
  async withDrives(path: string, body: unknown, drives: readonly string[]): Promise<unknown> {
    const expand = this.#expand(path);
    if (expand === null || !expand.ofResources || drives.every((drive) => this.#contents.has(drive)))
      return body;
    const replied = await this.#client.get(this.#call, `${path}${expandQuery(expand, 1)}`);
    if (!replied.ok && replied.error.kind === "unreachable") this.#stop(replied.error);
    const contents = replied.ok ? contentsOf(replied.answer.body) : new Map<string, unknown>();
    // Only if all listed drives came; otherwise each drive is read by itself.
    if (replied.ok && drives.every((drive) => contents.has(drive))) {
      for (const [place, content] of contents) this.#contents.set(place, content);
      return replied.answer.body;
    }
    this.#call.bmc.expand = { ...expand, ofResources: false };
    return body;
  }

  /**
   * Whether members came whole with their collection. Some BMCs shorten expanded members, so the first one is read by itself: if it has the same
   * properties then, so do the others that have them.
   */
  async wholeMembers(members: readonly string[]): Promise<(body: unknown) => boolean> {
    const [first] = members;
    const expanded = first === undefined ? undefined : this.#contents.get(first);
    if (first === undefined || expanded === undefined) return () => false;
    const replied = await this.#client.get(this.#call, first);
    const alone = replied.ok ? replied.answer.body : this.#stop(replied.error);
    const isWhole = propertiesOf(alone) === propertiesOf(expanded);
    if (!isWhole) this.#contents.set(first, alone);
    const names = propertiesOf(alone);
    return (body) => body === alone || (isWhole && propertiesOf(body) === names);
  }

  /** Stops the reading: the answer is not what this resource must be. */
  stop(path: string, problem: string): never {
    return this.#stop(contentError({ method: "GET", path, purpose: "read" }, 200, problem).error);
  }

  /**
   * The contents of resources that the BMC itself has listed, in order; a missing one is an error. No more concurrent requests than the BMC
   * takes, because a power action must not queue behind an inventory. `whole`: whether what came with an expanded answer is sufficient.
   */
  async resources(
    paths: readonly string[],
    whole: (body: unknown) => boolean = () => false,
  ): Promise<ReadonlyArray<{ readonly path: string; readonly body: unknown }>> {
    const bodies = new Map<string, unknown>();
    const left = paths.values();
    const worker = async () => {
      for (const path of left) {
        if (this.#stopped) return;
        const content = this.#contents.get(path);
        if (content !== undefined && whole(content)) {
          bodies.set(path, content);
          continue;
        }
        const replied = await this.#client.get(this.#call, path);
        if (!replied.ok) this.#stop(replied.error);
        bodies.set(path, replied.answer.body);
      }
    };
    await Promise.all(Array.from({ length: this.#client.settings.limits.requestsAtATime }, worker));
    return paths.map((path) => ({ path, body: bodies.get(path) }));
  }

  /** Null if the BMC does not expand links, or not correctly: the list is then read as it is, and its members one by one. */
  async #expandedMembers(reference: string, levels: number): Promise<CollectionRead | null> {
    // The results of an earlier reading are stale.
    this.#contents = new Map();
    if (levels === 0) return null;
    if (this.#call.bmc.expand === undefined) await this.#client.serviceRoot(this.#call);
    const expand = this.#expand(reference);
    if (expand === null) return null;
    const contents = new Map<string, unknown>();
    const read = await readCollection(
      this.#client,
      this.#call,
      `${reference}${expandQuery(expand, levels)}`,
      (page) => {
        for (const [path, content] of contentsOf(page)) contents.set(path, content);
      },
    );
    if (read.ok && (read.members.length === 0 || contents.size > 0)) {
      this.#contents = contents;
      return read;
    }
    this.#call.bmc.expand = null;
    // More requests do not help a BMC that stopped answering. The next reading does without `$expand`.
    return read.ok || read.error.kind !== "unreachable" ? null : read;
  }

  #expand(reference: string): Expand | null {
    return reference.includes("?") ? null : (this.#call.bmc.expand ?? null);
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

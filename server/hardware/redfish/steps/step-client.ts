// What every step needs to talk to one BMC in one call: read, change with the permit, read back. It stops by throwing; step-code.ts makes that a result.
import type { z } from "zod";
import type { BmcLinks, StepCall } from "@/server/hardware/interfaces";
import type { RedfishAnswer, RedfishClient, Replied } from "@/server/hardware/redfish/client/client";
import { contentError } from "@/server/hardware/redfish/client/errors";
import { Gather } from "@/server/hardware/redfish/inventory/gather";
import type { Call } from "@/server/hardware/redfish/client/sender";
import type { ServiceRoot } from "@/server/hardware/redfish/client/sign-in";
import { resetTypesOf, type ResetAction } from "@/server/hardware/redfish/resources/action-info";
import { readSystem, type ComputerSystem } from "@/server/hardware/redfish/resources/system";
import type { VendorProfile } from "@/server/hardware/redfish/vendor-profile";
import { switchLockdown } from "@/server/hardware/redfish/steps/lockdown";
import { changeVersioned } from "@/server/hardware/redfish/resources/versions";
import { StepFailed, StepStopped } from "@/server/hardware/redfish/steps/stopped";

export interface Resource<T> {
  readonly path: string;
  readonly body: T;
  readonly etag: string | null;
}

type Body = Readonly<Record<string, unknown>>;

/** Statuses that mean that there is nothing at a path. */
const gone = new Set([404, 405, 410, 501]);

export class StepClient {
  readonly gather: Gather;
  /** The lockdown was checked and is off. */
  #open: boolean;

  constructor(
    readonly client: RedfishClient,
    readonly call: Call,
    readonly links: BmcLinks,
    readonly profile: VendorProfile,
    readonly step: StepCall,
  ) {
    this.gather = new Gather(client, call);
    this.#open = profile.lockdown === null;
  }

  nowMs(): number {
    return this.client.settings.date().getTime();
  }

  now(): string {
    return this.client.settings.date().toISOString();
  }

  async root(): Promise<ServiceRoot> {
    const found = await this.client.serviceRoot(this.call);
    if (!found.ok) throw new StepStopped(found.error);
    return found.root;
  }

  async system(): Promise<ComputerSystem> {
    const read = await readSystem(this.client, this.call, this.links.system);
    if (!read.ok) throw new StepStopped(read.error);
    return read.system;
  }

  /** A resource that must exist. */
  async get<T>(path: string, schema: z.ZodType<T>): Promise<Resource<T>> {
    const replied = await this.client.get(this.call, path);
    if (!replied.ok) throw new StepStopped(replied.error);
    return this.#parsed(path, schema, replied.answer);
  }

  /** The same of what changes while it is waited for, such as a task. */
  async getNow<T>(path: string, schema: z.ZodType<T>): Promise<Resource<T>> {
    const replied = await this.client.getNow(this.call, path);
    if (!replied.ok) throw new StepStopped(replied.error);
    return this.#parsed(path, schema, replied.answer);
  }

  /** The kinds of reset of an action; empty if the BMC does not list them. */
  async resetTypes(action: ResetAction): Promise<readonly string[]> {
    const read = await resetTypesOf(this.client, this.call, action);
    if (!read.ok) throw new StepStopped(read.error);
    return read.types;
  }

  /** A resource that may be gone; null in that case. */
  async look<T>(path: string, schema: z.ZodType<T>): Promise<Resource<T> | null> {
    const replied = await this.client.get(this.call, path);
    if (replied.ok) return this.#parsed(path, schema, replied.answer);
    if (replied.error.status !== null && gone.has(replied.error.status)) return null;
    throw new StepStopped(replied.error);
  }

  #parsed<T>(path: string, schema: z.ZodType<T>, answer: RedfishAnswer): Resource<T> {
    const parsed = schema.safeParse(answer.body);
    if (!parsed.success)
      throw new StepStopped(
        contentError(
          { method: "GET", path, purpose: "read" },
          answer.status,
          "its content is not what this resource should hold",
        ).error,
      );
    return { path, body: parsed.data, etag: answer.etag };
  }

  /** The contents of all members of a collection. If anything cannot be read the step stops: half a list proves nothing. */
  async all<T>(reference: string, schema: z.ZodType<T>): Promise<ReadonlyArray<Resource<T>>> {
    const found = await this.lookAll(reference, schema);
    if (found === null) throw new StepFailed(`collection: the BMC has none at ${reference}`);
    return found;
  }

  /** The same of a collection that the BMC may not have, even if it links to one; null in that case. */
  async lookAll<T>(reference: string, schema: z.ZodType<T>): Promise<ReadonlyArray<Resource<T>> | null> {
    const gather = new Gather(this.client, this.call);
    const members = await gather.members("collection", reference, 1);
    if (gather.leftOut.length > 0) return null;
    const found = await gather.resources(members, await gather.wholeMembers(members));
    return found.map(({ path, body }) =>
      this.#parsed(path, schema, { status: 200, body, etag: null, bmcTime: null, location: null }),
    );
  }

  /** Sends an action that changes nothing, and returns its answer. */
  async ask(path: string, body: Body): Promise<RedfishAnswer> {
    const replied = await this.client.ask(this.call, path, body);
    if (!replied.ok) throw new StepStopped(replied.error);
    return replied.answer;
  }

  /** Sends a change once, after the permit. If the BMC is locked down, the lockdown is turned off first, provided the SKU's baseline says that it is ours. */
  async change(
    method: "POST" | "PATCH" | "DELETE",
    path: string,
    body: Body | null,
    version: string | null = null,
  ): Promise<RedfishAnswer> {
    const replied = await this.tryChange(method, path, body, version);
    if (!replied.ok) throw new StepStopped(replied.error);
    return replied.answer;
  }

  async tryChange(
    method: "POST" | "PATCH" | "DELETE",
    path: string,
    body: Body | null,
    version: string | null = null,
  ): Promise<Replied> {
    if (!this.#open) await this.#unlock();
    return this.changeLocked(method, path, body, version);
  }

  /** Like `tryChange`, for changes that a locked BMC accepts too. */
  changeLocked(
    method: "POST" | "PATCH" | "DELETE",
    path: string,
    body: Body | null,
    version: string | null = null,
  ): Promise<Replied> {
    return this.client.change(this.call, method, path, body, version);
  }

  /** Changes a resource that was just read, naming its version; reads it again if that version is stale. */
  async patch(resource: Resource<unknown>, body: Body, schema: z.ZodType): Promise<RedfishAnswer> {
    const replied = await changeVersioned(
      (version) => this.tryChange("PATCH", resource.path, body, version),
      { version: resource.etag },
      async () => ({ ok: true, version: (await this.get(resource.path, schema)).etag }),
    );
    if (!replied.ok) throw new StepStopped(replied.error);
    return replied.answer;
  }

  /** Reads until the value fits or the limit is reached. Returns the last value read, and in `ok` whether it fits. */
  async until<T>(
    limitMs: number,
    read: () => Promise<T>,
    fits: (value: T) => boolean,
  ): Promise<{ readonly ok: boolean; readonly value: T }> {
    const { now, sleep, limits } = this.client.settings;
    const startedAt = now();
    for (let look = 0; ; look += 1) {
      const value = await read();
      if (fits(value)) return { ok: true, value };
      const waitMs = limits.lookWaitsMs[Math.min(look, limits.lookWaitsMs.length - 1)] ?? 0;
      if (
        now() - startedAt + waitMs > limitMs ||
        this.client.remainingMs(this.call) <= waitMs ||
        this.call.options.signal?.aborted === true
      )
        return { ok: false, value };
      await sleep(waitMs, this.call.options.signal);
    }
  }

  async #unlock(): Promise<void> {
    const lockdown = this.profile.lockdown;
    const path = lockdown === null ? null : await this.lockdownPath();
    if (lockdown === null || path === null) {
      this.#open = true;
      return;
    }
    await switchLockdown(this, lockdown, path, "off");
    this.#open = true;
  }

  /** The resource with the lockdown setting, found from the manager. */
  async lockdownPath(): Promise<string | null> {
    const manager = await this.client.get(this.call, this.links.manager);
    if (!manager.ok) throw new StepStopped(manager.error);
    return this.profile.lockdown?.resource(manager.answer.body) ?? null;
  }
}

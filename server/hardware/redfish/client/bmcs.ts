// What the client remembers of each BMC while it works with it: connections, session, version of the system resource. Bounded.
import { hash } from "node:crypto";
import { isIP } from "node:net";
import type { LookupFunction } from "node:net";
import { Client } from "undici";
import { checkBmcAddress, loopbackWord, type AddressVerdict } from "@/server/hardware/bmc-address";
import { checkedLookup, connector, type TlsTrust } from "@/server/hardware/http/connect";
import { Slots } from "@/server/hardware/http/slots";
import type { BmcTarget, SystemReading } from "@/server/hardware/interfaces";
import { failure, type Failed } from "@/server/hardware/redfish/client/errors";
import type { BootAttributeName } from "@/server/hardware/redfish/resources/boot-attributes";
import type { BootProperty, BootWay } from "@/server/hardware/redfish/resources/boot-ways";
import type { Expand } from "@/server/hardware/redfish/resources/expand";
import type { RedfishSettings } from "@/server/hardware/redfish/client/settings";

interface AccessFacts {
  readonly credential: string;
  /** True once a request with it succeeded. Only then can a 401 mean an expired session. */
  proven: boolean;
  /** The hosts that use it: a service may have the systems of several hosts. */
  readonly hosts: Set<string>;
}

/** How we are signed in. */
export type Access =
  | (AccessFacts & {
      readonly kind: "token";
      readonly token: string;
      readonly uri: string | null;
      /** The host that signed in. The session is stored with it. */
      readonly owner: string;
    })
  | (AccessFacts & { readonly kind: "basic"; readonly header: string });

/** Where a system's drives are listed. */
export interface StorageLinks {
  readonly storage: string | undefined;
  readonly simpleStorage: string | undefined;
}

/** A system behind a BMC as last read. */
export interface SystemSeen {
  readonly path: string;
  readonly serial: string;
  readonly uuid: string;
  readonly readAt: number;
  readonly reading: SystemReading;
  readonly storage: StorageLinks;
  /** The version of its resource; null: not reported, or no longer current. */
  readonly etag: string | null;
  /** As the BMC tells it; null: it does not. */
  readonly bootMode: string | null;
}

export interface Bmc {
  readonly origin: string;
  readonly slots: Slots;
  /** Held while signing in, so that one BMC never gets two sessions from us at once. */
  readonly signIn: Slots;
  /** By credential: the hosts of one service may use different ones. */
  readonly accesses: Map<string, Access>;
  /** Digests of refused credentials. They are not tried again. */
  readonly refused: Set<string>;
  /** Credentials that were refused to a background call, and until when background calls do not try them, on the settings' clock. */
  readonly refusedInBackground: Map<string, number>;
  /** A session of ours that the BMC no longer knows. There is no point in deleting it. */
  expiredUri: string | null;
  /** The collection of sessions; null if there is none; undefined until known. */
  sessionsPath: string | null | undefined;
  /** Each of its systems as last read, by path. */
  readonly systems: Map<string, SystemSeen>;
  /** How it expands links; null: not at all; undefined until its service root was read. */
  expand: Expand | null | undefined;
  /** It answered 428, or 412 to a change without a version: changes need If-Match. */
  demandsVersion: boolean;
  /** Properties of `Boot` that it demanded in a change of another one. */
  demandsBoot: readonly BootProperty[];
  /**
   * Systems, by path, that read UEFI before a change of the boot source of which nobody has seen yet that it kept the mode; each with the time until which
   * that counts, on the settings' clock.
   */
  readonly uefiAtStake: Map<string, number>;
  /** The kind of network boot that it accepted last, or the BIOS attribute. */
  bootWay: BootWay | BootAttributeName | null;
  /** Until when the BIOS of a system is taken to have no attribute that names a boot program, by the system's path, on the settings' clock. */
  readonly noBootAttribute: Map<string, number>;
  /** By slot. Not undici's Pool, which opens a second connection for a request that directly follows another. */
  clients: Array<Client | undefined>;
  trust: TlsTrust | null;
  /** The certificate requirements of the last connection. */
  lastTrust: Pick<BmcTarget, "certificate" | "trust">;
  inFlight: number;
  lastUsedAt: number;
}

/** A digest of the credential, to recognise it without keeping the password. */
export function credentialDigest(target: Pick<BmcTarget, "username" | "password">): string {
  return hash("sha256", `${target.username.length}:${target.username}:${target.password}`, "base64");
}

export class Bmcs {
  /** Both by origin, least recently used first. */
  readonly #known = new Map<string, Bmc>();
  readonly #open = new Map<string, Bmc>();
  /** Connections that were taken out of their slot. */
  readonly #left = new Set<Client>();
  #sweep: NodeJS.Timeout | null = null;

  readonly #settings: RedfishSettings;

  constructor(settings: RedfishSettings) {
    this.#settings = settings;
  }

  /** The BMC at a host's address, if that address may be used at all. */
  at(target: BmcTarget): { readonly ok: true; readonly bmc: Bmc } | Failed {
    const known = this.#known.get(target.address);
    if (known !== undefined) return { ok: true, bmc: this.#touch(known) };
    const url = URL.parse(target.address);
    if (url === null || (url.protocol !== "https:" && url.protocol !== "http:"))
      return failure("refused", "the BMC's address is not an http or https address");
    if (
      url.username !== "" ||
      url.password !== "" ||
      url.pathname !== "/" ||
      url.search !== "" ||
      url.hash !== ""
    )
      return failure("refused", "the BMC's address must be scheme, name and port, and nothing else");
    if (url.protocol === "http:" && this.#settings.http === "nowhere")
      return failure("refused", "the BMC's address must begin with https:");
    const literal = url.hostname.replace(/^\[|\]$/g, "");
    if (isIP(literal) !== 0) {
      const verdict = this.#check(url.origin, literal);
      if (!verdict.ok) return failure("refused", `the BMC's address is refused: ${verdict.reason}`);
    }
    const same = this.#known.get(url.origin);
    return { ok: true, bmc: this.#touch(same ?? this.#create(url.origin)) };
  }

  /** The keep-alive connection of a slot, opened if there is none. */
  connection(bmc: Bmc, target: BmcTarget, slot: number): Client {
    const trust = trustIn(target);
    if (bmc.clients.length > 0 && !sameTrust(bmc.trust, trust)) this.#disconnect(bmc);
    this.#open.delete(bmc.origin);
    this.#open.set(bmc.origin, bmc);
    const present = bmc.clients[slot];
    if (present !== undefined) return present;
    const { limits } = this.#settings;
    const client = new Client(bmc.origin, {
      connect: connector(trust, this.lookup(bmc), limits.connectTimeoutMs),
      // A longer keep-alive time that the BMC names is honoured up to a minute; otherwise connections are kept for undici's 4 s only: if the
      // BMC closes one just as a change is sent, the outcome is unknown.
      keepAliveMaxTimeout: 60_000,
    });
    bmc.trust = trust;
    bmc.lastTrust = {
      ...(target.certificate === undefined ? {} : { certificate: target.certificate }),
      ...(target.trust === undefined ? {} : { trust: target.trust }),
    };
    bmc.clients[slot] = client;
    this.#trim();
    this.#sweep ??= setInterval(() => this.#closeIdle(), Math.max(10, limits.poolIdleMs / 4)).unref();
    return client;
  }

  /** Takes a connection out of its slot. A request on it continues without anybody waiting; the slot's next request opens a new one. */
  leave(bmc: Bmc, slot: number): void {
    const client = bmc.clients[slot];
    if (client === undefined) return;
    bmc.clients[slot] = undefined;
    this.#left.add(client);
  }

  /** Closes a connection that was taken out of its slot. */
  end(client: Client): void {
    if (this.#left.delete(client)) client.close().catch(() => undefined);
  }

  /** Resolves names to addresses that may be used. */
  lookup({ origin }: Pick<Bmc, "origin">): LookupFunction {
    return checkedLookup((address) => this.#check(origin, address), this.#settings.resolveName);
  }

  /** All BMCs that are remembered. */
  all(): Iterable<Bmc> {
    return this.#known.values();
  }

  /** How many pools are open now. */
  get openPools(): number {
    return this.#open.size;
  }

  /** Closes all connections. Requests in progress finish first, except those that nobody waits for. */
  async close(): Promise<void> {
    if (this.#sweep !== null) clearInterval(this.#sweep);
    this.#sweep = null;
    const clients = [...this.#open.values()].flatMap((bmc) =>
      bmc.clients.splice(0).filter((client) => client !== undefined),
    );
    this.#open.clear();
    this.#known.clear();
    const left = [...this.#left];
    this.#left.clear();
    await Promise.all([
      ...clients.map((client) => client.close()),
      ...left.map((client) => client.destroy()),
    ]);
  }

  #check(origin: string, address: string): AddressVerdict {
    const verdict = checkBmcAddress(address, this.#settings.networks);
    if (!verdict.ok || origin.startsWith("https:") || this.#settings.http === "anywhere") return verdict;
    return checkBmcAddress(address, onlyLoopback).ok
      ? verdict
      : { ok: false, reason: `${address} is not loopback, and only there http without TLS is allowed` };
  }

  #create(origin: string): Bmc {
    const { requestsAtATime, maxBmcs } = this.#settings.limits;
    for (const [key, bmc] of this.#known) {
      if (this.#known.size < maxBmcs) break;
      if (bmc.inFlight > 0 || bmc.refused.size > 0) continue;
      this.#disconnect(bmc);
      this.#known.delete(key);
    }
    return {
      origin,
      slots: new Slots(requestsAtATime),
      signIn: new Slots(1),
      accesses: new Map(),
      refused: new Set(),
      refusedInBackground: new Map(),
      expiredUri: null,
      sessionsPath: undefined,
      systems: new Map(),
      expand: undefined,
      demandsVersion: false,
      demandsBoot: [],
      uefiAtStake: new Map(),
      bootWay: null,
      noBootAttribute: new Map(),
      clients: [],
      trust: null,
      lastTrust: {},
      inFlight: 0,
      lastUsedAt: 0,
    };
  }

  #touch(bmc: Bmc): Bmc {
    bmc.lastUsedAt = this.#settings.now();
    this.#known.delete(bmc.origin);
    this.#known.set(bmc.origin, bmc);
    return bmc;
  }

  #disconnect(bmc: Bmc): void {
    this.#open.delete(bmc.origin);
    // Requests in progress finish on the old connections. close() rejects only if the client was closed before.
    for (const client of bmc.clients.splice(0)) client?.close().catch(() => undefined);
  }

  #trim(): void {
    for (const bmc of this.#open.values()) {
      if (this.#open.size <= this.#settings.limits.maxPools) return;
      if (bmc.inFlight === 0) this.#disconnect(bmc);
    }
  }

  #closeIdle(): void {
    const before = this.#settings.now() - this.#settings.limits.poolIdleMs;
    for (const bmc of this.#open.values())
      if (bmc.inFlight === 0 && bmc.lastUsedAt <= before) this.#disconnect(bmc);
    if (this.#open.size > 0 || this.#sweep === null) return;
    clearInterval(this.#sweep);
    this.#sweep = null;
  }
}

const onlyLoopback: readonly string[] = [loopbackWord];

/** Evaluated for each request, so that a new site document applies at once. */
function trustIn({ certificate, trust }: BmcTarget): TlsTrust {
  if (certificate != null) return { kind: "pinned", sha256: certificate };
  // safety: certificate: a site of pins is connected to by its pins
  if (trust?.by === "pin")
    return { kind: "nobody", reason: "the site accepts pinned certificates only, and the BMC has none" };
  return trust === undefined || trust.authorities === null
    ? { kind: "system" }
    : { kind: "authority", ca: trust.authorities };
}

function sameTrust(left: TlsTrust | null, right: TlsTrust): boolean {
  if (left === null || left.kind !== right.kind) return false;
  if (left.kind === "pinned") return right.kind === "pinned" && left.sha256 === right.sha256;
  return left.kind !== "authority" || (right.kind === "authority" && left.ca === right.ca);
}

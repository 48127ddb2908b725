// The settings of a Redfish client: which addresses and certificates it accepts, its limits, and its hooks.
import { setTimeout as wait } from "node:timers/promises";
import { resolveName, type ResolveName } from "@/server/hardware/http/connect";
import { fileDigest, type ReadDigest } from "@/server/hardware/http/file-digest";
import { memorySessionStore, type SessionStore } from "@/server/hardware/redfish/client/session-store";

/** One HTTP exchange with a BMC, for metrics and traces. `status` is null if the response was incomplete. */
export interface RequestSeen {
  readonly hostId: string;
  readonly method: string;
  readonly path: string;
  readonly status: number | null;
  readonly ms: number;
}

export interface RedfishLimits {
  /** For one request that reads. */
  readonly readTimeoutMs: number;
  /** For one request that opens or deletes a session. Long, because a session that opens after the timeout is useless and must be deleted. */
  readonly sessionTimeoutMs: number;
  /** For the last request to a BMC whose host is gone. */
  readonly farewellTimeoutMs: number;
  /** After the timeout, how long to keep waiting for a session to open, only to delete it. */
  readonly lateSessionMs: number;
  /** For one request that changes something. */
  readonly changeTimeoutMs: number;
  /** For a call that is extended while it gets answers, such as an inventory of many drives. */
  readonly longestCallMs: number;
  readonly connectTimeoutMs: number;
  /** How long a state may take to show after its change was accepted: power and boot source. */
  readonly powerReadBackMs: number;
  readonly bootReadBackMs: number;
  /** The same for a setting that applies at once, such as an account or a lockdown. */
  readonly settingReadBackMs: number;
  readonly maxBodyBytes: number;
  readonly requestsAtATime: number;
  /** Waits before the second, third, … attempt of a read. */
  readonly retryWaitsMs: readonly number[];
  /** Waits between reads while the state is not as wanted; the last one repeats. */
  readonly lookWaitsMs: readonly number[];
  /** A connection pool that was idle for this long is closed. */
  readonly poolIdleMs: number;
  /** Pools beyond this number are closed as soon as they are idle. */
  readonly maxPools: number;
  /** Maximum number of BMCs that are remembered. One with a request in progress or a refused credential is never forgotten. */
  readonly maxBmcs: number;
  /** A version older than this is not sent as If-Match, because power and jobs will have changed it. */
  readonly etagFreshMs: number;
  /** How long a reading of the machine's identity is valid. A call with several requests takes less. */
  readonly identityFreshMs: number;
}

export const defaultLimits: RedfishLimits = {
  readTimeoutMs: 10_000,
  sessionTimeoutMs: 30_000,
  farewellTimeoutMs: 10_000,
  lateSessionMs: 300_000,
  changeTimeoutMs: 60_000,
  longestCallMs: 600_000,
  connectTimeoutMs: 5_000,
  powerReadBackMs: 60_000,
  bootReadBackMs: 15_000,
  settingReadBackMs: 10_000,
  maxBodyBytes: 8 * 1024 * 1024,
  requestsAtATime: 2,
  retryWaitsMs: [200, 800],
  lookWaitsMs: [250, 500, 1_000, 2_000],
  poolIdleMs: 60_000,
  maxPools: 2_000,
  maxBmcs: 20_000,
  etagFreshMs: 30_000,
  identityFreshMs: 10_000,
};

export interface RedfishSettings {
  /** The site's BMC networks: CIDRs, or `loopback`. */
  readonly networks: readonly string[];
  /** Where http without TLS is allowed; elsewhere the address must be https. */
  readonly http: "nowhere" | "loopback" | "anywhere";
  readonly sessions: SessionStore;
  /** The boot program that firmware loads by HTTP; null: the network's DHCP server names it. */
  readonly httpBootUri: string | null;
  readonly onRequest: (seen: RequestSeen) => void;
  /** Returns early, without an error, when the signal aborts. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** The time of day, for values that must outlive this process. */
  readonly date: () => Date;
  readonly resolveName: ResolveName;
  /** Reads files that BMCs are to write. */
  readonly readDigest: ReadDigest;
  readonly limits: RedfishLimits;
}

export type RedfishOptions = Pick<RedfishSettings, "networks"> &
  Partial<Omit<RedfishSettings, "limits">> & { readonly limits?: Partial<RedfishLimits> };

/** The options with defaults filled in. */
export function settingsOf(options: RedfishOptions): RedfishSettings {
  return {
    http: "loopback",
    sessions: memorySessionStore(),
    httpBootUri: null,
    onRequest: () => undefined,
    sleep: (ms, signal) => wait(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined),
    now: () => performance.now(),
    date: () => new Date(),
    resolveName,
    readDigest: fileDigest,
    ...options,
    limits: { ...defaultLimits, ...options.limits },
  };
}

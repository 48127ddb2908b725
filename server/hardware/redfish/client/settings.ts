// What a Redfish client is made with: where it may go, whom it trusts, its limits, and who is told of each request.
import { setTimeout as wait } from "node:timers/promises";
import { resolveName, type ResolveName } from "@/server/hardware/http/connect";
import { memorySessionStore, type SessionStore } from "@/server/hardware/redfish/client/session-store";

/** One HTTP exchange with a BMC; for metrics and traces. `status` is null when no whole answer came. */
export interface RequestSeen {
  readonly hostId: string;
  readonly method: string;
  readonly path: string;
  readonly status: number | null;
  readonly ms: number;
}

export interface RedfishLimits {
  /** Of one request that reads. */
  readonly readTimeoutMs: number;
  /** Of one request that opens or deletes a session. Long: a session that is opened later is of no use, and has to be deleted. */
  readonly sessionTimeoutMs: number;
  /** Of the last request to a BMC whose host is gone. */
  readonly farewellTimeoutMs: number;
  /** For so long after that the answer of a BMC that opens a session is waited for, only to delete the session. */
  readonly lateSessionMs: number;
  /** Of one request that changes something. */
  readonly changeTimeoutMs: number;
  /** Of a call that is prolonged as long as it gets answers, such as an inventory of many drives. */
  readonly longestCallMs: number;
  readonly connectTimeoutMs: number;
  /** How long a state may take to show after its change was accepted: power, and boot source. */
  readonly powerReadBackMs: number;
  readonly bootReadBackMs: number;
  /** The same of a setting that counts at once, such as an account or a lockdown. */
  readonly settingReadBackMs: number;
  readonly maxBodyBytes: number;
  readonly requestsAtATime: number;
  /** Waits before the second, third, … try of a request that reads. */
  readonly retryWaitsMs: readonly number[];
  /** Waits between looks at a state that does not fit yet; the last one repeats. */
  readonly lookWaitsMs: readonly number[];
  /** A connection pool without use for this long is closed. */
  readonly poolIdleMs: number;
  /** Pools beyond this number are closed as soon as they are idle. */
  readonly maxPools: number;
  /** BMCs whose session token is remembered. */
  readonly maxBmcs: number;
  /** A resource's version read longer ago than this is not sent as If-Match, for power and jobs have changed it since. */
  readonly etagFreshMs: number;
  /** How long the identity of the machine behind an address is believed; a call of several requests takes less. */
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
  /** The boot program that firmware loads by HTTP; null: the DHCP server of the network tells. */
  readonly httpBootUri: string | null;
  readonly onRequest: (seen: RequestSeen) => void;
  /** Ends early, without error, when the signal aborts. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** The time of day, for what must outlive this process. */
  readonly date: () => Date;
  readonly resolveName: ResolveName;
  readonly limits: RedfishLimits;
}

export type RedfishOptions = Pick<RedfishSettings, "networks"> &
  Partial<Omit<RedfishSettings, "limits">> & { readonly limits?: Partial<RedfishLimits> };

/** The options with what was left out filled in. */
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
    ...options,
    limits: { ...defaultLimits, ...options.limits },
  };
}

// Compares hosts that wait in Ready with what was proven of them, slowly and spread. Changes no state: a host in doubt is marked, and its controller
// decides (docs/adr/0121-ready-lasts.md).
import type { Pool } from "pg";
import { unheldHosts } from "@/server/db/hot/fleet/power-readings";
import { doubtReady, hostsToWatch, storeWatched, watchedHosts } from "@/server/db/hot/fleet/ready-watch";
import type { WatchedRow, WatchResult } from "@/server/db/hot/fleet/ready-watch";
import { effectTargets } from "@/server/db/hot/hardware/targets";
import type { TargetRow } from "@/server/db/hot/hardware/targets";
import { judgeReady } from "@/server/domain/hosts/ready-watch/baseline";
import { countUnread } from "@/server/domain/hosts/ready-watch/patience";
import type { Unread } from "@/server/domain/hosts/ready-watch/patience";
import type { ReadyReading } from "@/server/domain/hosts/ready-watch/reading";
import { readWatched } from "@/server/controller/effects/effect-runner";
import type { EffectDependencies } from "@/server/controller/effects/effect-runner";
import { tellReadyChanged } from "@/server/controller/power/ready-events";
import { SpreadReader } from "@/server/controller/power/spread-reader";

export interface ReadyWatcherOptions extends Pick<EffectDependencies, "hardware" | "secrets"> {
  readonly pool: Pool;
  readonly controllerId: string;
  /** Maximum age of a reading; 0: a host is compared only at its hand-over. */
  readonly everyMs: number;
  /** Hosts whose proof has become too old are marked by this. */
  readonly recheckAged: (pool: Pool) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** BMCs that are read at once. */
const maxUnderWay = 32;
const timeoutMs = 60_000;
const maxTickMs = 2_000;
/** Share of the interval after which the list of hosts is read again. */
const listShare = 0.02;
/** How often proofs that are too old are looked for where no host is read. */
const agedMs = 60_000;
/** A reading that failed or looks changed is repeated after this share of the interval. */
export const againShare = 0.1;

interface Doubted {
  readonly hostId: string;
  readonly reclamationId: string;
  readonly why: string;
  /** It was read and is different. False: it could not be read or compared, which is no security event. */
  readonly isSeen: boolean;
}

export class ReadyWatcher {
  readonly #options: ReadyWatcherOptions;
  readonly #reader: SpreadReader<TargetRow>;
  readonly #unread = new Map<string, Unread>();
  readonly #found: WatchResult[] = [];
  readonly #doubted: Doubted[] = [];
  #timer: NodeJS.Timeout | null = null;
  #aged: Promise<void> | null = null;

  constructor(options: ReadyWatcherOptions) {
    this.#options = options;
    const { pool, everyMs, onError } = options;
    this.#reader = new SpreadReader({
      ...{ everyMs, againShare, listShare, maxTickMs, maxUnderWay, onError, isHeldGood: false },
      store: () => this.#store(),
      hosts: () => this.#hosts(),
      targets: async (hostIds) => effectTargets(pool, await unheldHosts(pool, hostIds)),
      read: (row) => this.#read(row),
    });
  }

  start(): void {
    this.#reader.start();
    // Without readings there is still the age of proofs.
    if (this.#options.everyMs === 0)
      this.#timer = setInterval(() => {
        this.#aged ??= this.#hosts()
          .then(() => undefined, this.#options.onError)
          .finally(() => {
            this.#aged = null;
          });
      }, agedMs);
  }

  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await Promise.all([this.#reader.stop(), this.#aged]);
  }

  async #store(): Promise<void> {
    const { pool } = this.#options;
    const found = this.#found.splice(0);
    if (found.length > 0) await storeWatched(pool, found);
    const doubted = this.#doubted.splice(0);
    const marked = new Set(await doubtReady(pool, doubted));
    for (const { hostId, why, isSeen } of doubted)
      if (isSeen && marked.has(hostId))
        tellReadyChanged(pool, { hostId, why, path: "while it waited" }, this.#options.onError);
  }

  async #hosts(): Promise<readonly string[]> {
    const { pool, controllerId, recheckAged } = this.#options;
    const hosts = await hostsToWatch(pool, controllerId);
    const kept = new Set(hosts);
    for (const hostId of this.#unread.keys()) if (!kept.has(hostId)) this.#unread.delete(hostId);
    if (hosts.length > 0) await recheckAged(pool);
    return hosts;
  }

  async #read(target: TargetRow): Promise<boolean> {
    const hostId = target.host_id;
    const read = await readWatched(this.#options, target, timeoutMs);
    const readAtMs = Date.now();
    // What is known is read after the BMC: a host that was claimed or rechecked meanwhile is no longer this one's to judge.
    const [host] = await watchedHosts(this.#options.pool, [hostId]);
    const good =
      host !== undefined &&
      this.#judge(host, read.ok ? read.value : null, readAtMs, read.ok ? "" : read.error.message);
    if (good) this.#unread.delete(hostId);
    return good;
  }

  /** Whether the host is as it was proven. */
  #judge(host: WatchedRow, reading: ReadyReading | null, readAtMs: number, failure: string): boolean {
    const { hostId, reclamationId } = host;
    const verdict =
      reading === null ? ({ kind: "unread", why: failure } as const) : judgeReady(host, reading, readAtMs);
    if (verdict.kind === "same") {
      this.#found.push({ hostId, reclamationId, reading, failure: null });
      return true;
    }
    const { unread, ends } = countUnread(
      this.#unread.get(hostId),
      verdict.kind,
      performance.now(),
      this.#options.everyMs,
    );
    this.#unread.set(hostId, unread);
    const { why } = verdict;
    if (ends === null) this.#found.push({ hostId, reclamationId, reading: null, failure: why });
    else this.#doubted.push({ hostId, reclamationId, why: reasonOf(ends, why), isSeen: ends === "seen" });
    return false;
  }
}

/** What the end of the proof rests on, as the recheck says it. Pure. */
const reasonOf = (ends: "seen" | "silent" | "unknown", why: string): string =>
  ({
    seen: `it changed while it waited: ${why}`,
    silent: `nothing was read while it waited that is as it was proven: ${why}`,
    unknown: `it cannot be compared with what was proven of it while it waited: ${why}`,
  })[ends];

// Reads what BMCs say of the health of their machines, slowly and spread, while nothing of ours runs on a host (docs/bmc-health.md#when).
import type { Pool } from "pg";
import { hostsWanted, hostsWithHealth, restingHosts } from "@/server/db/hot/fleet/bmc-health";
import { effectTargets } from "@/server/db/hot/hardware/targets";
import type { TargetRow } from "@/server/db/hot/hardware/targets";
import { readBmcHealth } from "@/server/controller/effects/effect-runner";
import type { EffectDependencies } from "@/server/controller/effects/effect-runner";
import { SpreadReader } from "@/server/controller/power/spread-reader";
import { readLogMarks, storeBmcHealth } from "@/server/usecases/repair/health/bmc-health";

export interface HealthReaderOptions extends Pick<EffectDependencies, "hardware" | "secrets"> {
  readonly pool: Pool;
  /** This process's controller; only one of those alive reads. */
  readonly controllerId: string;
  /** Maximum age of a reading; 0: nothing is read. */
  readonly everyMs: number;
  readonly onError: (error: unknown) => void;
}

/** BMCs that are read at once, each with at most two requests at a time. */
const maxUnderWay = 32;
const timeoutMs = 120_000;
const maxTickMs = 2_000;
const listShare = 0.02;
/** A host whose health could not be read, or that an alert of its BMC keeps out of allocation, is read again after this share of the interval. */
const againShare = 0.25;

export function healthReader(options: HealthReaderOptions): SpreadReader<TargetRow> {
  const { pool, controllerId, everyMs, onError } = options;
  return new SpreadReader({
    ...{ everyMs, againShare, listShare, maxTickMs, maxUnderWay, onError, isHeldGood: false },
    store: () => Promise.resolve(),
    hosts: () => hostsWithHealth(pool, controllerId),
    wanted: () => hostsWanted(pool),
    targets: async (hostIds) => effectTargets(pool, await restingHosts(pool, hostIds)),
    read: async (row, hostId) => {
      const read = await readBmcHealth(options, row, await readLogMarks(pool, hostId), timeoutMs);
      const written = await storeBmcHealth(
        pool,
        hostId,
        read.ok ? { ok: true, ...read.value } : { ok: false, why: read.error.message },
      );
      return read.ok && written.ok && written.value.level !== "blocked";
    },
  });
}

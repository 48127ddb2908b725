// Periodically reads the power of hosts that nobody works on, because somebody may have switched one by hand
// (docs/adr/0071-boot-settings-by-a-person.md).
import type { Pool } from "pg";
import { hostsToRead, storePowerReadings, unheldHosts } from "@/server/db/hot/fleet/power-readings";
import type { PowerReading } from "@/server/db/hot/fleet/power-readings";
import { effectTargets } from "@/server/db/hot/hardware/targets";
import type { TargetRow } from "@/server/db/hot/hardware/targets";
import { readPower } from "@/server/controller/effects/effect-runner";
import type { EffectDependencies } from "@/server/controller/effects/effect-runner";
import { SpreadReader } from "@/server/controller/power/spread-reader";

export interface PowerReaderOptions extends Pick<EffectDependencies, "hardware" | "secrets"> {
  readonly pool: Pool;
  /** This process's controller; only one of those alive reads. */
  readonly controllerId: string;
  /** Maximum age of a reading; 0: nothing is read. */
  readonly everyMs: number;
  readonly onError: (error: unknown) => void;
}

/** They wait for BMCs. */
const maxUnderWay = 256;
const timeoutMs = 5_000;
const maxTickMs = 500;
/** Share of a reading's maximum age after which the list of hosts, and whether this process is the one that reads, are checked again. */
const listShare = 0.1;

/** A host that a controller holds has its power read by the controller's own work. */
export function powerReader(options: PowerReaderOptions): SpreadReader<TargetRow> {
  const { pool, controllerId, everyMs, onError } = options;
  const done: PowerReading[] = [];
  return new SpreadReader({
    ...{ everyMs, listShare, maxTickMs, maxUnderWay, onError, isHeldGood: true },
    store: async () => {
      const readings = done.splice(0);
      if (readings.length > 0) await storePowerReadings(pool, readings);
    },
    hosts: () => hostsToRead(pool, controllerId),
    targets: async (hostIds) => effectTargets(pool, await unheldHosts(pool, hostIds)),
    read: async (row, hostId) => {
      const began = performance.now();
      const power = await readPower(options, row, timeoutMs);
      if (power !== null) done.push({ hostId, power, agoMs: Math.ceil(performance.now() - began) });
      return power !== null;
    },
  });
}

// Consecutive fleets that share one state file, for each test of a file.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import { NvmeDrive } from "@/server/simulator/drives/nvme-drive";
import type { SimulatedHost } from "@/server/simulator/host/simulated-host";
import { startFleet, type FleetOptions, type TestFleet } from "@/server/simulator/testing/fleet";

export interface StateBench {
  readonly file: string;
  start(options?: FleetOptions): Promise<TestFleet>;
  stop(fleet: TestFleet): Promise<void>;
}

/** Call it once at the top of a test file. */
export function stateBench(): StateBench {
  const running = new Set<TestFleet>();
  let folder = "";
  const stop = async (fleet: TestFleet): Promise<void> => {
    running.delete(fleet);
    await fleet.close();
  };
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "simulator-state-"));
  });
  afterEach(async () => {
    for (const fleet of running) await stop(fleet);
    rmSync(folder, { recursive: true });
  });
  const bench: StateBench = {
    get file() {
      return join(folder, "simulator.jsonl");
    },
    async start(options = {}) {
      const fleet = await startFleet({ ...options, stateFile: bench.file });
      running.add(fleet);
      return fleet;
    },
    stop,
  };
  return bench;
}

export function nvme({ drives }: SimulatedHost, place = 0): NvmeDrive {
  const drive = drives[place];
  if (!(drive instanceof NvmeDrive)) throw new Error("not NVMe");
  return drive;
}

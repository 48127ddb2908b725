// A fleet for each test of a file that runs clean steps on BMCs, and workers that end with the test.
import { afterEach, beforeEach } from "vitest";
import { personalities } from "@/server/simulator/bmc/personality";
import { startFleet, type FleetOptions, type TestFleet } from "@/server/simulator/testing/fleet";
import { workerOn, type Worker } from "@/server/simulator/testing/steps";

export interface StepBench {
  /** The fleet of this test. None of its hosts boots into an agent. */
  readonly fleet: TestFleet;
  on(kind: string): Promise<Worker>;
  /** Replaces the fleet, for example with one whose hardware takes time. */
  restart(options: FleetOptions): Promise<void>;
}

/** Call it once at the top of a test file. */
export function stepBench(): StepBench {
  // Unpacked only once, because that takes time.
  const kinds = personalities();
  const workers: Worker[] = [];
  let fleet: TestFleet | null = null;
  const started = (): TestFleet => {
    if (fleet === null) throw new Error("there is a fleet only while a test runs");
    return fleet;
  };
  const start = async (options: FleetOptions = {}): Promise<void> => {
    fleet = await startFleet({ kinds, ...options });
    fleet.server.windowOpen = false;
  };
  const stop = async (): Promise<void> => {
    for (const worker of workers.splice(0)) await worker.close();
    await started().close();
  };
  beforeEach(() => start());
  afterEach(stop);
  return {
    get fleet() {
      return started();
    },
    async on(kind) {
      const worker = await workerOn(started(), started().host(kind));
      workers.push(worker);
      return worker;
    },
    async restart(options) {
      await stop();
      await start(options);
    },
  };
}

// The simulated fleet's counters: requests seen by hosts, agents and BMCs.
import { z } from "zod";
import type { BenchSystem } from "@/bench/system";

const counters = z.object({
  redfishRequests: z.number(),
  bootRequests: z.number(),
  agentRequests: z.number(),
  agentStarts: z.number(),
  agentCrashes: z.number(),
  powerActionsTotal: z.number(),
  resetsDuringErase: z.number(),
  networkAcknowledgements: z.number(),
  hostsWithTenantData: z.number(),
});
export type FleetCounters = z.infer<typeof counters>;

/** Sums over all hosts since the simulator started. */
export async function readFleetCounters({ control }: Pick<BenchSystem, "control">): Promise<FleetCounters> {
  if (control === null) throw new Error("there is no simulated fleet");
  const response = await fetch(`${control.url}/counters`, {
    headers: { authorization: `Bearer ${control.token}` },
  });
  if (!response.ok) throw new Error(`the simulator's counters answer ${response.status}`);
  return counters.parse(await response.json());
}

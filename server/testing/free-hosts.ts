// The hosts that no test of a file has used yet: each test takes one of its own.
import { enroll, manage } from "@/server/testing/acts";
import type { Machine } from "@/server/testing/fleet-control";
import type { Stack } from "@/server/testing/stack";

export interface FreeHost {
  readonly machine: Machine;
  readonly hostId: string;
}

export class FreeHosts {
  readonly #free: FreeHost[];

  /** @param hostIds in the order of the machines */
  constructor(machines: readonly Machine[], hostIds: readonly string[]) {
    this.#free = machines.map((machine, index) => ({ machine, hostId: hostIds[index] ?? "" }));
  }

  /** The first that fits; an error of the test where none is left. */
  take(fits: (machine: Machine) => boolean = () => true): FreeHost {
    const index = this.#free.findIndex(({ machine }) => fits(machine));
    const [taken] = index === -1 ? [] : this.#free.splice(index, 1);
    if (taken === undefined) throw new Error("no host that fits is left");
    return taken;
  }
}

/** All machines of the fleet, in Manageable. */
export async function manageAll(stack: Stack): Promise<FreeHosts> {
  const hostIds = await enroll(stack, stack.machines);
  await manage(stack, hostIds);
  return new FreeHosts(stack.machines, hostIds);
}

// One run of the property test: a world, two controllers, and a sequence of events, each chosen by one number.
import { handlerOf as builtIn } from "@/server/controller/handlers";
import { askForDrains } from "@/server/controller/testing/model/assurance";
import { requireAttestation } from "@/server/controller/testing/model/attestation";
import type { HandlerOf } from "@/server/controller/testing/model/controllers";
import { copyOf } from "@/server/controller/testing/model/copy";
import {
  beginnings,
  beginUnder,
  requireNothing,
} from "@/server/controller/testing/model/exploration/beginnings";
import type { Beginnings } from "@/server/controller/testing/model/exploration/beginnings";
import { table } from "@/server/controller/testing/model/exploration/events";
import { controller } from "@/server/controller/testing/model/exploration/explorer";
import type { Explorer } from "@/server/controller/testing/model/exploration/explorer";
import {
  fitBmc,
  fitFormatted,
  fitHidden,
  fitLying,
  fitMissing,
  fitNameless,
} from "@/server/controller/testing/model/exploration/machines";
import { progress } from "@/server/controller/testing/model/exploration/progress";
import { holdLease } from "@/server/controller/testing/model/leases";
import { advance } from "@/server/controller/testing/model/machine";
import { newWorld } from "@/server/controller/testing/model/new-world";
import { backUp, checkStopped } from "@/server/controller/testing/model/restore";
import { must } from "@/server/controller/testing/model/violation";
import { openInstance } from "@/server/controller/testing/model/world";
import type { World } from "@/server/controller/testing/model/world";

let known: Beginnings | null = null;

/** What a run reached. Throws a `Violation` if a promise is broken. `told` gets the world after each event, for reading a counterexample. */
export function explore(
  numbers: readonly number[],
  handlerOf: HandlerOf = builtIn,
  told?: (world: World, happening: number) => void,
): ReadonlySet<string> {
  known ??= beginnings();
  const [first = 0, ...rest] = numbers;
  const isWorked = first % 64 === 43;
  const world = copyOf(isWorked ? known.worked : (known.usual[first % known.usual.length] ?? newWorld()));
  // Mostly a demo site: elsewhere gates that are not implemented hold every host, unless the site does not require them.
  world.demo = first % 32 < 30;
  if (first % 32 === 30) requireNothing(world);
  if (first % 3 === 0) beginUnder(world, Math.floor(first / 3));
  if (first % 4 === 1) fitBmc(world);
  if (first % 16 === 9) fitNameless(world);
  if (first % 32 === 13) fitMissing(world);
  if (first % 64 === 11) fitHidden(world);
  if (first % 8 === 2) fitLying(world, Math.floor(first / 8));
  if (first % 16 === 7) requireAttestation(world);
  if (first % 8 === 6) fitFormatted(world);
  if (first % 32 === 19 || first % 32 === 22) askForDrains(world);
  // A BMC that reports no resets: the host's own restarts show only if its firmware asks the network first.
  if (first % 7 === 3) Object.assign(world.machine, { tellsResets: false, networkFirst: true });
  // Something to go back to.
  if (first % 2 === 0) backUp(world);
  const explorer: Explorer = { world, a: controller(world), b: controller(world), handlerOf };
  for (const number of rest) {
    advance(world, 7);
    const before = {
      state: world.host?.run.state,
      instance: openInstance(world)?.id,
      confirmed: world.database.confirmed,
    };
    (table[number % table.length] ?? progress)(explorer, Math.floor(number / table.length));
    if (world.host !== null) holdLease(world.host.run);
    checkStopped(world, before);
    told?.(world, number % table.length);
    must(
      !world.personMaintenance || world.host === null || world.host.run.maintenance,
      "only a person ends the maintenance that a person set",
    );
    if (openInstance(world) !== null) world.seen.add("instance");
  }
  return world.seen;
}

// A repair system outside takes and returns the model's host, as `usecases/custody/write-lease.ts` and its trigger do.
import { leaseRefusal } from "@/server/domain/repair/leases/lease";
import { foreignWrite } from "@/server/controller/testing/model/machine";
import type { RunRow } from "@/server/controller/testing/model/tables";
import { openDebts, openInstance, wake } from "@/server/controller/testing/model/world";
import type { World } from "@/server/controller/testing/model/world";

const holder = "a repair system";

/** @param choice whether the system itself or a person asks, and whether that person states that drives may hold data */
export function takeLease(world: World, choice: number): void {
  const { host } = world;
  if (host === null || world.database.stopped || !world.database.confirmed) return;
  const { run } = host;
  const refusal = leaseRefusal(
    {
      state: run.state,
      leasedTo: run.outsideLease ? holder : null,
      instanceOpen: openInstance(world) !== null,
      machine: true,
      maintenance: run.maintenance,
      allocatable: run.allocatable,
      atWork: false,
      erasing: run.erasing,
      busy:
        (run.leaseOwner !== null && run.leaseUntilMs > world.nowMs) ||
        host.signals.length > 0 ||
        run.context.power !== null,
      owes: openDebts(world).length > 0,
    },
    choice % 4 === 0 ? { kind: "system" } : { kind: "person", mayHoldData: choice % 4 !== 1 },
  );
  if (refusal !== null) return;
  run.outsideLease = true;
  run.generation += 1;
  run.evidenceSeq += 1;
  for (const window of host.windows) window.expiresMs = Math.min(window.expiresMs, world.nowMs);
  holdLease(run);
  world.seen.add(`leased in ${run.state}`);
  foreignWrite(world, choice);
}

/** What the trigger does to every write of the row. */
export function holdLease(run: RunRow): void {
  if (!run.outsideLease) return;
  Object.assign(run, {
    leaseOwner: holder,
    leaseUntilMs: Infinity,
    allocatable: false,
    touched: true,
    touchUncovered: true,
    command: null,
    commandEpoch: null,
  });
}

export function endLease(world: World): void {
  const { host } = world;
  if (host === null || !host.run.outsideLease) return;
  host.signals = host.signals.filter(({ signal }) => !("by" in signal.payload));
  Object.assign(host.run, { outsideLease: false, leaseOwner: null, leaseUntilMs: 0 });
  host.run.evidenceSeq += 1;
  wake(host.run, world.nowMs);
  world.seen.add("returned by a repair system");
}

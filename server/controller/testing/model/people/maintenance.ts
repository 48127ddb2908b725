// Maintenance that the model's operators set and clear.
import { openInstance, wake } from "@/server/controller/testing/model/world";
import type { World } from "@/server/controller/testing/model/world";

export function setMaintenance(world: World): void {
  const host = world.host;
  if (host === null) return;
  const { run } = host;
  if (run.maintenanceBy !== "person") Object.assign(host.run, { touchUncovered: run.touched });
  if (!world.personMaintenance) world.machine.touched = false;
  Object.assign(host.run, {
    maintenance: true,
    maintenanceBy: "person",
    maintenanceReason: "fan",
    allocatable: false,
    touched: true,
    evidenceSeq: host.run.evidenceSeq + 1,
  });
  wake(host.run, world.nowMs);
  world.personMaintenance = true;
}

/** As `usecases/hosts/maintenance/maintenance.ts`. A person states that nobody touched the host only if nobody did during this maintenance. */
export function clearMaintenance(world: World, choice = 0): void {
  const host = world.host;
  if (host === null || host.run.maintenanceBy !== "person") return;
  const untouched =
    choice % 4 === 3 &&
    !world.machine.touched &&
    !host.run.touchUncovered &&
    (host.run.state === "Ready" || host.run.state === "ReturnToAllocation/AwaitingHealth");
  if (untouched) world.seen.add("stated untouched");
  Object.assign(host.run, {
    maintenance: false,
    maintenanceBy: null,
    maintenanceReason: null,
    allocatable: untouched && host.run.state === "Ready" && openInstance(world) === null,
    touched: !untouched,
    touchUncovered: true,
    evidenceSeq: host.run.evidenceSeq + 1,
  });
  wake(host.run, world.nowMs);
  world.personMaintenance = false;
}

// What must hold of a host that left the fleet.
import type { Decision } from "@/server/controller/host/decision";
import type { BeforeCommit } from "@/server/controller/testing/model/checks/before-commit";
import { isClean, present } from "@/server/controller/testing/model/machine";
import type { HostTables } from "@/server/controller/testing/model/tables";
import { must } from "@/server/controller/testing/model/violation";
import { openDebts, openInstance } from "@/server/controller/testing/model/world";
import type { World } from "@/server/controller/testing/model/world";

/** Checks that nothing of a tenant leaves with the machine, whatever the settings, and that it is gone from Reclaim. */
export function checkDecommissioned(
  world: World,
  before: BeforeCommit,
  host: HostTables,
  decision: Decision,
): void {
  const reclamation = host.reclamations.find((row) => row.outcome === "decommissioned");
  must(reclamation?.view.kind === "decommission", "only a decommission ends decommissioned");
  must(decision.deleteHost && world.host === null, "a decommissioned host is no host any more");
  must(openInstance(world) === null, "no instance is on a decommissioned host");
  must(openDebts(world).length === 0, "no debt stands on a decommissioned host");
  const { touched, context } = decision.run;
  must(!touched && context.cleaning.voided === undefined, "nobody touched it since it was proven");
  for (const drive of present(world.machine)) {
    must(isClean(drive), `nothing is on ${drive.device.serial} of a decommissioned host`);
    must(
      drive.erasedIn === reclamation?.view.id,
      `${drive.device.serial} was erased in the reclamation that led out of the fleet`,
    );
  }
  must(!world.machine.memory.tenant, "no tenant byte is in the memory of a decommissioned host");
  must(
    world.machine.memory.overwrittenIn === reclamation?.view.id,
    "memory was overwritten in the reclamation that led out of the fleet",
  );
  must(
    !world.machine.infiniband.tenant,
    "the tenant's InfiniBand configuration is gone from a decommissioned host",
  );
  for (const [name, port] of world.machine.ports)
    must(port.network === "quarantine", `${name} of a decommissioned host is quarantined`);
  world.seen.add(before.debts.length > 0 ? "decommissioned after a tenant" : "decommissioned");
}

// The worlds that runs begin with, and the policies that they begin under.
import { handlerOf as builtIn } from "@/server/controller/handlers";
import { copyOf } from "@/server/controller/testing/model/copy";
import { controller } from "@/server/controller/testing/model/exploration/explorer";
import type { Explorer } from "@/server/controller/testing/model/exploration/explorer";
import { fitHidden, workOnHidden } from "@/server/controller/testing/model/exploration/machines";
import { progress } from "@/server/controller/testing/model/exploration/progress";
import { tenantWrites } from "@/server/controller/testing/model/machine";
import { newWorld } from "@/server/controller/testing/model/new-world";
import { setMaintenance } from "@/server/controller/testing/model/people/maintenance";
import { changePolicy } from "@/server/controller/testing/model/people/settings";
import type { World } from "@/server/controller/testing/model/world";

export interface Beginnings {
  /** A host in a tenant's hands, with the tenant's bytes; one that is Ready; one just enrolled; one that is cleaned; and one that a second tenant has. */
  readonly usual: readonly World[];
  /** A clean host in maintenance with a drive that no agent reads; somebody wrote to that drive and restarted the host. */
  readonly worked: World;
}

export function beginnings(): Beginnings {
  const fresh = newWorld();
  const explorer = { world: newWorld(), handlerOf: builtIn };
  const full: Explorer = { ...explorer, a: controller(explorer.world), b: controller(explorer.world) };
  const reach = (state: string): World => {
    for (let steps = 0; explorer.world.host?.run.state !== state; steps += 1) {
      if (steps > 200)
        throw new Error(
          `the model does not reach ${state}; it is in ${explorer.world.host?.run.state ?? "no host"}: ${explorer.world.host?.run.lastError ?? ""}`,
        );
      progress(full, 3);
    }
    explorer.world.seen.clear();
    return copyOf(explorer.world);
  };
  const ready = reach("Ready");
  const used = reach("Assigned/Ready");
  tenantWrites(used);
  const cleaning = reach("WaitingForCleanup/HostCleanup");
  reach("Ready");
  const usedAgain = reach("Assigned/Ready");
  tenantWrites(usedAgain);
  fitHidden(explorer.world);
  // A BMC that reported the restart would cause everything to be erased again.
  Object.assign(explorer.world.machine, { tellsResets: false, networkFirst: true });
  setMaintenance(explorer.world);
  const worked = reach("ReturnToAllocation/AwaitingHealth");
  workOnHidden(worked);
  return { usual: [used, ready, fresh, cleaning, usedAgain], worked };
}

/** A policy other than the seeded one, also for the present reclamation. */
export function beginUnder(world: World, choice: number): void {
  changePolicy(world, choice);
  for (const row of world.host?.reclamations ?? []) row.view = { ...row.view, policy: world.policy };
}

/** A real site whose policy does not require what Reclaim cannot check, also for the present reclamation. */
export function requireNothing(world: World): void {
  const requires = {
    platformAtBaseline: false,
    deviceMemoryCleared: false,
    attestationPassed: false,
    healthy: false,
    assuranceSigned: false,
  };
  world.policy = { ...world.policy, requires };
  for (const row of world.host?.reclamations ?? []) row.view = { ...row.view, policy: world.policy };
}

// The model's tenants: they claim a host and give it up, or their requests arrive late.
import { refusal } from "@/server/domain/lifecycle/intents";
import { by } from "@/server/controller/testing/host-view";
import { factsOf } from "@/server/controller/testing/model/people/intents";
import { newId, openInstance, storeSignal } from "@/server/controller/testing/model/world";
import type { World } from "@/server/controller/testing/model/world";

/** As `usecases/instances/claim-host.ts`. */
export function claimHost(world: World): void {
  const host = world.host;
  if (
    host === null ||
    host.run.state !== "Ready" ||
    !host.run.allocatable ||
    openInstance(world) !== null ||
    world.database.stopped ||
    !world.database.confirmed
  )
    return;
  const id = newId(world);
  world.instances.push({
    id,
    hostId: host.run.hostId,
    releaseRequestedMs: null,
    ended: false,
    resourcesHeld: 2,
  });
  Object.assign(host.run, { allocatable: false, evidenceSeq: host.run.evidenceSeq + 1 });
  storeSignal(host, world, { kind: "assign", payload: { by, instanceId: id } });
  world.seen.add("claimed");
}

/** As `usecases/instances/release-instance.ts`. */
export function releaseInstance(world: World): void {
  const host = world.host;
  const instance = openInstance(world);
  if (host === null || instance === null || instance.releaseRequestedMs !== null) return;
  const pendingAssign = host.signals.some(({ signal }) => signal.kind === "assign");
  if (!pendingAssign && refusal("release", factsOf(world)) !== null) return;
  instance.releaseRequestedMs = world.nowMs;
  host.run.bootHeld = true;
  storeSignal(host, world, { kind: "release", payload: { by, instanceId: instance.id } });
}

/** A release or an assignment that names another instance, or arrives when there is none. */
export function strayTenancy(world: World, kind: "release" | "assign"): void {
  const host = world.host;
  const instanceId = world.instances[0]?.id ?? newId(world);
  if (host !== null && openInstance(world)?.id !== instanceId)
    storeSignal(host, world, { kind, payload: { by, instanceId } });
}

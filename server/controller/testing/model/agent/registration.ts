// How agents of the model register: ours, one that comes too early or second, and a tenant's system that poses as one.
import { found } from "@/server/controller/testing/model/agent/readings";
import type { Agent } from "@/server/controller/testing/model/machine-state";
import { storeSignal } from "@/server/controller/testing/model/world";
import type { World } from "@/server/controller/testing/model/world";

/**
 * As `giveBootToken` and `db/hot/agent/register.ts`: the token must belong to the newest boot that we ordered, its window must be open and unused, and
 * its restart done. An earlier request, and a second one, mark the boot.
 */
export function register(world: World, agent: Agent): void {
  const host = world.host;
  const window = host?.windows.find((row) => row.bootEpoch === agent.tokenEpoch);
  if (
    host === null ||
    window === undefined ||
    window.expiresMs <= world.nowMs ||
    window.bootEpoch !== host.run.bootEpoch ||
    window.contested
  )
    return;
  if (!window.resetDone) {
    window.contested = true;
    host.run.evidenceSeq += 1;
    return storeSignal(host, world, {
      kind: "bootContested",
      payload: { bootEpoch: window.bootEpoch, message: "too early" },
    });
  }
  if (window.consumed) return;
  window.consumed = true;
  agent.epoch = window.bootEpoch;
  host.sessions.push({ bootEpoch: window.bootEpoch, registeredMs: world.nowMs, lastSeenMs: world.nowMs + 1 });
  host.agentInventory = {
    bootEpoch: window.bootEpoch,
    collectedMs: world.nowMs,
    body: found(world),
  };
  host.run.evidenceSeq += 1;
  storeSignal(host, world, { kind: "agentRegistered", payload: { bootEpoch: window.bootEpoch } });
}

/** A tenant's system that still runs, or runs again, requests the token of the newest boot; if it gets one it registers and is then the agent. */
export function hostileRegistration(world: World): void {
  const { machine, host } = world;
  if (!machine.foreign || machine.agent !== null || host === null) return;
  const agent: Agent = {
    epoch: null,
    tokenEpoch: host.run.bootEpoch,
    finished: new Set(),
    working: null,
    hostile: true,
  };
  register(world, agent);
  world.seen.add("a tenant's system asked to be the agent");
  if (agent.epoch !== null) machine.agent = agent;
}

/** A second agent answers in the same boot and registers with a token that it was given in time (`agent-register.ts`, `conflict`). */
export function secondRegistration(world: World): void {
  const { host } = world;
  const window = host?.windows.find(
    (row) => row.bootEpoch === host.run.bootEpoch && row.consumed && row.expiresMs > world.nowMs,
  );
  if (host === null || window === undefined) return;
  window.contested = true;
  host.run.evidenceSeq += 1;
  storeSignal(host, world, {
    kind: "agentIdentityConflict",
    payload: { bootEpoch: window.bootEpoch, message: "two machines answered" },
  });
}

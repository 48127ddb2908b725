// The model's network controller: applies what was requested, and acknowledges per interface.
import { wantedDigest } from "@/server/domain/hosts/network/wanted-digest";
import { storeSignal } from "@/server/controller/testing/model/world";
import type { World } from "@/server/controller/testing/model/world";

/** Whether some interface is not on the requested network, or has not acknowledged it. */
export function networkPending(world: World): boolean {
  const { asked, ports } = world.machine;
  if (asked === null || world.host === null || asked.host !== world.host.run.hostId) return false;
  return asked.interfaces.some(
    (name) =>
      ports.get(name)?.network !== asked.network ||
      (asked.network !== "tenant" && ports.get(name)?.services === "running") ||
      !world.host?.acks.some((ack) => ack.interface === name && ack.version === asked.version),
  );
}

/** Applies it to the first `most` interfaces. `running`: the tenant's services have not ended. `silent`: nothing is acknowledged. */
export function applyNetwork(world: World, most: number, running: boolean, silent: boolean): void {
  const { asked, ports } = world.machine;
  if (asked === null) return;
  for (const name of asked.interfaces.slice(0, most)) {
    const before = ports.get(name);
    // Services that ended stay so until a tenant has the network again.
    const services =
      asked.network === "tenant" || (running && before?.services === "running") ? "running" : "terminated";
    ports.set(name, { network: asked.network, services });
    if (!silent) acknowledge(world, name, asked.version, wantedDigest(asked), services);
  }
}

/** As `db/hot/hardware/network-acknowledgement.ts`: stored only if version, configuration and interface are the wanted ones. */
export function acknowledge(
  world: World,
  name: string,
  version: number,
  sha256: string,
  extensionServices: "running" | "terminated",
): void {
  const host = world.host;
  const wanted = host?.run.context.network;
  if (
    host === null ||
    wanted == null ||
    wanted.wanted.version !== version ||
    !wanted.wanted.interfaces.includes(name) ||
    wanted.sha256 !== sha256
  )
    return;
  host.acks = [
    ...host.acks.filter((ack) => ack.interface !== name),
    { interface: name, version, sha256, extensionServices },
  ];
  host.run.evidenceSeq += 1;
  storeSignal(host, world, { kind: "networkAck", payload: { interface: name, version } });
}

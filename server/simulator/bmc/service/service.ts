// The Redfish services of a fleet by host name: each machine has its own, or several machines are the systems of one.
import type { Bmc } from "@/server/simulator/bmc/bmc";
import type { BmcAnswer, BmcRequest } from "@/server/simulator/bmc/answer";
import { SharedService } from "@/server/simulator/bmc/service/shared-service";
import type { SimulatedHost } from "@/server/simulator/host/simulated-host";

/** What answers at one address. */
export interface Service {
  /** The machine that a request is for, whose faults apply. */
  bmcOf(path: string): Bmc;
  answer(request: BmcRequest): BmcAnswer;
}

const nameOf = (host: SimulatedHost): string => `bmc-${host.blueprint.serial.toLowerCase()}.localhost`;

export class Services {
  readonly #bmcs: ReadonlyMap<SimulatedHost, Bmc>;
  readonly #byName: Map<string, Service>;
  readonly #shared = new Map<SimulatedHost, SharedService>();

  constructor(bmcs: readonly Bmc[]) {
    this.#bmcs = new Map(bmcs.map((bmc) => [bmc.host, bmc]));
    this.#byName = new Map(
      bmcs.map((bmc) => [
        nameOf(bmc.host),
        { bmcOf: () => bmc, answer: (request: BmcRequest) => bmc.answer(request) },
      ]),
    );
  }

  /** By the Host header, without the port. */
  at(name: string): Service | undefined {
    return this.#byName.get(name);
  }

  /** Puts machines behind the service of the first of them, and removes their own services. */
  join(hosts: readonly SimulatedHost[]): void {
    const members = hosts.flatMap((host) => this.#bmcs.get(host) ?? []);
    const [first] = hosts;
    if (first === undefined) return;
    const service = new SharedService(members);
    for (const host of hosts) {
      this.#byName.delete(nameOf(host));
      this.#shared.set(host, service);
    }
    this.#byName.set(nameOf(first), service);
  }

  /** Where a machine's BMC is, and which of its systems the machine is; null: the only one. */
  placeOf(host: SimulatedHost): { readonly name: string; readonly system: string | null } {
    const service = this.#shared.get(host);
    return service === undefined
      ? { name: nameOf(host), system: null }
      : { name: nameOf(service.first), system: service.systemOf(host) };
  }
}

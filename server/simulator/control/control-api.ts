// The simulator's control interface: what the fleet consists of, what happened to it, and faults to script. For tests, the seed and the demo.
import { componentAuthority } from "@/server/simulator/spdm/certificates";
import { z } from "zod";
import { bmcUsername } from "@/server/simulator/bmc/answer";
import type { Places } from "@/server/simulator/bmc/platform/places";
import { intrude } from "@/server/simulator/control/intrude";
import type { Services } from "@/server/simulator/bmc/service/service";
import { DiskDrive } from "@/server/simulator/drives/disk-drive";
import type { Drive } from "@/server/simulator/drives/drive";
import { models, type HostModelName } from "@/server/simulator/fleet/models";
import { partClasses } from "@/server/simulator/fleet/part-classes";
import { faultsBody } from "@/server/simulator/faults";
import type { SimulatedHost } from "@/server/simulator/host/simulated-host";

export interface ControlAnswer {
  readonly status: number;
  readonly body: unknown;
}

const foreignWrite = z.strictObject({ drive: z.string(), block: z.int().min(0) });
const page = z.object({
  offset: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).default(100_000),
});

function storage(drive: Drive): object {
  const { serial, model, manufacturer, firmware, slot, capacityBytes, card } = drive.identity;
  const medium =
    card === "kit"
      ? { media: "raid-kit", transport: "nvme" }
      : drive instanceof DiskDrive
        ? { media: drive.model.rotational ? "hdd" : "ssd", transport: drive.model.transport }
        : { media: "nvme", transport: "nvme" };
  return { serial, model, manufacturer, firmware, slot, capacityBytes: String(capacityBytes), ...medium };
}

const joinBody = z.array(z.string()).min(2);

/** The fleet that the interface controls. */
export interface ControlledFleet {
  readonly hosts: readonly SimulatedHost[];
  readonly kinds: Readonly<Record<HostModelName, { readonly tree: { readonly places: Places } }>>;
  readonly services: Services;
  readonly port: () => number;
}

export class ControlApi {
  readonly #bySerial: ReadonlyMap<string, SimulatedHost>;

  readonly #hosts: readonly SimulatedHost[];
  readonly #kinds: ControlledFleet["kinds"];
  readonly #services: Services;
  readonly #port: () => number;

  constructor({ hosts, kinds, services, port }: ControlledFleet) {
    this.#hosts = hosts;
    this.#kinds = kinds;
    this.#services = services;
    this.#port = port;

    this.#bySerial = new Map(hosts.map((host) => [host.blueprint.serial.toLowerCase(), host]));
  }

  find(serial: string): SimulatedHost | null {
    return this.#bySerial.get(serial.toLowerCase()) ?? null;
  }

  answer(method: string, url: URL, body: unknown): ControlAnswer {
    const [area, serial, act] = url.pathname.split("/").filter((part) => part !== "");
    if (method === "GET" && area === "fleet" && serial === undefined) return this.#fleet(url);
    if (method === "GET" && area === "counters" && serial === undefined)
      return { status: 200, body: this.#counters() };
    if (method === "POST" && area === "services" && serial === undefined) return this.#join(body);
    const host = area === "hosts" && serial !== undefined ? this.find(serial) : null;
    if (!host) return { status: 404, body: { error: `nothing at ${url.pathname}` } };
    if (method === "GET" && act === undefined) return { status: 200, body: this.#host(host) };
    if (method === "POST" && act === "faults") return this.#setFaults(host, body);
    if (method === "DELETE" && act === "faults") {
      host.clearFaults();
      return { status: 200, body: this.#host(host) };
    }
    if (method === "POST" && act === "crash-agent")
      return { status: 200, body: { crashed: host.crashAgent() } };
    if (method === "POST" && act === "bmc-intrusion") {
      const left = intrude(host, this.#kinds[host.blueprint.model].tree.places, body);
      return left === null
        ? { status: 400, body: { error: "not something that is left on a BMC" } }
        : { status: 200, body: left };
    }
    if (method === "POST" && act === "tenant-data") {
      for (const drive of host.drives) drive.fillWithTenantData();
      return { status: 200, body: this.#host(host) };
    }
    if (method === "POST" && act === "write") return this.#write(host, body);
    // A system that is not ours is booted, and writes. No drive is written without one.
    if (method === "POST" && act === "boot-and-write")
      return host.reset(host.power === "Off" ? "On" : "ForceRestart")
        ? this.#write(host, body)
        : { status: 409, body: { error: `the host is ${host.power}` } };
    if (method === "POST" && act === "open") {
      host.open();
      return { status: 200, body: this.#host(host) };
    }
    return { status: 405, body: { error: `${method} is not for ${url.pathname}` } };
  }

  /** Makes machines the systems of one service. */
  #join(body: unknown): ControlAnswer {
    const wanted = (joinBody.safeParse(body).data ?? []).flatMap((serial) => this.find(serial) ?? []);
    if (new Set(wanted).size < 2)
      return { status: 400, body: { error: "not the serials of two hosts or more" } };
    this.#services.join(wanted);
    return { status: 200, body: { hosts: wanted.map((host) => this.#identity(host)) } };
  }

  #fleet(url: URL): ControlAnswer {
    const wanted = page.safeParse(Object.fromEntries(url.searchParams));
    if (!wanted.success) return { status: 400, body: { error: "offset and limit are whole numbers" } };
    const { offset, limit } = wanted.data;
    return {
      status: 200,
      body: {
        total: this.#hosts.length,
        componentAuthority,
        hosts: this.#hosts.slice(offset, offset + limit).map((host) => this.#identity(host)),
      },
    };
  }

  #identity(host: SimulatedHost): object {
    const { serial, name, vendor, model, uuid, rack, slot, nics, infiniband, networkInterfaces } =
      host.blueprint;
    const { name: bmcName, system } = this.#services.placeOf(host);
    const { sku, manufacturer, product, biosVersion, cpus, memoryBytes } = models[model];
    return {
      serial,
      name,
      vendor,
      manufacturer,
      model: product,
      sku,
      uuid,
      rack,
      slot,
      macs: nics.map(({ mac }) => mac),
      nics,
      infiniband,
      networkInterfaces,
      biosVersion,
      cpus,
      memoryBytes: String(memoryBytes),
      drives: host.drives.map(storage),
      parts: partClasses[model],
      bmc: {
        address: `http://${bmcName}:${this.#port()}`,
        username: bmcUsername,
        ...(system === null ? {} : { system }),
      },
    };
  }

  #host(host: SimulatedHost): object {
    const { power, running, override, network, memoryOverwrite, tpmOwned, faults, counters } = host;
    const drives = host.drives.map((drive) => ({
      ...storage(drive),
      holdsTenantData: drive.holdsTenantData,
      lastErase: drive.lastErase(),
      acceptedErases: drive.accepted.length,
      faults: drive.faults,
    }));
    return {
      ...this.#identity(host),
      power,
      running,
      override,
      network,
      memoryOverwrite,
      tpmOwned,
      faults,
      counters,
      drives,
      holdsTenantData: host.drives.some((drive) => drive.holdsTenantData),
    };
  }

  #setFaults(host: SimulatedHost, body: unknown): ControlAnswer {
    const faults = faultsBody.safeParse(body);
    if (!faults.success)
      return {
        status: 400,
        body: {
          error: "not faults",
          issues: faults.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`),
        },
      };
    const serials = new Set(host.drives.map((drive) => drive.identity.serial));
    const unknown = Object.keys(faults.data.drives ?? {}).filter((serial) => !serials.has(serial));
    if (unknown.length > 0) return { status: 400, body: { error: `no drive ${unknown.join(", ")}` } };
    host.script(faults.data);
    return { status: 200, body: this.#host(host) };
  }

  /** Writes one block of a drive, as a foreign system would. */
  #write(host: SimulatedHost, body: unknown): ControlAnswer {
    const wanted = foreignWrite.safeParse(body);
    const drive = wanted.success
      ? host.drives.find(({ identity }) => identity.serial === wanted.data.drive)
      : undefined;
    const [content] = drive?.contents() ?? [];
    if (!wanted.success || drive === undefined || content === undefined)
      return { status: 400, body: { error: "not a block of a drive of this host" } };
    content.write(wanted.data.block, new Uint8Array(content.blockBytes).fill(7));
    drive.onChange(true);
    return { status: 200, body: this.#host(host) };
  }

  /** Totals over the fleet, and the resources that this process has used. */
  #counters(): object {
    const names = [
      "powerActionsTotal",
      "resetsDuringErase",
      "redfishRequests",
      "bootRequests",
      "agentRequests",
      "agentStarts",
      "agentCrashes",
      "tenantBoots",
      "networkAcknowledgements",
    ] as const;
    const sums = Object.fromEntries(
      names.map((name) => [name, this.#hosts.reduce((sum, { counters }) => sum + counters[name], 0)]),
    );
    const { user, system } = process.cpuUsage();
    return {
      hosts: this.#hosts.length,
      ...sums,
      hostsWithTenantData: this.#hosts.filter((host) => host.drives.some((drive) => drive.holdsTenantData))
        .length,
      processor: { userMs: user / 1000, systemMs: system / 1000 },
      residentBytes: process.memoryUsage.rss(),
    };
  }
}

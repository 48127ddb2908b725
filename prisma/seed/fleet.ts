// Reads the fleet that there is to enroll, as an import from a site's inventory would be read, and enrolls what is not known yet.
import { setTimeout as sleep } from "node:timers/promises";
import { request } from "undici";
import { z } from "zod";
import { byteCount, mediaKinds } from "@/server/domain/hosts/inventory/inventory";
import { isObject } from "@/server/domain/json";
import { skuPartClasses } from "@/server/domain/hosts/parts/sku-parts";
import type { SkuComponents } from "@/server/domain/hosts/inventory/sku";
import type { Actor, Request } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { demoPlatform } from "@/prisma/seed/platforms";
import { enrollHosts } from "@/server/usecases/hosts/acts/enroll-hosts";
import type { HostToEnroll } from "@/server/usecases/hosts/acts/enroll-hosts";

const listedHost = z.object({
  serial: z.string(),
  name: z.string(),
  vendor: z.enum(["dell", "lenovo", "generic"]),
  manufacturer: z.string(),
  model: z.string(),
  sku: z.string(),
  uuid: z.guid(),
  rack: z.string(),
  slot: z.number(),
  macs: z.array(z.string()),
  networkInterfaces: z.array(z.string()).min(1),
  infiniband: z.array(z.object({ dpu: z.boolean() })),
  cpus: z.array(z.object({ model: z.string() })).min(1),
  memoryBytes: byteCount,
  drives: z.array(z.object({ media: z.enum(mediaKinds), capacityBytes: byteCount })),
  /** What a SKU says of its parts. */
  parts: skuPartClasses,
  bmc: z.object({ address: z.string(), username: z.string() }),
});
type ListedHost = z.infer<typeof listedHost>;

const hardwareTypeOf = { dell: "idrac", lenovo: "xclarity", generic: "redfish" } as const satisfies Record<
  ListedHost["vendor"],
  string
>;
const batch = 500;

const listedFleet = z.object({
  hosts: z.array(listedHost),
  /** PEM of the authority of its GPUs, which measure themselves; a fleet of an earlier release has none. */
  componentAuthority: z.string().optional(),
});

/** Lists the fleet; waits for it while it starts. Throws after `limitMs`. */
export async function listFleet(
  port: number,
  token: string,
  limitMs: number,
): Promise<z.infer<typeof listedFleet>> {
  const until = Date.now() + limitMs;
  for (;;) {
    try {
      const answer = await request(`http://127.0.0.1:${port}/fleet`, {
        headers: { host: "control.localhost", authorization: `Bearer ${token}` },
      });
      if (answer.statusCode !== 200)
        throw new Error(`the fleet's list answered ${answer.statusCode}: ${await answer.body.text()}`);
      return listedFleet.parse(await answer.body.json());
    } catch (error) {
      if (Date.now() > until) throw error;
      await sleep(200);
    }
  }
}

/** What a host of this kind is made of, as its SKU says it. */
function componentsOf(host: ListedHost, withBaseline: boolean): SkuComponents {
  const classes = new Map<string, SkuComponents["storage"][number]>();
  for (const { media, capacityBytes } of host.drives) {
    const key = `${media} ${capacityBytes}`;
    classes.set(key, { media, capacityBytes, count: (classes.get(key)?.count ?? 0) + 1 });
  }
  const [cpu] = host.cpus;
  return {
    manufacturer: host.manufacturer,
    product: host.model,
    cpus: { count: host.cpus.length, model: cpu?.model ?? "" },
    memoryBytes: host.memoryBytes,
    storage: [...classes.values()],
    infiniband: host.infiniband.filter((device) => !device.dpu).length,
    parts: host.parts,
    ...(withBaseline ? { baseline: demoPlatform(host.vendor) } : {}),
  };
}

/** Enrolls the hosts that are not known by serial, in batches. Returns how many were new. */
export async function enrollFleet(
  backend: Backend,
  actor: Actor,
  request: Request,
  siteId: string,
  bmcPassword: string,
  hosts: readonly ListedHost[],
  withBaselines: boolean,
): Promise<number> {
  const { database } = backend;
  const skus = new Map<string, string>();
  for (const host of hosts) {
    if (skus.has(host.sku)) continue;
    const row = await database.sku.upsert({
      where: { name: host.sku },
      update: {},
      create: { name: host.sku, components: componentsOf(host, withBaselines) },
      select: { id: true, components: true },
    });
    // The SKUs of a demo that an earlier release began have no baseline, which would stop their hosts now.
    if (withBaselines && isObject(row.components) && row.components["baseline"] === undefined)
      await database.sku.update({
        where: { id: row.id },
        data: { components: { ...row.components, baseline: demoPlatform(host.vendor) } },
      });
    skus.set(host.sku, row.id);
  }
  const known = new Set(
    (await database.host.findMany({ select: { serial: true } })).map((row) => row.serial),
  );
  // A host that has a past and is not there was removed by a person: it stays away.
  for (const { serial } of await database.$queryRaw<
    { serial: string }[]
  >`SELECT DISTINCT host_serial AS serial FROM reclamation`)
    known.add(serial);
  const fresh = hosts
    .filter((host) => !known.has(host.serial))
    .map((host): HostToEnroll => ({
      name: host.name,
      skuId: skus.get(host.sku) ?? null,
      rack: host.rack,
      slot: String(host.slot),
      hardwareType: hardwareTypeOf[host.vendor],
      manufacturer: host.manufacturer,
      model: host.model,
      serial: host.serial,
      systemUuid: host.uuid,
      macs: host.macs,
      bmcAddress: host.bmc.address,
      bmcUsername: host.bmc.username,
      bmcPassword,
      networkInterfaces: host.networkInterfaces,
    }));
  for (let from = 0; from < fresh.length; from += batch) {
    const result = await enrollHosts(backend, actor, request, {
      siteId,
      hosts: fresh.slice(from, from + batch),
    });
    if (!result.ok) throw new Error(`hosts could not be enrolled: ${result.problem.detail}`);
  }
  return fresh.length;
}

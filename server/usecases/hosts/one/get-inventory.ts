// What a host is known to have, what was found in it, and how that fits its SKU.
import { z } from "zod";
import { storedPolicy } from "@/server/domain/cleaning/policy";
import { foundInventory, listedByBmcOnly } from "@/server/domain/inventory/found-inventory";
import { hardwareInventory, storageDevice } from "@/server/domain/inventory/inventory";
import { skuComponents, skuDifference } from "@/server/domain/inventory/sku";
import type { SkuComponents } from "@/server/domain/inventory/sku";
import { answerWords, disposition } from "@/server/domain/sanitization/dispositions";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { findReadableHost } from "@/server/usecases/hosts/list/find-readable-host";
import type { HostInventoryView } from "@/server/contract/answers/hosts";
import { done } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

/** As `known-devices.ts` freezes it. */
const deviceList = z.object({
  expected: z.array(z.looseObject({ ...storageDevice.shape, sources: z.array(z.string()) })),
  excluded: z.array(z.object({ serial: z.string(), model: z.string(), reason: z.string() })),
  answered: z.array(z.looseObject({ serial: z.string(), model: z.string(), disposition })).default([]),
  missing: z.array(z.object({ serial: z.string(), model: z.string(), knownBy: z.string() })),
});

const bmcBody = z.looseObject({ storage: z.array(storageDevice) });

/** What the SKU names, each as wanted; what differs has what was found beside it. */
function wantedLines(sku: SkuComponents): readonly { readonly what: string; readonly wanted: string }[] {
  return [
    { what: "manufacturer", wanted: sku.manufacturer },
    { what: "product", wanted: sku.product },
    { what: "CPU count", wanted: String(sku.cpus.count) },
    { what: "CPU model", wanted: sku.cpus.model },
    { what: "memory bytes", wanted: sku.memoryBytes },
    ...sku.storage.map(({ media, count, capacityBytes }) => ({
      what: `${media} of ${capacityBytes} bytes`,
      wanted: String(count),
    })),
    { what: "InfiniBand devices", wanted: String(sku.infiniband) },
  ];
}

export async function getInventory(
  backend: Backend,
  actor: Actor,
  query: { readonly hostId: string },
): Promise<Outcome<HostInventoryView>> {
  const found = await findReadableHost(backend, actor, query.hostId);
  if (!found.ok) return found;
  const { database } = backend;
  const hostId = found.value.id;
  const [inventories, [latest], host] = await Promise.all([
    database.hostInventory.findMany({ where: { hostId }, orderBy: { source: "asc" } }),
    database.reclamation.findMany({
      where: { hostId },
      orderBy: { startedAt: "desc" },
      take: 1,
      select: { devices: true },
    }),
    database.host.findUnique({
      where: { id: hostId },
      select: { sku: { select: { components: true } }, site: { select: { id: true, policyVersion: true } } },
    }),
  ]);
  const devices = deviceList.safeParse(latest?.devices);
  const sku = skuComponents.safeParse(host?.sku?.components);
  const inForce =
    host === null
      ? null
      : await database.sitePolicy.findUnique({
          where: { siteId_version: { siteId: host.site.id, version: host.site.policyVersion } },
          select: { body: true },
        });
  // A policy that this version cannot read excludes nothing.
  const rules = storedPolicy.safeParse(inForce?.body).data?.sanitization.excludedMedia;
  const agent = hardwareInventory.safeParse(inventories.find(({ source }) => source === "agent")?.body);
  const bmc = bmcBody.safeParse(inventories.find(({ source }) => source === "bmc")?.body);
  const differences =
    sku.success && agent.success
      ? skuDifference(
          sku.data,
          foundInventory(
            agent.data,
            listedByBmcOnly(bmc.data?.storage ?? [], devices.data?.expected ?? []),
            rules,
          ),
        )
      : [];
  const wanted = sku.success && agent.success ? wantedLines(sku.data) : [];
  const extra = differences.filter(({ what }) => !wanted.some((line) => line.what === what));
  return done({
    known: devices.success
      ? devices.data.expected.map(({ serial, model, media, slot, capacityBytes, sources }) => ({
          serial,
          model,
          media,
          slot: slot ?? null,
          capacityBytes,
          sources,
        }))
      : [],
    missing: devices.success ? devices.data.missing : [],
    excluded: devices.success ? devices.data.excluded : [],
    answered: devices.success
      ? devices.data.answered.map((device) => ({
          serial: device.serial,
          model: device.model,
          words: answerWords(device),
        }))
      : [],
    found: inventories.map(({ source, collectedAt, bootEpoch, leftOut, body }) => ({
      source,
      collectedAt,
      bootEpoch,
      leftOut,
      body,
    })),
    components: [
      ...wanted.map((line) => {
        const difference = differences.find(({ what }) => what === line.what);
        return { ...line, found: difference?.found ?? line.wanted, same: difference === undefined };
      }),
      ...extra.map((difference) => ({ ...difference, same: false })),
    ],
  });
}

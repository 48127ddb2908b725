// A host's known devices, what was found in it, and how that matches its SKU.
import { sql } from "kysely";
import { storedPolicy } from "@/server/domain/cleaning/policy/policy";
import { biosAttributes, biosComparison } from "@/server/domain/hosts/inventory/bios";
import { baselineSource } from "@/server/domain/hosts/inventory/baseline";
import { baselineComparison } from "@/server/domain/hosts/inventory/baseline-lines";
import { isObject } from "@/server/domain/json";
import { queryRows } from "@/server/db/sql";
import { storedInventory } from "@/server/domain/hosts/inventory/inventory";
import { readSkuInForce } from "@/server/usecases/hosts/skus/sku-in-force";
import { skuComparison, storedComponents } from "@/server/domain/hosts/inventory/sku";
import { capabilityGroups } from "@/server/domain/cleaning/sanitization/capabilities";
import type { MediaRule } from "@/server/domain/cleaning/sanitization/media-rules";
import { formatAnswer } from "@/server/domain/cleaning/sanitization/dispositions";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import type { Database } from "@/server/db/prisma";
import { deviceList, foundOf } from "@/server/usecases/hosts/one/found-of";
import type { StoredReadings } from "@/server/usecases/hosts/one/found-of";
import { ownAccounts } from "@/server/usecases/hosts/own-accounts";
import { findReadableHost } from "@/server/usecases/hosts/list/find-readable-host";
import type { HostInventoryView } from "@/server/contract/hosts/inventory";
import { done } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

export async function getInventory(
  backend: Backend,
  actor: Actor,
  query: { readonly hostId: string },
): Promise<Outcome<HostInventoryView>> {
  const found = await findReadableHost(backend, actor, query.hostId);
  if (!found.ok) return found;
  const { database } = backend;
  const hostId = found.value.id;
  const [inventories, latest, host, wanted] = await Promise.all([
    database.hostInventory.findMany({ where: { hostId }, orderBy: { source: "asc" } }),
    database.reclamation.findFirst({
      where: { hostId },
      orderBy: [{ startedAt: "desc" }, { number: "desc" }],
      select: { devices: true },
    }),
    database.host.findUnique({
      where: { id: hostId },
      select: {
        sku: { select: { components: true } },
        site: { select: { id: true, policyVersion: true } },
      },
    }),
    readSkuInForce(database, hostId),
  ]);
  const bodyOf = (source: string): unknown => inventories.find((row) => row.source === source)?.body;
  return done({
    ...devicesOf(latest?.devices),
    found: inventories.map(({ source, collectedAt, bootEpoch, leftOut, body }) => ({
      source,
      collectedAt,
      bootEpoch,
      leftOut,
      body,
    })),
    capabilities: capabilitiesIn(bodyOf("agent")),
    bios: biosOf(
      host?.sku?.components,
      inventories.find(({ source }) => source === "bmc"),
    ),
    baseline: baselineOf(wanted?.components, bodyOf("bmc"), await bmcSettingsOf(database, hostId)),
    components: componentLines({
      sku: host?.sku?.components,
      agent: bodyOf("agent"),
      bmc: bodyOf("bmc"),
      devices: latest?.devices,
      rules: host === null ? undefined : await readMediaRules(database, host.site),
    }),
  });
}

/** Empty until an agent reported. */
function capabilitiesIn(agent: unknown): HostInventoryView["capabilities"] {
  const inventory = storedInventory.safeParse(agent);
  return inventory.success ? capabilityGroups(inventory.data) : [];
}

/** A policy that this version cannot read excludes nothing. */
async function readMediaRules(
  database: Database,
  site: { readonly id: string; readonly policyVersion: number },
): Promise<readonly MediaRule[] | undefined> {
  const inForce = await database.sitePolicy.findUnique({
    where: { siteId_version: { siteId: site.id, version: site.policyVersion } },
    select: { body: true },
  });
  return storedPolicy.safeParse(inForce?.body).data?.sanitization.excludedMedia;
}

/** The devices of a reclamation; all lists are empty before it has a plan. */
function devicesOf(frozen: unknown): Pick<HostInventoryView, "known" | "missing" | "excluded" | "answered"> {
  const list = deviceList.safeParse(frozen);
  if (!list.success) return { known: [], missing: [], excluded: [], answered: [] };
  const { expected, missing, excluded, answered } = list.data;
  return {
    known: expected.map(({ serial, model, media, slot, capacityBytes, sources }) => ({
      serial,
      model,
      media,
      slot: slot ?? null,
      capacityBytes,
      sources,
    })),
    missing,
    excluded,
    answered: answered.map((device) => ({
      serial: device.serial,
      model: device.model,
      words: formatAnswer(device),
    })),
  };
}

/** An attribute that the baseline names and the host does not report counts as unknown, not as the same. */
function biosOf(
  stored: unknown,
  reading: { readonly bios: unknown; readonly biosReadAt: Date | null } | undefined,
): HostInventoryView["bios"] {
  const wanted = storedComponents.safeParse(stored).data?.baseline?.bios;
  if (wanted === undefined) return null;
  const found = biosAttributes.safeParse(reading?.bios).data ?? null;
  return {
    readAt: found === null ? null : (reading?.biosReadAt ?? null),
    lines: biosComparison(wanted, found),
  };
}

/** Stored separately from the body, which every claim reads. */
async function bmcSettingsOf(database: Database, hostId: string): Promise<KeptSettings> {
  const [row] = await queryRows(
    database,
    sql<KeptSettings>`
    SELECT i.bmc_settings AS settings, ${ownAccounts} AS own
    FROM host h JOIN host_inventory i ON i.host_id = h.id AND i.source = 'bmc' WHERE h.id = ${hostId}::uuid`,
  );
  return row ?? { settings: null, own: [] };
}

interface KeptSettings {
  readonly settings: unknown;
  /** The accounts that Reclaim signs in with. */
  readonly own: readonly string[];
}

function baselineOf(
  stored: unknown,
  bmc: unknown,
  { settings: bmcSettings, own }: KeptSettings,
): HostInventoryView["baseline"] {
  const wanted = storedComponents.safeParse(stored).data?.baseline;
  const found = baselineSource.parse({ ...(isObject(bmc) ? bmc : {}), bios: null, bmcSettings });
  return wanted === undefined ? [] : baselineComparison(wanted, found, own);
}

interface Stored extends StoredReadings {
  readonly sku: unknown;
}

/** Empty without a SKU, and until an agent reported. */
function componentLines({ sku: stored, ...readings }: Stored): HostInventoryView["components"] {
  const sku = storedComponents.safeParse(stored);
  const found = foundOf(readings);
  return sku.success && found !== null ? skuComparison(sku.data, found) : [];
}

// Enrols a list of completely specified hosts, all or none: the demo's fleet.
import { hostLabels } from "@/server/domain/hosts/labels/host-labels";
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { placeAt } from "@/server/domain/hosts/enrolment/check-lines";
import { bmcSystem, onlySystem } from "@/server/domain/hardware/bmc-system";
import { isFake } from "@/server/domain/hosts/fake/fake-type";
import { tellWithin } from "@/server/db/hot/signal";
import type { Transaction } from "@/server/db/prisma";
import { defineAct } from "@/server/usecases/define-act";
import { addHosts } from "@/server/usecases/hosts/add-hosts";
import { done, notFound, refused } from "@/server/usecases/problem";

const text = (max: number) => z.string().trim().min(1).max(max);
const mac = z
  .string()
  .regex(/^([0-9a-f]{2}:){5}[0-9a-f]{2}$/, "six lower-case hexadecimal pairs with colons");

export const hostToEnroll = z.strictObject({
  name: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/, "letters, digits, dots and hyphens; at most 63"),
  skuId: z.guid().nullable(),
  rack: text(64).nullable(),
  slot: text(64).nullable(),
  /** A type in the hardware registry. */
  hardwareType: text(64),
  manufacturer: text(128).nullable(),
  model: text(128).nullable(),
  /** Chassis serial number as its BMC reports it; debts are recorded under it. */
  serial: text(128),
  systemUuid: z.guid(),
  macs: z.array(mac).max(128),
  bmcAddress: z.url({ protocol: /^https?$/, error: "must be an http:// or https:// address" }),
  bmcSystem: bmcSystem.default(onlySystem),
  bmcUsername: text(128),
  bmcPassword: z.string().min(1).max(256),
  /** Interfaces that must acknowledge a network; without one, nothing would prove that it was switched. */
  networkInterfaces: z.array(text(64)).min(1, "at least one").max(64),
  labels: hostLabels.default({}),
});
export type HostToEnroll = z.input<typeof hostToEnroll>;

/** All or none. */
export const enrollHosts = defineAct({
  action: "host.enroll",
  right: "host.enroll",
  input: z.strictObject({
    siteId: z.guid("must be the id of a site"),
    hosts: z.array(hostToEnroll).min(1).max(500),
  }),
  names: ({ siteId }) => ({ kind: "site", id: siteId }),
  find: async ({ tx }, { siteId }) =>
    (await tx.site.count({ where: { id: siteId } })) === 0
      ? null
      : { id: siteId, belongs: { tenantId: null }, value: siteId },
  run: async ({ tx, secrets }, siteId, { hosts }) => {
    const fake = hosts.findIndex(isFake);
    // safety: fake: no machine is enrolled as one
    if (fake !== -1)
      return refused(
        "invalid",
        "A host without a machine has no serial and no BMC, so it cannot be enrolled like a machine.",
        `hosts.${fake}.hardwareType`,
      );
    const known = await findKnown(tx, hosts);
    if (known !== null)
      return refused("conflict", `A host with ${known.field} ${known.value} already exists.`, known.field);
    const missing = await findMissingSku(tx, hosts);
    if (missing !== null) return notFound("SKU", missing);
    const added = await addHosts(
      { tx, secrets },
      siteId,
      hosts.map(({ bmcUsername: username, bmcPassword: password, ...host }) => ({
        ...host,
        credential: { kind: "own", username, password },
        id: randomUUID(),
      })),
    );
    if (!added.ok) return added;
    const rows = added.value;
    await tellWithin(tx, { feed: rows.map(({ id }) => ({ hostId: id, tenantId: null, what: "enrolled" })) });
    return done({
      value: rows.map(({ id, name, serial }) => ({ hostId: id, name, serial })),
      changes: rows.map(({ id, name, serial, bmcAddress }) => ({
        targetId: id,
        tenantId: null,
        before: null,
        after: { name, serial, bmcAddress, siteId },
      })),
    });
  },
});

type Enrolled = z.output<typeof hostToEnroll>;

/** Columns that must be unique among hosts. */
const unique = ["name", "serial", "systemUuid"] as const;

/** A value that two of these hosts share, or that a known host already has; null if there is none. */
async function findKnown(
  tx: Transaction,
  hosts: readonly Enrolled[],
): Promise<{
  readonly field: (typeof unique)[number] | "bmcAddress" | "macs";
  readonly value: string;
} | null> {
  for (const field of unique) {
    const values = hosts.map((host) => host[field]);
    const twice = values.find((value, index) => values.indexOf(value) !== index);
    if (twice !== undefined) return { field, value: twice };
    const other = await tx.host.findFirst({
      where: { [field]: { in: values } },
      select: { name: true, serial: true, systemUuid: true },
    });
    const value = other?.[field] ?? null;
    if (value !== null) return { field, value };
  }
  const atBmc = await findAtBmc(tx, hosts);
  if (atBmc !== null) return { field: "bmcAddress", value: atBmc };
  const macs = hosts.flatMap((host) => [...new Set(host.macs)]);
  const twice = macs.find((mac, index) => macs.indexOf(mac) !== index);
  const other = await tx.nodePort.findFirst({ where: { address: { in: macs } }, select: { address: true } });
  const mac = twice ?? other?.address ?? null;
  return mac === null ? null : { field: "macs", value: mac };
}

/** A BMC address where two of these hosts, or one of them and a known host, are the same system. */
async function findAtBmc(tx: Transaction, hosts: readonly Enrolled[]): Promise<string | null> {
  const places = hosts.map(({ bmcAddress, bmcSystem: system }) => placeAt(bmcAddress, system));
  const twice = hosts.find((_, index) => places.indexOf(places[index] ?? "") !== index);
  if (twice !== undefined) return twice.bmcAddress;
  const others = await tx.host.findMany({
    where: { bmcAddress: { in: hosts.map(({ bmcAddress }) => bmcAddress) } },
    select: { bmcAddress: true, bmcSystem: true },
  });
  const same = others.find(({ bmcAddress, bmcSystem: system }) =>
    places.includes(placeAt(bmcAddress ?? "", system)),
  );
  return same?.bmcAddress ?? null;
}

/** A SKU that a host names but that does not exist; null if all exist. */
async function findMissingSku(tx: Transaction, hosts: readonly Enrolled[]): Promise<string | null> {
  const named = [...new Set(hosts.flatMap(({ skuId }) => skuId ?? []))];
  const known = await tx.sku.findMany({ where: { id: { in: named } }, select: { id: true } });
  return named.find((id) => !known.some((sku) => sku.id === id)) ?? null;
}

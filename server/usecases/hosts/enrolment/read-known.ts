// What the hosts of a list are compared with: values of known hosts, and the existing SKUs.
import { z } from "zod";
import { systemPath } from "@/server/domain/hardware/bmc-system";
import { caseless, ownMembers, placeAt } from "@/server/domain/hosts/enrolment/check-lines";
import type {
  KnownValues,
  OwnMember,
  ReadLine,
  Surroundings,
} from "@/server/domain/hosts/enrolment/check-lines";
import type { NameKind } from "@/server/domain/hosts/names/names";
import type { Transaction } from "@/server/db/prisma";

/** The values of a member in these lines. */
const valuesOf = (lines: readonly ReadLine[], member: OwnMember): readonly string[] =>
  lines.flatMap(({ host }) => host?.[member] ?? []);

/** Another interface may have stored the address with or without a trailing slash. */
const spellings = (address: string): readonly string[] => [address, `${address}/`];

const foundLinks = z.object({ system: z.string() });

/** Where a host is: as enrolled, and as its system was discovered. */
function placesOf(host: {
  readonly bmcAddress: string | null;
  readonly bmcSystem: string;
  readonly bmcLinks: unknown;
}): readonly string[] {
  if (host.bmcAddress === null) return [];
  const found = foundLinks.safeParse(host.bmcLinks).data;
  return [host.bmcSystem, ...(found === undefined ? [] : [systemPath(found.system)])].map((system) =>
    placeAt(host.bmcAddress?.replace(/\/$/, "") ?? "", system),
  );
}

export interface KnownAround extends Surroundings {
  /** SKU ids by name. */
  readonly skuIds: ReadonlyMap<string, string>;
}

/** Names that a person confirmed of hosts, each with the host that has it, by kind (docs/machine-names.md). */
async function readConfirmed(
  tx: Transaction,
  wanted: Readonly<Record<"serial" | "systemUuid", readonly string[]>>,
): Promise<(kind: NameKind) => readonly (readonly [string, string])[]> {
  const confirmed = await tx.hostName.findMany({
    where: {
      confirmedAt: { not: null },
      OR: [
        { kind: "serial", value: { in: [...wanted.serial], mode: "insensitive" } },
        { kind: "uuid", value: { in: wanted.systemUuid.map((uuid) => uuid.toLowerCase()) } },
      ],
    },
    select: { kind: true, value: true, host: { select: { name: true } } },
  });
  return (kind) =>
    confirmed.flatMap((name) => (name.kind === kind ? [[name.value, name.host.name] as const] : []));
}

export async function readAround(
  tx: Transaction,
  siteId: string,
  lines: readonly ReadLine[],
): Promise<KnownAround> {
  const wanted = {
    name: valuesOf(lines, "name"),
    serial: valuesOf(lines, "serial"),
    systemUuid: valuesOf(lines, "systemUuid"),
    bmcAddress: valuesOf(lines, "bmcAddress").flatMap(spellings),
  } satisfies Record<OwnMember, readonly string[]>;
  const macs = lines.flatMap(({ host }) => host?.macs ?? []);
  const hosts = await tx.host.findMany({
    where: {
      OR: [
        ...ownMembers.map((member) => ({ [member]: { in: [...wanted[member]] } })),
        { serial: { in: [...wanted.serial], mode: "insensitive" } },
        { expectedSerial: { in: [...wanted.serial], mode: "insensitive" } },
        { macs: { hasSome: macs } },
        { expectedSystemUuid: { in: [...wanted.systemUuid] } },
      ],
    },
    select: {
      name: true,
      serial: true,
      expectedSerial: true,
      systemUuid: true,
      expectedSystemUuid: true,
      bmcAddress: true,
      bmcSystem: true,
      bmcLinks: true,
      macs: true,
    },
  });
  const confirmedAs = await readConfirmed(tx, wanted);
  const by = (value: (host: (typeof hosts)[number]) => string | null): ReadonlyMap<string, string> =>
    new Map(
      hosts.flatMap((host) => {
        const found = value(host);
        return found === null ? [] : [[found, host.name] as const];
      }),
    );
  const known: KnownValues = {
    name: by(({ name }) => name),
    serial: new Map([
      ...by(({ serial, expectedSerial }) => {
        const own = serial ?? expectedSerial;
        return own === null ? null : caseless(own);
      }),
      ...confirmedAs("serial").map(([serial, name]) => [caseless(serial), name] as const),
    ]),
    macs: new Map(hosts.flatMap((host) => host.macs.map((mac) => [mac, host.name] as const))),
    systemUuid: new Map([
      ...by(({ systemUuid, expectedSystemUuid }) => systemUuid ?? expectedSystemUuid),
      ...confirmedAs("uuid"),
    ]),
    bmcAddress: new Map(hosts.flatMap((host) => placesOf(host).map((place) => [place, host.name] as const))),
  };
  const skus = await tx.sku.findMany({
    where: { name: { in: [...new Set(lines.flatMap(({ host }) => host?.sku ?? []))] } },
    select: { id: true, name: true },
  });
  const skuIds = new Map(skus.map(({ id, name }) => [name, id]));
  const sets = await tx.bmcCredential.findMany({ where: { siteId }, select: { name: true } });
  return {
    known,
    skus: new Set(skuIds.keys()),
    credentialSets: new Set(sets.map(({ name }) => name)),
    skuIds,
  };
}

// What is known of a host's names, and why those that differ cannot be confirmed.
import { sql } from "kysely";
import { isBound, pendingNames, sourceWords } from "@/server/domain/hosts/names/names";
import { nameKinds, nameSources, namesDigest } from "@/server/domain/hosts/names/names";
import type { OwnNames, PendingNames, ToldName } from "@/server/domain/hosts/names/names";
import { otherByteOrder } from "@/server/domain/hosts/inventory/system-uuid";
import type { Transaction } from "@/server/db/prisma";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import { refused } from "@/server/usecases/problem";
import type { Problem } from "@/server/usecases/problem";

export interface StoredName extends ToldName {
  readonly firstSeenAt: Date;
  readonly confirmedBy: string | null;
  readonly reason: string | null;
}

export interface HostNames {
  readonly own: OwnNames;
  readonly expected: { readonly serial: string | null; readonly systemUuid: string | null };
  /** The newest first. */
  readonly told: readonly StoredName[];
  /** Those that can be confirmed; all if there are none, with the problem. */
  readonly pending: readonly PendingNames[];
  readonly evidence: string;
  /** Why the pending names cannot be confirmed; null: they can. */
  readonly problem: Problem | null;
}

const oneOf = <Name extends string>(names: readonly Name[], name: string): readonly Name[] =>
  names.filter((each) => each === name);

/** Null if there is no such host. */
export async function readNames(
  tx: SqlReader & Pick<Transaction, "host" | "hostName">,
  hostId: string,
): Promise<HostNames | null> {
  const [host, rows] = await Promise.all([
    tx.host.findUnique({
      where: { id: hostId },
      select: {
        serial: true,
        systemUuid: true,
        macs: true,
        expectedSerial: true,
        expectedSystemUuid: true,
      },
    }),
    tx.hostName.findMany({
      where: { hostId },
      orderBy: [{ lastSeenAt: "desc" }, { source: "asc" }, { kind: "desc" }, { value: "asc" }],
    }),
  ]);
  if (host === null) return null;
  const { serial, systemUuid, macs, expectedSerial, expectedSystemUuid } = host;
  const own = { serial, systemUuid, macs, sharedMacs: await readShared(tx, hostId, macs) };
  const told = rows.flatMap(({ source, kind, ...row }) =>
    oneOf(nameSources, source).flatMap((from) =>
      oneOf(nameKinds, kind).map((of): StoredName => ({ ...row, source: from, kind: of })),
    ),
  );
  const differing = pendingNames(own, told);
  const bound = differing.filter(isBound);
  // Whoever registers as an agent must not keep what the BMC told from being confirmed.
  const pending = bound.length > 0 ? bound : differing;
  const expected = { serial: expectedSerial, systemUuid: expectedSystemUuid };
  return {
    ...{ own, expected, told, pending, evidence: namesDigest(hostId, pending) },
    problem: await whyNot(tx, hostId, own, pending),
  };
}

/** The MAC addresses that another host is known by, has a port for, or has by its BMC. */
async function readShared(
  tx: SqlReader,
  hostId: string,
  macs: readonly string[],
): Promise<readonly string[]> {
  const rows = await queryRows(
    tx,
    sql<{ mac: string }>`
    SELECT mac FROM unnest(${macs}::text[]) mac
    WHERE EXISTS (SELECT FROM host h WHERE h.macs @> ARRAY[mac] AND h.id <> ${hostId}::uuid)
      OR EXISTS (SELECT FROM node_port p WHERE p.address = mac AND p.host_id <> ${hostId}::uuid)
      OR EXISTS (SELECT FROM host_name n WHERE n.source = 'bmc' AND n.kind = 'mac' AND n.value = mac AND n.host_id <> ${hostId}::uuid)
    ORDER BY mac`,
  );
  return rows.map(({ mac }) => mac);
}

const nothingDiffers =
  "There is nothing to confirm: the last names that BMC and agent told are the host's own, or placeholders. After a change of its firmware, read the inventory again, or let the host boot its agent.";

async function whyNot(
  tx: SqlReader,
  hostId: string,
  own: OwnNames,
  pending: readonly PendingNames[],
): Promise<Problem | null> {
  // safety: names: only of a host that was verified
  if (own.serial === null || own.systemUuid === null)
    return refused("notAllowedNow", "The host's own names are not known: verify it first.").problem;
  if (pending.length === 0) return refused("notAllowedNow", nothingDiffers).problem;
  const stranger = pending.find((told) => !isBound(told));
  // safety: names: something else that was told is the host's
  if (stranger !== undefined)
    return refused(
      "notAllowedNow",
      stranger.source === "agent"
        ? "The agent told neither the host's serial number nor its UUID, and a MAC address alone is not enough: this may be any machine. Read the inventory again, and confirm what the BMC tells first."
        : `Nothing that the ${sourceWords[stranger.source]} told last is the host's alone, neither serial number nor UUID nor a MAC address: this may be any machine. Correct the BMC's address, or give the host the MAC addresses as ports.`,
    ).problem;
  return (await takenBy(tx, hostId, pending)) ?? owedBy(tx, pending);
}

/** The host that has one of the names, or is expected to. */
async function takenBy(
  tx: SqlReader,
  hostId: string,
  pending: readonly PendingNames[],
): Promise<Problem | null> {
  const names = pending.flatMap(({ names: each }) => each);
  const serials = names.flatMap(({ kind, value }) => (kind === "serial" ? [value] : []));
  const uuids = names.flatMap(({ kind, value }) => (kind === "uuid" ? [value, otherByteOrder(value)] : []));
  const [other] = await queryRows(
    tx,
    sql<{ host: string; value: string }>`
    SELECT h.name AS host, t.value FROM (
      SELECT id, serial AS value FROM host WHERE serial = ANY(${serials}::text[])
      UNION ALL SELECT id, expected_serial FROM host WHERE expected_serial = ANY(${serials}::text[])
      UNION ALL SELECT id, system_uuid::text FROM host WHERE system_uuid = ANY(${uuids}::uuid[])
      UNION ALL SELECT id, expected_system_uuid::text FROM host WHERE expected_system_uuid = ANY(${uuids}::uuid[])
      UNION ALL SELECT host_id, value FROM host_name WHERE confirmed_at IS NOT NULL
        AND (kind = 'serial' AND value = ANY(${serials}::text[]) OR kind = 'uuid' AND value = ANY(${uuids}::text[]))) t
      JOIN host h ON h.id = t.id
    WHERE t.id <> ${hostId}::uuid ORDER BY h.name LIMIT 1`,
  );
  // safety: names: no name of another host
  return other === undefined
    ? null
    : refused(
        "conflict",
        `${other.value} is a name of host ${other.host}, so it cannot be one of this host's.`,
      ).problem;
}

/** What a machine that was another host still owes under one of the serial numbers: a host that takes the name would not be held to it. */
async function owedBy(tx: SqlReader, pending: readonly PendingNames[]): Promise<Problem | null> {
  const serials = pending.flatMap(({ names }) =>
    names.flatMap(({ kind, value }) => (kind === "serial" ? [value] : [])),
  );
  const [owed] = await queryRows(
    tx,
    sql<{ serial: string; what: string }>`
    SELECT serial, what FROM (
      SELECT chassis_serial AS serial, 'owes a sanitization since ' || to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI "UTC"') AS what
        FROM debt WHERE cleared_at IS NULL
      UNION ALL
      SELECT chassis_serial, 'may still be erasing its drives until ' || to_char(erase_until AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI "UTC"')
        FROM chassis_erase WHERE erase_until > now()) t
    WHERE serial = ANY(${serials}::text[]) ORDER BY serial, what DESC LIMIT 1`,
  );
  // safety: names: no serial that owes a sanitization
  return owed === undefined
    ? null
    : refused(
        "conflict",
        `The machine with serial ${owed.serial} ${owed.what}, from when it was a host of its own. Enrol it by that serial, which cleans it, instead of giving this host its name.`,
      ).problem;
}

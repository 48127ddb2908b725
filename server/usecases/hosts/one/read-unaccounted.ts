// Reads the drives of a host that are owed or expected but missing, for its page and for the act that states what became of one.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import { z } from "zod";
import { storageDevice } from "@/server/domain/hosts/inventory/inventory";
import { contradiction, disposition } from "@/server/domain/cleaning/sanitization/dispositions";
import type { Disposition } from "@/server/domain/cleaning/sanitization/dispositions";
import { unresolvedStorage } from "@/server/domain/cleaning/sanitization/known-devices";
import { unaccountedDrives } from "@/server/domain/cleaning/sanitization/unaccounted";
import type { NewestReading, UnaccountedDrive } from "@/server/domain/cleaning/sanitization/unaccounted";

const withStorage = z.looseObject({ storage: z.array(z.looseObject(storageDevice.shape)) });

/** As frozen by `known-devices.ts`. */
const frozen = z.looseObject({
  expected: z.array(
    z.looseObject({
      ...storageDevice.shape,
      sources: z.array(z.enum(["bmc", "agent", "debt"])),
      outOfBand: z.literal(true).exactOptional(),
    }),
  ),
  missing: z.array(z.looseObject({ serial: z.string(), model: z.string(), knownBy: z.string() })),
  excluded: z.array(z.looseObject({ serial: z.string(), model: z.string(), reason: z.string() })),
  unresolved: z.array(unresolvedStorage).exactOptional(),
});

const withUnresolved = z.looseObject({ unresolved: z.array(unresolvedStorage) });

const standing = z.array(
  z.object({ ...disposition.shape, at: z.coerce.date().transform((at) => at.toISOString()) }),
);

interface Row {
  readonly serial: string | null;
  readonly reclamation_id: string | null;
  readonly devices: unknown;
  readonly inventories: readonly { readonly source: string; readonly at: string; readonly body: unknown }[];
  readonly owed: readonly string[];
  readonly dispositions: unknown;
}

export interface Unaccounted {
  /** Serial number of the chassis; null until its BMC reported it. */
  readonly chassisSerial: string | null;
  /** The current or last reclamation. */
  readonly reclamationId: string | null;
  readonly drives: readonly UnaccountedDrive[];
  readonly dispositions: readonly Disposition[];
  /** Why a disposition has no effect, by the key of its drive; only those that the newest inventories contradict. */
  readonly contradictions: ReadonlyMap<string, string>;
}

function newest(inventories: Row["inventories"], source: string): NewestReading | null {
  const found = inventories.find((inventory) => inventory.source === source);
  const body = withStorage.safeParse(found?.body);
  return found === undefined || !body.success
    ? null
    : { takenMs: Date.parse(found.at), storage: body.data.storage };
}

/** A single query. Null if there is no such host. */
export async function readUnaccounted(reader: SqlReader, hostId: string): Promise<Unaccounted | null> {
  const [row] = await queryRows(
    reader,
    sql<Row>`
    SELECT h.serial, c.id::text AS reclamation_id, c.devices,
      coalesce((SELECT json_agg(json_build_object('source', i.source, 'at', i.collected_at, 'body', i.body)) FROM host_inventory i WHERE i.host_id = h.id), '[]') AS inventories,
      ARRAY(SELECT DISTINCT x.serial FROM debt d, unnest(d.drive_serials) x(serial) WHERE d.chassis_serial = h.serial AND d.cleared_at IS NULL ORDER BY 1) AS owed,
      coalesce((SELECT json_agg(json_build_object('id', x.id, 'key', x.key, 'model', x.model, 'slot', x.slot, 'kind', x.kind, 'reason', x.reason, 'by', x.by_name, 'at', x.at, 'approvalId', x.approval_id,
          'signature', CASE WHEN x.approval_id IS NULL THEN 'one' WHEN a.decision = 'rejected' OR a.voided_at IS NOT NULL THEN 'rejected' WHEN a.decision = 'approved' THEN 'signed' ELSE 'waits' END,
          'signedBy', a.decided_by_name) ORDER BY x.at)
        FROM drive_disposition x LEFT JOIN approval a ON a.id = x.approval_id WHERE x.chassis_serial = h.serial AND x.withdrawn_at IS NULL), '[]') AS dispositions
    FROM host h LEFT JOIN LATERAL (SELECT id, devices FROM reclamation WHERE host_id = h.id ORDER BY started_at DESC, number DESC LIMIT 1) c ON true WHERE h.id = ${hostId}::uuid`,
  );
  if (row === undefined) return null;
  const list = frozen.safeParse(row.devices);
  const dispositions = standing.parse(row.dispositions);
  const unresolved =
    withUnresolved.safeParse(row.inventories.find(({ source }) => source === "bmc")?.body).data?.unresolved ??
    [];
  const bmc = newest(row.inventories, "bmc");
  const agent = newest(row.inventories, "agent");
  const drives = unaccountedDrives({
    owed: row.owed,
    list: list.success ? list.data : null,
    unresolved,
    bmc,
    agent,
    dispositions,
  });
  return {
    chassisSerial: row.serial,
    reclamationId: row.reclamation_id,
    drives,
    dispositions,
    contradictions: contradictionsOf(drives, [bmc, agent]),
  };
}

function contradictionsOf(
  drives: readonly UnaccountedDrive[],
  read: readonly (NewestReading | null)[],
): ReadonlyMap<string, string> {
  const readings = read.filter((reading) => reading !== null);
  return new Map(
    drives.flatMap(({ key, disposition: stated, refusal }): (readonly [string, string])[] => {
      const why =
        stated === null || refusal !== null ? null : contradiction({ serial: key }, stated, readings);
      return why === null ? [] : [[key, why]];
    }),
  );
}

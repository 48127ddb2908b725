// Failed hosts with the same cause at the same device model (docs/cleaning.md#groups-of-failures).
import { sql } from "kysely";
import type { Reader } from "@/server/db/prisma";
import { queryRows } from "@/server/db/sql";
import { readCauses } from "@/server/domain/cleaning/failures/cause";
import type { Causes } from "@/server/domain/cleaning/failures/cause";
import { failureFilter, groupOf } from "@/server/domain/cleaning/failures/group";
import { patternDigest } from "@/server/domain/hosts/failure-pattern";

/** The causes of the host's failed state; null if it is not failed, or if an earlier release wrote the state. */
export async function readFailureCauses(
  reader: Reader,
  { hostId, version }: { readonly hostId: string; readonly version: bigint },
): Promise<Causes | null> {
  const [row] = await queryRows(
    reader,
    sql<{
      causes: unknown;
    }>`SELECT s.causes FROM state_history s WHERE s.host_id = ${hostId}::uuid AND s.version = ${version}`,
  );
  return row === undefined ? null : readCauses(row.causes);
}

export interface Alike {
  /** Number of hosts besides this one. */
  readonly hosts: number;
  readonly model: string;
  readonly filter: string;
}

/** Finds other hosts with the same failure. */
export async function readAlike(
  reader: Reader,
  host: { readonly id: string; readonly name: string; readonly model: string | null },
  causes: Causes,
): Promise<Alike | null> {
  const own = groupOf({ causes, message: "", names: [], hostModel: host.model ?? "unknown model" });
  const [{ key }] = causes;
  if (key === "other") return null;
  const rows = await queryRows(
    reader,
    sql<{ causes: unknown; model: string | null }>`
    SELECT s.causes, h.model FROM host_run r JOIN host h ON h.id = r.host_id
      JOIN state_history s ON s.host_id = r.host_id AND s.version = r.state_version
    WHERE r.state LIKE 'Failed/%' AND r.host_id <> ${host.id}::uuid AND s.causes -> 0 ->> 'key' = ${key}`,
  );
  const alike = rows.filter((row) => {
    const others = readCauses(row.causes);
    const hostModel = row.model ?? "unknown model";
    return others !== null && groupOf({ causes: others, message: "", names: [], hostModel }).key === own.key;
  });
  return { hosts: alike.length, model: own.model, filter: failureFilter(patternDigest(own.key)) };
}

// The returns of a pack, the oldest first, with the drives that each names.
import { sql } from "kysely";
import type { ReturnLine } from "@/server/contract/assurance/proof";
import type { Database } from "@/server/db/prisma";
import { queryRows } from "@/server/db/sql";
import { maxReturns } from "@/server/domain/assurance/proof/pack/index-form";
import type { IndexReturn } from "@/server/domain/assurance/proof/pack/index-form";
import { readReturns } from "@/server/usecases/assurance/proof/return-lines";
import { conditionsOf } from "@/server/usecases/assurance/proof/returns-sql";
import type { Selection } from "@/server/usecases/assurance/proof/returns-sql";
import { done, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import type { Scope } from "@/server/usecases/read";

const pageRows = 500;

interface Facts {
  readonly sha256: string | null;
  readonly drives: readonly string[];
}

/** Of a signed return the statement's, and else the frozen list's, or for a tenant the drives that it gave up. */
async function readFacts(
  database: Database,
  lines: readonly ReturnLine[],
  isTenant: boolean,
): Promise<ReadonlyMap<string, Facts>> {
  const kind = isTenant ? "receipt" : "certificate";
  const rows = await queryRows(
    database,
    sql<Facts & { readonly id: string }>`
    SELECT c.id::text, k.sha256, ARRAY(SELECT DISTINCT d.serial FROM (
        SELECT x ->> 'serial' AS serial FROM jsonb_array_elements(k.statement::jsonb #> '{predicate,devices}') x
        UNION ALL SELECT x ->> 'serial' FROM jsonb_path_query(c.devices, '$.*[*]') x WHERE NOT ${isTenant} AND x ? 'serial'
        UNION ALL SELECT unnest(b.drive_serials) FROM debt b WHERE ${isTenant} AND b.chassis_serial = c.host_serial AND b.instance_id = c.instance_id) d
      WHERE d.serial IS NOT NULL ORDER BY d.serial) AS drives
    FROM reclamation c LEFT JOIN certificate k ON k.reclamation_id = c.id AND k.kind = ${kind}
    WHERE c.id = ANY(${lines.flatMap(({ reclamation }) => reclamation?.id ?? [])}::uuid[])`,
  );
  return new Map(rows.map(({ id, ...facts }) => [id, facts]));
}

function rowOf(line: ReturnLine, facts: Facts | undefined): IndexReturn {
  const { file } = line;
  const sha256 = facts?.sha256 ?? null;
  return {
    id: line.id,
    reclamation: line.reclamation?.name ?? null,
    kind: line.kind,
    returnedAt: line.at.toISOString(),
    endedAt: line.endedAt?.toISOString() ?? null,
    ...{ hostId: line.host.id, host: line.host.name, serial: line.host.serial },
    ...{ site: line.site, sku: line.sku, standing: line.standing },
    tenant: line.tenant?.name ?? null,
    instance: line.instance?.name ?? null,
    drives: [...(facts?.drives ?? [])],
    certificate:
      file === null || file.number === null || file.signedAt === null || sha256 === null
        ? null
        : { id: file.id, number: file.number, signedAt: file.signedAt.toISOString(), sha256 },
  };
}

/** Refuses a selection that is too large for one pack, before anything is sent. */
export async function readIndexRows(
  database: Database,
  scope: Scope,
  selection: Selection,
): Promise<Outcome<readonly IndexReturn[]>> {
  const where = conditionsOf(scope, selection);
  const rows: IndexReturn[] = [];
  let after: ReturnLine | undefined;
  for (;;) {
    const beyond =
      after === undefined
        ? where
        : sql`${where} AND (r.at, r.id) < (${after.at}::timestamptz, ${after.id}::uuid)`;
    const lines = (await readReturns(database, scope, beyond, pageRows)).map(({ line }) => line);
    const facts = await readFacts(database, lines, scope.kind === "tenant");
    rows.push(...lines.map((line) => rowOf(line, facts.get(line.id))));
    if (rows.length > maxReturns)
      return refused("invalid", `More than ${maxReturns} returns. Select a month, a tenant or a site.`);
    after = lines.at(-1);
    if (lines.length < pageRows) return done(rows.reverse());
  }
}

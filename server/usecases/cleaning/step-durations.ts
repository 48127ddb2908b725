// How long a step took before: on this host, else on its SKU (docs/cleaning.md#manual-cleaning).
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import { stepName } from "@/server/domain/cleaning/steps/step";
import type { ManualStep } from "@/server/domain/cleaning/plan/manual";
import type { Database } from "@/server/db/prisma";

/** Newest reclamations of a SKU that are read, which bounds the query however old the fleet is. */
const sampled = 500;

export interface PastDuration {
  readonly basis: "host" | "sku" | "model";
  readonly medianMs: number;
  readonly runs: number;
}

type Durations = ReadonlyMap<number, PastDuration>;

/** A host's own runs of the step take precedence over runs on drives of the same models, and those over runs on other hosts of its SKU. Pure. */
export const nearest = (past: Durations, ofModels: Durations): Durations =>
  new Map([...past, ...ofModels, ...[...past].filter(([, { basis }]) => basis === "host")]);

interface DurationRow {
  readonly index: number;
  readonly own_ms: number | null;
  readonly own_runs: number;
  readonly sku_ms: number | null;
  readonly sku_runs: number;
}

/** By index in the list; omits steps that never succeeded with the same arguments. */
export async function pastDurations(
  database: Database,
  host: { readonly id: string; readonly skuId: string | null },
  steps: readonly ManualStep[],
): Promise<ReadonlyMap<number, PastDuration>> {
  const asked = JSON.stringify(
    steps.map((step, index) => ({ index, name: stepName(step), args: step.args })),
  );
  const rows = await queryRows(
    database,
    sql<DurationRow>`
    WITH asked AS (SELECT * FROM jsonb_to_recordset(${asked}::jsonb) AS a (index int, name text, args jsonb)),
    own AS (
      SELECT t.interface || '.' || t.step AS name, t.args, extract(epoch FROM t.ended_at - t.started_at)::float8 * 1000 AS took
      FROM step_run t WHERE t.host_id = ${host.id}::uuid AND t.status = 'succeeded' AND t.started_at IS NOT NULL AND t.ended_at IS NOT NULL
    ), newest AS (
      SELECT c.id FROM reclamation c JOIN host h ON h.id = c.host_id
      WHERE c.ended_at IS NOT NULL AND h.sku_id = ${host.skuId}::uuid AND c.host_id <> ${host.id}::uuid ORDER BY c.ended_at DESC LIMIT ${sampled}
    ), alike AS (
      SELECT t.interface || '.' || t.step AS name, t.args, extract(epoch FROM t.ended_at - t.started_at)::float8 * 1000 AS took
      FROM newest JOIN step_run t ON t.reclamation_id = newest.id WHERE t.status = 'succeeded' AND t.started_at IS NOT NULL AND t.ended_at IS NOT NULL
    )
    SELECT a.index,
      (SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY took) FROM own o WHERE o.name = a.name AND o.args = a.args) AS own_ms,
      (SELECT count(*)::int FROM own o WHERE o.name = a.name AND o.args = a.args) AS own_runs,
      (SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY took) FROM alike o WHERE o.name = a.name AND o.args = a.args) AS sku_ms,
      (SELECT count(*)::int FROM alike o WHERE o.name = a.name AND o.args = a.args) AS sku_runs
    FROM asked a`,
  );
  return new Map(
    rows.flatMap((row): [number, PastDuration][] => {
      if (row.own_ms !== null)
        return [[row.index, { basis: "host", medianMs: Math.round(row.own_ms), runs: row.own_runs }]];
      return row.sku_ms === null
        ? []
        : [[row.index, { basis: "sku", medianMs: Math.round(row.sku_ms), runs: row.sku_runs }]];
    }),
  );
}

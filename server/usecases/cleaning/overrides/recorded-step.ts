// Recorded runs of one step at a site, a SKU or a host, to show what another priority would have changed (docs/adr/0053-policy-foresight.md).
import { sql } from "kysely";
import type { OverrideChange } from "@/server/domain/cleaning/plan/priorities";
import type { StepRuns } from "@/server/domain/cleaning/policy/settings-effect";
import { gateNames } from "@/server/domain/reclamations/gates/gate-names";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import { recordedHosts } from "@/server/usecases/cleaning/policy/recorded-hosts";

/** Requested while somebody types, so only the newest are read. */
const most = 20_000;
const days = 90;

function hostsOf({ scope, scopeId }: Pick<OverrideChange, "scope" | "scopeId">) {
  switch (scope) {
    case "site":
      return recordedHosts(scopeId);
    case "sku":
      return sql`(SELECT o.id FROM host o WHERE o.sku_id = ${scopeId}::uuid)`;
    case "host":
      return sql`(SELECT o.id FROM host o WHERE o.id = ${scopeId}::uuid)`;
  }
}

interface Row extends Omit<StepRuns, "proves"> {
  readonly proves: readonly string[];
}

/** Undefined if it never ran there. */
export async function recordedStep(reader: SqlReader, change: OverrideChange): Promise<StepRuns | undefined> {
  const [row] = await queryRows(
    reader,
    sql<Row>`
    SELECT count(DISTINCT c.id)::int AS runs,
      count(DISTINCT c.id) FILTER (WHERE c.kind IN ('release', 'repairRelease') AND c.outcome = 'ready')::int AS releases,
      count(DISTINCT c.id) FILTER (WHERE t.status = 'failed')::int AS failed,
      ARRAY(SELECT DISTINCT x FROM unnest(string_to_array(string_agg(array_to_string(t.proves, ','), ','), ',')) x WHERE x <> '') AS proves
    FROM (SELECT c.id, c.kind, c.outcome, c.plan_epoch FROM reclamation c JOIN ${hostsOf(change)} h ON h.id = c.host_id
        WHERE c.started_at >= now() - make_interval(days => ${days}) AND c.kind <> 'manualCleaning'
          AND (c.ended_at IS NOT NULL OR c.stopped_at IS NOT NULL)
        ORDER BY c.started_at DESC, c.number DESC LIMIT ${most}) c
      JOIN step_run t ON t.reclamation_id = c.id AND t.plan_epoch = c.plan_epoch AND t.attempt > 0
    WHERE t.interface = ${change.interface} AND t.step = ${change.step}`,
  );
  return row === undefined || row.runs === 0
    ? undefined
    : { ...row, proves: gateNames.filter((gate) => row.proves.includes(gate)) };
}

// Which gates held up reclamations of a site, and which hold its hosts now, as far as the site's requirements matter.
import { sql } from "kysely";
import { requiredGates } from "@/server/domain/cleaning/policy/gates-effect";
import type { HeldBy, RecordedGates } from "@/server/domain/cleaning/policy/gates-effect";
import { fakeHardwareType } from "@/server/domain/hosts/fake/fake-type";
import { gateStatuses, passes } from "@/server/domain/reclamations/gates/gate-names";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import { ended, maxRuns } from "@/server/usecases/cleaning/policy/recorded-runs";

interface CountRow {
  readonly demo: boolean;
  readonly ready: number;
  readonly withTenant: number;
  readonly inProgress: number;
}

interface HeldRow {
  /** Null if the gate holds for another reason than the site's requirements. */
  readonly gates: readonly (string | null)[];
  readonly count: number;
}

/** Statuses that hold a host at any site. */
const holding = gateStatuses.filter((status) => !passes(status, { demo: true, fake: true }));

const heldOf = ({ gates, count }: HeldRow): HeldBy => ({
  gates: requiredGates.filter((gate) => gates.includes(gate)),
  others: gates.some((gate) => !requiredGates.some((one) => one === gate)),
  count,
});

/** Gates of the given reclamations that do not pass. At a demo site, gates that are not implemented hold nothing back. */
const heldAmong = (reclamations: ReturnType<typeof sql>, demo: boolean) => sql<HeldRow>`
  SELECT gates, count(*)::int AS count FROM (
    SELECT array_agg(DISTINCT CASE WHEN g.status = 'not implemented' THEN g.gate END) AS gates
    FROM (${reclamations}) c JOIN gate g ON g.reclamation_id = c.id
    WHERE g.status = ANY(${[...holding, ...(demo ? [] : ["not implemented"])]}::text[])
    GROUP BY c.id) held
  GROUP BY 1`;

export async function readRecordedGates(
  reader: SqlReader,
  siteId: string,
  since: Date,
): Promise<RecordedGates> {
  const of = ended(siteId, since);
  const [count] = await queryRows(
    reader,
    sql<CountRow>`
    SELECT s.demo, count(*) FILTER (WHERE r.state = 'Ready')::int AS ready,
      count(*) FILTER (WHERE r.state LIKE 'Assigned/%')::int AS "withTenant",
      count(*) FILTER (WHERE EXISTS (SELECT FROM reclamation c
        WHERE c.host_id = h.id AND c.ended_at IS NULL AND c.stopped_at IS NULL AND c.kind <> 'manualCleaning'))::int AS "inProgress"
    FROM site s LEFT JOIN host h ON h.site_id = s.id AND h.hardware_type <> ${fakeHardwareType}
      LEFT JOIN host_run r ON r.host_id = h.id
    WHERE s.id = ${siteId}::uuid GROUP BY s.demo`,
  );
  const { demo = false, ready = 0, withTenant = 0, inProgress = 0 } = count ?? {};
  const [[became], held, now] = await Promise.all([
    queryRows(
      reader,
      sql<{ became: number }>`
      SELECT count(*)::int AS became FROM ${of} AND c.outcome = 'ready' AND h.hardware_type <> ${fakeHardwareType}`,
    ),
    queryRows(
      reader,
      heldAmong(
        sql`SELECT c.id FROM ${of} AND c.stopped_cause = 'GateUnsatisfied' ORDER BY c.started_at DESC, c.number DESC LIMIT ${maxRuns}`,
        demo,
      ),
    ),
    queryRows(
      reader,
      heldAmong(
        sql`SELECT r.reclamation_id AS id FROM host_run r
        WHERE r.site_id = ${siteId}::uuid AND r.state IN ('Failed/GateUnsatisfied', 'ReturnToAllocation/AwaitingHealth', 'ReturnToAllocation/AwaitingRepair')`,
        demo,
      ),
    ),
  ]);
  return {
    demo,
    becameReady: became?.became ?? 0,
    held: held.map(heldOf),
    hosts: { ready, withTenant, inProgress, held: now.map(heldOf) },
  };
}

// What is stored about a machine's return from one instance: its debt, the reclamation that settles it, and the records of its drives.
import { statusAsOfNow } from "@/server/domain/reclamations/gates/gate-names";
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { Database } from "@/server/db/prisma";
import { settlingOfInstance } from "@/server/usecases/instances/settling";

interface Return {
  readonly hostId: string;
  readonly hostState: string | null;
  readonly gone: boolean;
  readonly fake: boolean;
  readonly debtSerials: readonly string[] | null;
  readonly debtClearedAt: Date | null;
  /** The reclamation that cleared the debt, or until then the newest that the release began. */
  readonly reclamationId: string | null;
  readonly stopped: boolean;
  readonly ended: boolean;
  /** The erase no longer counts and is repeated (docs/adr/0020-a-boot-is-proven.md). */
  readonly voided: boolean;
  readonly planEpoch: number | null;
  readonly devices: unknown;
  /** What the reclamation proved: `domain/assurance/standing.ts`; null: it is open. */
  readonly standing: string | null;
}

/** Null if there is no such instance. */
export async function readReturn(database: Database, instanceId: string): Promise<Return | null> {
  const [row] = await queryRows(
    database,
    sql<Return>`
    SELECT i.host_id::text AS "hostId", r.state AS "hostState", h.id IS NULL AS gone, coalesce(h.hardware_type, g.hardware_type) IS NOT DISTINCT FROM 'fake' AS fake,
      settling.drive_serials AS "debtSerials", settling.cleared_at AS "debtClearedAt", c.id::text AS "reclamationId", c.stopped_at IS NOT NULL AS stopped,
      c.ended_at IS NOT NULL AS ended, c.plan_epoch AS "planEpoch", c.devices, c.standing,
      coalesce(c.outcome IS NULL AND r.reclamation_id = c.id AND r.context #> '{cleaning,voided}' IS NOT NULL, false) AS voided
    FROM instance i LEFT JOIN host_run r ON r.host_id = i.host_id LEFT JOIN host h ON h.id = i.host_id
      LEFT JOIN LATERAL (SELECT * FROM gone_host g WHERE g.host_id = i.host_id ORDER BY g.gone_at DESC, g.id DESC LIMIT 1) g ON true
      ${settlingOfInstance}
      LEFT JOIN reclamation c ON c.id = settling.id
    WHERE i.id = ${instanceId}::uuid`,
  );
  return row ?? null;
}

/** The results of its newest plan in order of creation, and the progress of running steps. */
export async function readErases(database: Database, reclamationId: string, planEpoch: number) {
  const [results, running] = await Promise.all([
    database.deviceResult.findMany({
      where: { reclamationId, planEpoch },
      orderBy: { id: "asc" },
      select: {
        serial: true,
        model: true,
        media: true,
        technique: true,
        level: true,
        standard: true,
        techniqueTable: true,
        verdict: true,
        report: true,
        at: true,
      },
    }),
    database.stepRun.findMany({
      where: { reclamationId, planEpoch, status: "running", proves: { has: "storageSanitized" } },
      select: { attempts: { orderBy: { attempt: "desc" }, take: 1, select: { progress: true } } },
    }),
  ]);
  return { results, progress: running.flatMap(({ attempts }) => attempts.map(({ progress }) => progress)) };
}

/** Keyed by name. */
export async function readGateStatuses(
  database: Database,
  reclamationId: string,
): Promise<ReadonlyMap<string, string>> {
  const rows = await database.gate.findMany({
    where: { reclamationId },
    select: { gate: true, status: true, reason: true },
  });
  return new Map(rows.map(({ gate, status, reason }) => [gate, statusAsOfNow(status, reason) ?? status]));
}

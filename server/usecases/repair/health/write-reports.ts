// All changes of health reports go through this file, whoever reports, and in any transaction, such as that of a release (docs/adr/0092-health.md).
import type { SqlReader } from "@/server/db/sql";
import { tellWithin } from "@/server/db/hot/signal";
import { acts, readActing } from "@/server/domain/repair/health/acting";
import type { ActingHealth } from "@/server/domain/repair/health/acting";
import { changeReport, touchedBy } from "@/server/domain/repair/health/change-report";
import type { Changed, KeptReport, ReportChange } from "@/server/domain/repair/health/change-report";
import { foldHealth } from "@/server/domain/repair/health/fold";
import type { FoldedHealth } from "@/server/domain/repair/health/fold";
import { onlineRepairMessages } from "@/server/domain/repair/online-repair";
import { touchUnallocated } from "@/server/usecases/hosts/maintenance/maintenance";
import {
  deleteReport,
  lockHealth,
  readReports,
  renewFolded,
  renewReport,
  storeActing,
  storeChange,
  storeFolded,
  storeReport,
} from "@/server/usecases/repair/health/stored-reports";
import type { HealthLock } from "@/server/usecases/repair/health/stored-reports";
import { tellOnlineRepair } from "@/server/usecases/repair/repair-status";
import { done, notFound, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

export interface Author {
  /** As shown in the history. */
  readonly name: string;
  readonly reason: string | null;
  /** What the tenant reads if the change ends the online repair of its machine; by default, that the repair is completed. */
  readonly repairEnded?: string;
}

export interface Written {
  /** Whether there is a line of history. False if nothing changed, except perhaps messages of sources. */
  readonly news: boolean;
  readonly level: FoldedHealth["level"];
}

/** What decisions depend on: which alerts act, by whom, and how. Messages are for people only. */
const meaningOf = (health: ActingHealth | null): string =>
  JSON.stringify(
    health === null
      ? null
      : [
          health.classifications,
          health.more,
          health.repair,
          health.alerts.map(({ id, target, classifications }) => [id, target, classifications]),
        ],
  );

async function writeActing(
  tx: SqlReader,
  hostId: string,
  lock: HealthLock,
  acting: ActingHealth | null,
): Promise<boolean> {
  const before = readActing(lock.acting);
  const wake = meaningOf(before) !== meaningOf(acting);
  if (wake || JSON.stringify(before) !== JSON.stringify(acting))
    await storeActing(tx, hostId, acting, {
      wake,
      prevented: acts(before, "PreventAllocations"),
      prevents: acts(acting, "PreventAllocations"),
    });
  return wake;
}

const tenantMessages = (reports: readonly KeptReport[]): string =>
  JSON.stringify(reports.flatMap(({ alerts }) => alerts.map(({ tenantMessage }) => tenantMessage)));

const repairMessage = (begun: boolean, { repairEnded }: Author): string =>
  begun ? onlineRepairMessages.begun : (repairEnded ?? onlineRepairMessages.completed);

async function storeOne(
  tx: SqlReader,
  hostId: string,
  change: ReportChange,
  changed: Extract<Changed, { ok: true }>,
  { name, reason }: Author,
): Promise<boolean> {
  const { now, displaced, same } = changed;
  if (same) {
    if (now !== null) await renewReport(tx, hostId, now);
    return false;
  }
  // A person's reason is always recorded, whatever the change.
  const news = changed.news || reason !== null;
  for (const { source, mode } of displaced) {
    await deleteReport(tx, hostId, { source, mode });
    await storeChange(tx, hostId, { source, mode, kind: "removed", body: null, by: name, reason });
  }
  if (now === null) await deleteReport(tx, hostId, change);
  else await storeReport(tx, hostId, now);
  if (news)
    await storeChange(tx, hostId, {
      source: change.source,
      mode: change.mode,
      kind: change.kind,
      body: now,
      by: name,
      reason,
    });
  return news;
}

/**
 * Changes reports of one host, all or none, with everything derived from them: the row that lists read, what decisions depend on, and allocation. Wakes the
 * controller and updates open pages. A refusal rolls back the caller's transaction.
 */
export async function writeReports(
  tx: SqlReader,
  hostId: string,
  changes: readonly ReportChange[],
  author: Author,
): Promise<Outcome<Written>> {
  const lock = await lockHealth(tx, hostId);
  if (lock === null) return notFound("host", hostId);
  const before: readonly KeptReport[] = await readReports(tx, hostId);
  let reports = before;
  let news = false;
  let same = true;
  for (const change of changes) {
    const changed = changeReport(reports, change, author.name, lock.nowMs);
    if (!changed.ok) return refused(changed.code, changed.detail);
    if (await storeOne(tx, hostId, change, changed, author)) news = true;
    same &&= changed.same;
    reports = changed.reports;
  }
  const folded = foldHealth(reports);
  await (same ? renewFolded : storeFolded)(tx, hostId, folded);
  // Before allocation is decided: a host that somebody worked on is read again first.
  const touched = touchedBy(before, reports);
  // safety: health: what was worked on is read again
  if (touched !== null) await touchUnallocated(tx, [hostId], touched);
  const wake = await writeActing(tx, hostId, lock, folded.acting);
  const repaired = folded.acting?.onlineRepair === true;
  const turned = repaired !== (readActing(lock.acting)?.onlineRepair === true);
  if (turned) await tellOnlineRepair(tx, hostId, repaired, repairMessage(repaired, author));
  if (news)
    await tellWithin(tx, {
      wake: wake || touched !== null,
      feed: [
        {
          hostId,
          tenantId: turned || tenantMessages(before) !== tenantMessages(reports) ? lock.tenantId : null,
          what: "health",
        },
      ],
    });
  return done({ news, level: folded.level });
}

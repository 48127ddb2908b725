// Whether a clean host waits for a repair tenant (docs/repair.md#the-repair-tenant).
import { isWork } from "@/server/domain/repair/health/acting";
import type { ActingHealth } from "@/server/domain/repair/health/acting";
import { storedBody } from "@/server/domain/repair/health/report";
import type { Alert, Report } from "@/server/domain/repair/health/report";
import { healthTemplates } from "@/server/domain/repair/health/templates";

/** The alerts that request a repair, by the source whose report a repair tenant's release removes (server/domain/repair/completion.ts). */
const asking: Readonly<Record<string, string>> = Object.fromEntries(
  [healthTemplates["tenant-reported-issue"], healthTemplates["request-repair"]].map(({ source, alert }) => [
    source,
    alert.id,
  ]),
);
const repairAlerts: readonly string[] = Object.values(asking);
/** The sources whose reports request a repair. */
export const repairSources: readonly string[] = Object.keys(asking);

const blocking = ({ alerts }: Report): readonly Alert[] =>
  alerts.filter(({ classifications }) => classifications.includes("PreventAllocations"));

/** The alerts of a report that request a repair; none for other sources. Pure. */
export function askingAlerts(report: Report): readonly Alert[] {
  const id = report.mode === "merge" && Object.hasOwn(asking, report.source) ? asking[report.source] : null;
  return blocking(report).filter((alert) => alert.id === id);
}

/**
 * Whether the host is waiting for a repair: a report keeps it out of allocation which a repair tenant's release will remove (so that no repair is in vain),
 * and the provider is not working on it. The claim and the controller both use the result stored with the last report. Pure.
 */
export function asksForRepair(reports: readonly Report[]): boolean {
  // safety: repair: not while the provider works on it
  if (reports.some((report) => blocking(report).some(({ id }) => isWork(id)))) return false;
  return reports.some((report) => askingAlerts(report).length > 0);
}

/** Pure. */
export const waitsForRepair = (health: ActingHealth | null, maintenance: boolean): boolean =>
  !maintenance && health?.repair === true;

/** The shown alerts that request a repair. They contain no names of people. Pure. */
export const repairRequests = (shown: unknown): readonly Alert[] =>
  (storedBody.safeParse(shown).data?.alerts ?? []).filter(({ id }) => repairAlerts.includes(id));

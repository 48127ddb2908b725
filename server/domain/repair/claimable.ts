// Whether a clean host waits for a repair tenant (docs/repair.md#the-repair-tenant).
import { isWork } from "@/server/domain/health/acting";
import type { ActingHealth } from "@/server/domain/health/acting";
import { storedBody } from "@/server/domain/health/report";
import type { Alert, Report } from "@/server/domain/health/report";
import { healthTemplates } from "@/server/domain/health/templates";

/** The alerts that ask for a repair, by the source whose report a repair tenant's release removes (server/domain/repair/completion.ts). */
const asking: Readonly<Record<string, string>> = Object.fromEntries(
  [healthTemplates["tenant-reported-issue"], healthTemplates["request-repair"]].map(({ source, alert }) => [
    source,
    alert.id,
  ]),
);
const repairAlerts: readonly string[] = Object.values(asking);
/** The sources whose reports ask for a repair. */
export const repairSources: readonly string[] = Object.keys(asking);

const blocking = ({ alerts }: Report): readonly Alert[] =>
  alerts.filter(({ classifications }) => classifications.includes("PreventAllocations"));

/** Of a report, the alerts for which its host is repaired: none of another source's. Pure. */
export function askingAlerts(report: Report): readonly Alert[] {
  const id = report.mode === "merge" && Object.hasOwn(asking, report.source) ? asking[report.source] : null;
  return blocking(report).filter((alert) => alert.id === id);
}

/**
 * Whether a repair is what the host waits for: a report keeps it out that a repair tenant's release takes away, so that none is repaired in vain, and
 * the provider is not at it. The claim and the controller both read what this said when the last report was written. Pure.
 */
export function asksForRepair(reports: readonly Report[]): boolean {
  // safety: repair: not while the provider works on it
  if (reports.some((report) => blocking(report).some(({ id }) => isWork(id)))) return false;
  return reports.some((report) => askingAlerts(report).length > 0);
}

/** Pure. */
export const waitsForRepair = (health: ActingHealth | null, maintenance: boolean): boolean =>
  !maintenance && health?.repair === true;

/** Of what is shown of a host's health, the alerts that ask for a repair. Nobody is named in them. Pure. */
export const repairRequests = (shown: unknown): readonly Alert[] =>
  (storedBody.safeParse(shown).data?.alerts ?? []).filter(({ id }) => repairAlerts.includes(id));

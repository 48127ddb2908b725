// Whether a clean host waits for a repair tenant (docs/repair.md#the-repair-tenant).
import type { ActingHealth } from "@/server/domain/health/acting";
import { storedBody } from "@/server/domain/health/report";
import type { Alert } from "@/server/domain/health/report";
import { healthTemplates } from "@/server/domain/health/templates";

/** Alerts that ask for a repair. */
const repairAlerts: readonly string[] = [
  healthTemplates["tenant-reported-issue"].alert.id,
  healthTemplates["request-repair"].alert.id,
];
/** Under these the provider works on the host itself. */
const providers: readonly string[] = ["Maintenance", "HostUpdateInProgress"];

/** A repair alert keeps it out, and the provider is not at it. What is not known of further alerts counts as the provider's. Pure. */
export function waitsForRepair(health: ActingHealth | null, maintenance: boolean): boolean {
  if (health === null || maintenance || health.more > 0) return false;
  const blocking = health.alerts.filter(({ classifications }) =>
    classifications.includes("PreventAllocations"),
  );
  // safety: repair: not while the provider works on it
  if (blocking.some(({ id }) => providers.includes(id))) return false;
  return blocking.some(({ id }) => repairAlerts.includes(id));
}

/** Of what is shown of a host's health, the alerts that ask for a repair. Nobody is named in them. Pure. */
export const repairRequests = (shown: unknown): readonly Alert[] =>
  (storedBody.safeParse(shown).data?.alerts ?? []).filter(({ id }) => repairAlerts.includes(id));

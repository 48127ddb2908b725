// The row of a host's health that lists and pages read, derived from its reports (docs/adr/0092-health.md). Pure.
import { acts, foldActing } from "@/server/domain/repair/health/acting";
import type { ActingHealth } from "@/server/domain/repair/health/acting";
import { aggregate, shownAggregate } from "@/server/domain/repair/health/aggregate";
import type { Aggregate } from "@/server/domain/repair/health/aggregate";
import type { Report } from "@/server/domain/repair/health/report";
import { asksForRepair } from "@/server/domain/repair/claimable";
import { isOnlineRepair } from "@/server/domain/repair/online-repair";

/** `blocked`: an alert, shown or not, keeps the host out of allocation. */
export const healthLevels = ["healthy", "alerts", "blocked"] as const;
export type HealthLevel = (typeof healthLevels)[number];

export interface FoldedHealth {
  readonly level: HealthLevel;
  readonly alerts: number;
  readonly firstAlert: string | null;
  readonly alertIds: readonly string[];
  readonly classifications: readonly string[];
  readonly replacedBy: string | null;
  readonly paged: boolean;
  readonly shown: Aggregate;
  readonly acting: ActingHealth | null;
}

/** A blocking alert first, because a list has room for only one. */
const firstOf = ({ alerts }: Aggregate): string | null =>
  (alerts.find(({ classifications }) => classifications.includes("PreventAllocations")) ?? alerts[0])?.id ??
  null;

const repairsOf = (reports: readonly Report[]): Pick<ActingHealth, "repair" | "onlineRepair"> => ({
  ...(asksForRepair(reports) ? { repair: true } : {}),
  ...(isOnlineRepair(reports) ? { onlineRepair: true } : {}),
});

export function foldHealth(reports: readonly Report[]): FoldedHealth {
  const shown = shownAggregate(reports);
  const all = aggregate(reports);
  const acting = foldActing(
    reports.map(({ source }) => source),
    all,
    shown,
  );
  const classifications = [...new Set(shown.alerts.flatMap((alert) => alert.classifications))];
  return {
    level: acts(acting, "PreventAllocations") ? "blocked" : shown.alerts.length > 0 ? "alerts" : "healthy",
    alerts: shown.alerts.length,
    firstAlert: firstOf(shown) ?? (acts(acting, "PreventAllocations") ? firstOf(all) : null),
    alertIds: [...new Set(shown.alerts.map(({ id }) => id))],
    classifications,
    replacedBy: reports.find(({ mode }) => mode === "replace")?.source ?? null,
    paged:
      classifications.includes("PreventAllocations") && !classifications.includes("SuppressExternalAlerting"),
    shown,
    acting: acting === null ? null : { ...acting, ...repairsOf(reports) },
  };
}

/** How much attention a mark asks for. */
export const healthTones = ["neutral", "attention", "failed"] as const;

/** A host's health in a list, in a word or two. */
export function formatHealth({
  maintenance,
  health,
}: {
  readonly maintenance: boolean;
  readonly health: {
    readonly level: HealthLevel;
    readonly alerts: number;
    readonly firstAlert: string | null;
    readonly replaced: boolean;
  } | null;
}): { readonly words: string; readonly tone: (typeof healthTones)[number] } {
  const first = health?.firstAlert ?? null;
  const more = health === null || health.alerts < 2 ? "" : ` +${health.alerts - 1}`;
  if (health?.level === "blocked")
    return { words: `${first ?? "alert"}${more}${health.replaced ? ", hidden" : ""}`, tone: "failed" };
  if (maintenance) return { words: "maintenance", tone: "attention" };
  if (health === null) return { words: "–", tone: "neutral" };
  if (health.level === "alerts") return { words: `${first ?? "alert"}${more}`, tone: "attention" };
  return { words: health.replaced ? "healthy, replaced" : "healthy", tone: "neutral" };
}

// Who sees which repairs: the provider's people all, a repair tenant those at sites where it may claim exact hosts (docs/repair.md#what-a-repair-tenant-sees).
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { reachOf } from "@/server/domain/access/access";
import { roleTable } from "@/server/domain/access/roles";
import type { KeptReport } from "@/server/domain/repair/health/change-report";
import type { Alert } from "@/server/domain/repair/health/report";
import { repairSources } from "@/server/domain/repair/claimable";
import type { Actor } from "@/server/usecases/actor";
import { done, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

export type RepairScope =
  | { readonly kind: "all" }
  | { readonly kind: "tenant"; readonly tenantId: string; readonly siteIds: readonly string[] };

/** Whether a person sees the page Repair at all. */
export const mayRepair = (actor: Pick<Actor, "role" | "tenantId" | "targetedAt">): boolean =>
  reachOf(actor.role, "repair.read") === "any" &&
  (!roleTable[actor.role].ofTenant || (actor.targetedAt.length > 0 && actor.tenantId !== null));

export function repairScope(actor: Actor): Outcome<RepairScope> {
  if (reachOf(actor.role, "repair.read") !== "any")
    return refused("forbidden", `The role ${actor.role} may not do repair.read.`);
  if (!roleTable[actor.role].ofTenant) return done({ kind: "all" });
  // safety: repair: only a privileged tenant sees hosts to repair
  if (actor.targetedAt.length === 0 || actor.tenantId === null)
    return refused("forbidden", "Repairs need the capability targetedInstanceCreation.");
  return done({ kind: "tenant", tenantId: actor.tenantId, siteIds: actor.targetedAt });
}

/** Condition on a host `h`: at a site where the tenant may repair. */
export const atSites = (scope: RepairScope): RawBuilder<unknown> =>
  scope.kind === "all" ? sql`true` : sql`h.site_id = ANY(${[...scope.siteIds]}::uuid[])`;

/** Condition on `repair p`: the tenant's own. */
export const ownRepairs = (scope: RepairScope): RawBuilder<unknown> =>
  scope.kind === "all" ? sql`true` : sql`p.tenant_id = ${scope.tenantId}::uuid`;

/** Whether a report asks for a repair. */
export const isRepairReport = ({ source, mode }: Pick<KeptReport, "source" | "mode">): boolean =>
  mode === "merge" && repairSources.includes(source);

/** Text by the provider's people is hidden from tenants, unless it asks for a repair; null if hidden. */
export function visibleMessage(
  report: Pick<KeptReport, "source" | "mode" | "reportedBy">,
  { message }: Pick<Alert, "message">,
  scope: RepairScope,
): string | null {
  const bySource = report.reportedBy === `source ${report.source}` || report.reportedBy === "Reclaim";
  // safety: repair: an alert that a person wrote is not told
  if (scope.kind === "tenant" && !isRepairReport(report) && !bySource) return null;
  return message;
}

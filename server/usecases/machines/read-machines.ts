// Hosts as machines, as much of each as whoever asks may see (docs/security.md): the provider's people see all of every host, a tenant that
// may claim one exact host a summary of every host of the sites where it may, any other tenant the hosts that it holds.
import type { Database } from "@/server/db/prisma";
import { reachOf } from "@/server/domain/access/access";
import { repairRequests } from "@/server/domain/repair/claimable";
import { tenantAlert, tenantNotices } from "@/server/domain/health/tenant-alerts";
import { labelGrantRefusal } from "@/server/domain/access/tenant-grants";
import type { Actor } from "@/server/usecases/actor";
import { readMachines, readRecentStates } from "@/server/usecases/machines/machine-pages";
import type {
  MachineFilter,
  MachineOrder,
  MachineRow,
  MachineStateLine,
} from "@/server/usecases/machines/machine-pages";
import type { Page } from "@/server/usecases/page";
import { done, notFound, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

/** `summary`: every host of the sites, and the details of those that the tenant holds. `held`: those alone. */
export type MachineScope =
  | { readonly kind: "all" }
  | { readonly kind: "summary"; readonly tenantId: string | null; readonly siteIds: readonly string[] }
  | { readonly kind: "held"; readonly tenantId: string | null };

/** A host without what its reader may not see: that is null. */
export interface Machine extends Omit<MachineRow, "heldSince" | "stateSince"> {
  readonly updatedAt: Date;
  /** The newest states first. */
  readonly history: readonly MachineStateLine[];
}

const statesWithMachine = 50;
/** The id of no tenant. */
const nobody = "00000000-0000-0000-0000-000000000000";

export function machineScope({ role, targetedAt, tenantId }: Actor): MachineScope {
  if (reachOf(role, "host.list") === "any") return { kind: "all" };
  return targetedAt.length > 0 && reachOf(role, "host.summary") === "any"
    ? { kind: "summary", tenantId, siteIds: targetedAt }
    : { kind: "held", tenantId };
}

/** Who may list hosts at all. */
export const mayListMachines = (scope: MachineScope): Outcome<null> =>
  scope.kind === "held" ? refused("forbidden", "The tenant may not claim one exact host.") : done(null);

/** Who may read the serial numbers and network cards of hosts. */
export const mayReadMetadata = (scope: MachineScope): Outcome<null> =>
  scope.kind === "all" ? done(null) : refused("forbidden", "Only users of the provider may read metadata.");

/** Who else holds a host, and held it, is not for another tenant to see. */
const mayKnowTenant = ({ tenantId }: MachineRow, scope: MachineScope): boolean =>
  scope.kind === "all" || (tenantId !== null && tenantId === scope.tenantId);

/** Whether it may repair hosts of this one's site; one of another site it sees because it holds it. */
const repairs = ({ siteId }: MachineRow, scope: MachineScope): boolean =>
  scope.kind === "summary" && scope.siteIds.includes(siteId);

const mayKnowLabels = ({ siteId, tenantId }: MachineRow, scope: MachineScope): boolean =>
  labelGrantRefusal(
    scope.kind === "all"
      ? null
      : { tenantId: scope.tenantId, targetedAt: scope.kind === "summary" ? scope.siteIds : [] },
    { siteId, heldBy: tenantId },
  ) === null;

/** The part of all hosts that is in the scope. Whoever belongs to no tenant holds none. */
function scopeFilter(scope: MachineScope): Pick<MachineFilter, "heldBy" | "orAtSites"> {
  if (scope.kind === "all") return {};
  const heldBy = scope.tenantId ?? nobody;
  return scope.kind === "held" ? { heldBy } : { heldBy, orAtSites: scope.siteIds };
}

/** A tenant reads what happened since its own instance was created, and nothing of a host that it does not hold. */
const readHistory = (database: Database, rows: readonly MachineRow[], scope: MachineScope) =>
  readRecentStates(
    database,
    rows
      .filter((row) => mayKnowTenant(row, scope))
      .map(({ id, heldSince }) => ({ hostId: id, since: scope.kind === "all" ? null : heldSince })),
    statesWithMachine,
  );

/** What they say to tenants, and to one that repairs what asks for a repair, as it was written; nothing else. Null: nothing. */
function forTenant(
  { health, tenantId }: Pick<MachineRow, "health" | "tenantId">,
  known: boolean,
  mayRepair: boolean,
) {
  const isIts = known && tenantId !== null;
  const asking = mayRepair ? repairRequests(health) : [];
  if (!isIts && asking.length === 0) return null;
  const notices = (isIts ? tenantNotices(health) : []).map(({ message, since }) => ({
    id: tenantAlert,
    target: null,
    inAlertSince: since.toISOString(),
    message,
    tenantMessage: message,
    classifications: [],
  }));
  return { successes: [], alerts: [...asking, ...notices] };
}

function visible(
  { heldSince: _heldSince, stateSince, ...row }: MachineRow,
  known: boolean,
  isProvider: boolean,
  mayRepair: boolean,
  labelsKnown: boolean,
): Omit<Machine, "history"> {
  return {
    ...row,
    instanceId: known ? row.instanceId : null,
    tenantId: known ? row.tenantId : null,
    serial: isProvider ? row.serial : null,
    labels: labelsKnown ? row.labels : null,
    // Of a host that it holds a tenant reads what is said to it; a source's own words are the provider's.
    health: isProvider ? row.health : forTenant(row, known, mayRepair),
    healthObservedAt: isProvider || (known && row.tenantId !== null) ? row.healthObservedAt : null,
    maintenanceReason: isProvider && row.maintenance ? row.maintenanceReason : null,
    // When it changed last would tell of another tenant's use.
    updatedAt: known || row.tenantId === null ? stateSince : row.createdAt,
  };
}

async function machinesOf(
  database: Database,
  rows: readonly MachineRow[],
  scope: MachineScope,
): Promise<readonly Machine[]> {
  const states = await readHistory(database, rows, scope);
  return rows.map((row) => ({
    ...visible(
      row,
      mayKnowTenant(row, scope),
      scope.kind === "all",
      repairs(row, scope),
      mayKnowLabels(row, scope),
    ),
    history: states.filter(({ hostId }) => hostId === row.id),
  }));
}

/** @param filter null: it fits no host */
export async function listMachines(
  database: Database,
  scope: MachineScope,
  filter: Omit<MachineFilter, "heldBy" | "orAtSites"> | null,
  page: Page<MachineOrder>,
): Promise<Outcome<{ readonly rows: readonly Machine[]; readonly total: number }>> {
  const may = mayListMachines(scope);
  if (!may.ok) return may;
  if (filter === null) return done({ rows: [], total: 0 });
  // Whose hosts they are is not for another tenant to find out, not by a filter either.
  const tenantIds =
    scope.kind === "all" ? filter.tenantIds : filter.tenantIds?.filter((id) => id === scope.tenantId);
  const { rows, total } = await readMachines(
    database,
    { ...filter, ...scopeFilter(scope), tenantIds: tenantIds ?? null },
    page,
  );
  return done({ rows: await machinesOf(database, rows, scope), total });
}

/** One host that is in the scope. */
export async function getMachine(
  database: Database,
  scope: MachineScope,
  machineId: string,
): Promise<Outcome<Machine>> {
  const none = notFound("host", machineId);
  const filter = { ids: [machineId], ...scopeFilter(scope) };
  const page = { pageNumber: 1, pageSize: 1, orderBy: "ID_ASC" } as const;
  const [machine] = await machinesOf(database, (await readMachines(database, filter, page)).rows, scope);
  return machine === undefined ? none : done(machine);
}

// Hosts as machines, with as much detail as the reader may see (docs/security.md): the provider's people see everything, a tenant that may claim an
// exact host sees a summary of every host at the sites where it may, and any other tenant sees the hosts that it holds.
import type { Database } from "@/server/db/prisma";
import { reachOf } from "@/server/domain/access/access";
import { storedStanding } from "@/server/domain/assurance/standing";
import type { Standing } from "@/server/domain/assurance/standing";
import { repairRequests } from "@/server/domain/repair/claimable";
import { tenantAlert, tenantNotices } from "@/server/domain/repair/health/tenant-alerts";
import { labelGrantRefusal } from "@/server/domain/access/tenant-grants";
import type { Actor } from "@/server/usecases/actor";
import { readMachines, readRecentStates } from "@/server/usecases/hosts/machines/machine-pages";
import type {
  MachineFilter,
  MachineOrder,
  MachineRow,
  MachineStateLine,
} from "@/server/usecases/hosts/machines/machine-pages";
import type { Page } from "@/server/usecases/page";
import { done, notFound, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

/** `summary`: every host of the sites, with details of those that the tenant holds. `held`: only the latter. */
export type MachineScope =
  | { readonly kind: "all" }
  | { readonly kind: "summary"; readonly tenantId: string | null; readonly siteIds: readonly string[] }
  | { readonly kind: "held"; readonly tenantId: string | null };

/** A host in which members that the reader may not see are null. */
export interface Machine extends Omit<MachineRow, "heldSince" | "stateSince" | "standing" | "ports"> {
  /** Null: the reader may not know its addresses. */
  readonly ports: MachineRow["ports"] | null;
  /** Null also if it is not on record. */
  readonly standing: Standing | null;
  readonly updatedAt: Date;
  /** Newest states first. */
  readonly history: readonly MachineStateLine[];
}

const statesWithMachine = 50;
/** An id that no tenant has. */
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

/** Which other tenants hold or held a host is not disclosed. */
const mayKnowTenant = ({ tenantId }: MachineRow, scope: MachineScope): boolean =>
  scope.kind === "all" || (tenantId !== null && tenantId === scope.tenantId);

/** Whether the reader may repair hosts at this host's site; it sees hosts of other sites because it holds them. */
const repairs = ({ siteId }: MachineRow, scope: MachineScope): boolean =>
  scope.kind === "summary" && scope.siteIds.includes(siteId);

const mayKnowLabels = ({ siteId, tenantId }: MachineRow, scope: MachineScope): boolean =>
  labelGrantRefusal(
    scope.kind === "all"
      ? null
      : { tenantId: scope.tenantId, targetedAt: scope.kind === "summary" ? scope.siteIds : [] },
    { siteId, heldBy: tenantId },
  ) === null;

/** The part of all hosts within the scope. A reader without a tenant holds none. */
function scopeFilter(scope: MachineScope): Pick<MachineFilter, "heldBy" | "orAtSites"> {
  if (scope.kind === "all") return {};
  const heldBy = scope.tenantId ?? nobody;
  return scope.kind === "held" ? { heldBy } : { heldBy, orAtSites: scope.siteIds };
}

/** A tenant reads history since its own instance was created, and none for a host that it does not hold. */
const readHistory = (database: Database, rows: readonly MachineRow[], scope: MachineScope) =>
  readRecentStates(
    database,
    rows
      .filter((row) => mayKnowTenant(row, scope))
      .map(({ id, heldSince }) => ({ hostId: id, since: scope.kind === "all" ? null : heldSince })),
    statesWithMachine,
  );

/** What alerts say to tenants, and for a repair tenant the verbatim requests for repair; nothing else. Null if there is nothing. */
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
    ports: isProvider ? row.ports : null,
    // What is left of a tenant before is no business of the next: it has the receipts of its own returns.
    standing: isProvider ? storedStanding(row.standing) : null,
    labels: labelsKnown ? row.labels : null,
    // A tenant reads what is said to it about a host that it holds; a source's own words are for the provider.
    health: isProvider ? row.health : forTenant(row, known, mayRepair),
    healthObservedAt: isProvider || (known && row.tenantId !== null) ? row.healthObservedAt : null,
    // What is done to a host is the provider's business.
    runningStep: isProvider ? row.runningStep : null,
    maintenanceReason: isProvider && row.maintenance ? row.maintenanceReason : null,
    // The time of the last change would reveal another tenant's use.
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

/** @param filter null matches no host */
export async function listMachines(
  database: Database,
  scope: MachineScope,
  filter: Omit<MachineFilter, "heldBy" | "orAtSites"> | null,
  page: Page<MachineOrder>,
): Promise<Outcome<{ readonly rows: readonly Machine[]; readonly total: number }>> {
  const may = mayListMachines(scope);
  if (!may.ok) return may;
  if (filter === null) return done({ rows: [], total: 0 });
  // A tenant must not find out whose hosts they are, not even through a filter.
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

// Why a machine left the capacity of the provider or of a tenant, and why it came back (docs/repair.md#capacity). Pure.

/** Why a machine was added. */
export const addedReasons = [
  "new",
  "cleaned",
  "repaired",
  "maintenanceEnded",
  "healthCleared",
  "replacement",
  "backFromRepair",
] as const;
/** Why it was removed. */
export const removedReasons = [
  "cleaning",
  "failed",
  "repair",
  "maintenance",
  "health",
  "retired",
  "gone",
  "released",
] as const;
export const capacityReasons = [...addedReasons, ...removedReasons] as const;
export type CapacityReason = (typeof capacityReasons)[number];
type RemovedReason = (typeof removedReasons)[number];

/** Labels. */
export const capacityLabels = {
  new: "new capacity",
  cleaned: "cleaned and checked",
  repaired: "back from repair",
  maintenanceEnded: "maintenance ended",
  healthCleared: "allocation no longer blocked by an alert",
  replacement: "replaces another machine",
  backFromRepair: "the same machine, back from repair",
  cleaning: "being cleaned or checked",
  failed: "failed",
  repair: "to be repaired",
  maintenance: "maintenance",
  health: "an alert prevents its allocation",
  retired: "retired",
  gone: "has left the fleet",
  released: "released",
} satisfies Record<CapacityReason, string>;

export interface HostFacts {
  readonly state: string;
  readonly allocatable: boolean;
  readonly maintenance: boolean;
  /** An alert prevents its allocation. */
  readonly blocked: boolean;
  readonly retired: boolean;
  readonly instanceId: string | null;
  readonly tenantId: string | null;
}

/** What was seen of a host at the last check. */
export interface Seen {
  readonly inService: boolean;
  readonly reason: RemovedReason | null;
  /** It has been in service before. */
  readonly ever: boolean;
  readonly instanceId: string | null;
  readonly tenantId: string | null;
}

/** What else is known, about the tenant that had the machine and the one that has it now. */
export interface Stories {
  /** According to an open ticket of the previous holder, or because a repair system has it. */
  readonly repair: boolean;
  /** According to an open ticket of the instance that has left. */
  readonly tenantRepair: boolean;
  readonly repaired: boolean;
  /** A ticket of the tenant that has it now names it as the replacement for another machine. */
  readonly replacement: boolean;
  /** A ticket of that tenant about this same machine was closed as returned. */
  readonly returned: boolean;
}

/** A machine is in service if it can be given to a tenant or a tenant has it. `host` null: it no longer exists. */
export function standingOfHost(
  host: HostFacts | null,
  before: Seen | null,
  { repair }: Pick<Stories, "repair">,
): Seen {
  const ever = before?.ever ?? false;
  if (host === null) return { inService: false, reason: "gone", ever, instanceId: null, tenantId: null };
  const { instanceId, tenantId } = host;
  if (instanceId !== null || host.allocatable)
    return { inService: true, reason: null, ever: true, instanceId, tenantId };
  const reason: RemovedReason = host.retired
    ? "retired"
    : host.maintenance
      ? "maintenance"
      : host.state.startsWith("Failed/")
        ? "failed"
        : repair
          ? "repair"
          : host.blocked
            ? "health"
            : "cleaning";
  return { inService: false, reason, ever, instanceId: null, tenantId: null };
}

export interface CapacityChange {
  readonly direction: "added" | "removed";
  readonly reason: CapacityReason;
  /** Whose capacity; null: the provider's. */
  readonly tenantId: string | null;
  readonly instanceId: string | null;
}

/** The reason shown when a machine comes back, given the reason why it left. */
const cameBack: Record<RemovedReason, CapacityReason> = {
  cleaning: "cleaned",
  failed: "cleaned",
  repair: "repaired",
  maintenance: "maintenanceEnded",
  health: "healthCleared",
  retired: "cleaned",
  gone: "new",
  released: "cleaned",
};

/** The changes to report, removals first. */
export function capacityChanges(before: Seen | null, now: Seen, stories: Stories): readonly CapacityChange[] {
  const was = before ?? { inService: false, reason: null, ever: false, instanceId: null, tenantId: null };
  const changes: CapacityChange[] = [];
  if (was.instanceId !== null && was.instanceId !== now.instanceId)
    changes.push({
      direction: "removed",
      reason: stories.tenantRepair ? "repair" : "released",
      tenantId: was.tenantId,
      instanceId: was.instanceId,
    });
  if (was.inService && !now.inService)
    changes.push({
      direction: "removed",
      reason: now.reason ?? "cleaning",
      tenantId: null,
      instanceId: null,
    });
  if (!was.inService && now.inService)
    changes.push({
      direction: "added",
      reason: !was.ever ? "new" : stories.repaired ? "repaired" : cameBack[was.reason ?? "cleaning"],
      tenantId: null,
      instanceId: null,
    });
  if (now.instanceId !== null && now.instanceId !== was.instanceId)
    changes.push({
      direction: "added",
      reason: stories.replacement ? "replacement" : stories.returned ? "backFromRepair" : "new",
      tenantId: now.tenantId,
      instanceId: now.instanceId,
    });
  // A tenant's change names the tenant. One without a tenant is not reported to anybody.
  return changes.filter(({ tenantId, instanceId }) => (tenantId === null) === (instanceId === null));
}

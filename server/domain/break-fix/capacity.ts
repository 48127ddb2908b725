// Why a machine left the capacity of the provider or of a tenant, and why it came back (docs/repair.md#capacity). Pure.

/** Why a machine is there. */
export const addedReasons = [
  "new",
  "cleaned",
  "repaired",
  "maintenanceEnded",
  "healthCleared",
  "replacement",
  "backFromRepair",
] as const;
/** Why it is not. */
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

/** What people read. */
export const capacityWords = {
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

/** How a host stood when it was last looked at. */
export interface Seen {
  readonly inService: boolean;
  readonly reason: RemovedReason | null;
  /** It has been in service at some time. */
  readonly ever: boolean;
  readonly instanceId: string | null;
  readonly tenantId: string | null;
}

/** What is known besides: of the tenant that had the machine, and of the one that has it. */
export interface Stories {
  /** An open ticket of who had the machine last says so, or a repair system has it. */
  readonly repair: boolean;
  /** An open ticket of the instance that has left says so. */
  readonly tenantRepair: boolean;
  readonly repaired: boolean;
  /** A ticket of the tenant that has it now names it as the machine that takes another's place. */
  readonly replacement: boolean;
  /** A ticket of that tenant about this very machine was closed as returned. */
  readonly returned: boolean;
}

/** A machine is in service where it can be given to a tenant, or a tenant has it. `host` null: it is not there any more. */
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

/** A repair ends as an alert that is cleared: what it was for says more. */
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

/** What is to be told: first what left. */
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
  // A tenant's change names the tenant; one without is not told to anybody.
  return changes.filter(({ tenantId, instanceId }) => (tenantId === null) === (instanceId === null));
}

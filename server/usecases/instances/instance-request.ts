// What this person may do with an instance now, and why not, for its row (docs/instances.md).
import { reachOf } from "@/server/domain/access/access";
import { roleTable } from "@/server/domain/access/roles";
import { quietFacts, releaseRefusal } from "@/server/domain/lifecycle/intents";
import type { StoredState } from "@/server/domain/lifecycle/states";
import { onlineRepairLabels, onlineRepairOf } from "@/server/domain/repair/online-repair";
import type { InstanceRow, InstanceStatus } from "@/server/contract/instances/instances-answers";
import type { Actor } from "@/server/usecases/actor";
import { readLabels } from "@/server/usecases/instances/labels";

/** An instance with the facts of its host. */
interface InstanceContext {
  readonly labels: unknown;
  readonly ended_at: Date | null;
  readonly release_requested_at: Date | null;
  readonly deletion_prevented: boolean;
  readonly online_repair: boolean;
  /** The report for the online repair. */
  readonly repair_report: unknown;
}

/** The online repair that the tenant asked for, while it lasts; and whether this person may start or end one. */
export function repairOf(
  row: InstanceContext,
  status: InstanceStatus,
  actor: Actor,
): InstanceRow["onlineRepair"] {
  const told = row.online_repair && row.ended_at === null ? onlineRepairOf(row.repair_report) : null;
  const deletion = readLabels(row.labels)[onlineRepairLabels.deletion];
  const active =
    told === null ? null : { ...told, allowDeletion: deletion === undefined ? null : deletion === "true" };
  const reason =
    reachOf(actor.role, "instance.release") === "none"
      ? `the role ${roleTable[actor.role].words} cannot request repairs`
      : active !== null || status === "Ready"
        ? null
        : "only an instance that is Ready can be repaired while its tenant keeps it";
  return { active, allowed: reason === null, reason };
}

/** Whether this person may edit name, description and labels. */
export function editable(row: InstanceContext, actor: Actor): InstanceRow["edit"] {
  if (reachOf(actor.role, "instance.edit") === "none")
    return { allowed: false, reason: "only its tenant can change its name and labels" };
  return row.ended_at === null ? { allowed: true, reason: null } : { allowed: false, reason: "it has ended" };
}

/** Whether this person may release it, by the same rule as the act. */
export function releasable(
  row: InstanceContext,
  state: StoredState | null,
  actor: Actor,
): InstanceRow["release"] {
  if (reachOf(actor.role, "instance.release") === "none")
    return { allowed: false, reason: `the role ${roleTable[actor.role].words} cannot release instances` };
  if (row.ended_at !== null) return { allowed: false, reason: "it has ended" };
  if (row.release_requested_at !== null)
    return { allowed: false, reason: "its release was already accepted" };
  if (state === null) return { allowed: false, reason: "its host no longer exists" };
  const facts = {
    ...quietFacts(state),
    instanceOpen: true,
    deletionPrevented: row.deletion_prevented,
    onlineRepair: row.online_repair,
  };
  const reason = releaseRefusal(facts, actor.role);
  return { allowed: reason === null, reason };
}

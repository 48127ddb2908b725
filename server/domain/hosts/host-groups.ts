// Groups of hosts on the fleet page and in the saved views. Each host is in exactly one.
import { describeState } from "@/server/domain/lifecycle/state-table";
import { allStates, isFailed, topLevel } from "@/server/domain/lifecycle/states";
import type { StoredState, UnknownState } from "@/server/domain/lifecycle/states";

export const hostGroups = [
  "ready",
  "provider",
  "working",
  "waiting",
  "overLimit",
  "failed",
  "inUse",
] as const;
export type HostGroup = (typeof hostGroups)[number];

/** The group of a state within its limit. */
function groupWithinLimit(state: StoredState): Exclude<HostGroup, "overLimit"> {
  if (isFailed(state)) return "failed";
  if (state === "Ready") return "ready";
  if (
    state === "Assigned/Ready" ||
    state === "Assigned/WaitingForNetworkConfig" ||
    state === "Assigned/WaitingForRebootToReady"
  )
    return "inUse";
  const top = topLevel(state);
  if (
    top === "Enroll" ||
    top === "Verifying" ||
    top === "Manageable" ||
    top === "ManualCleaning" ||
    top === "Decommissioning" ||
    top === "Decommissioned" ||
    top === "ForceDeletion"
  )
    return "provider";
  const { tone } = describeState(state);
  return tone === "waiting" || tone === "attention" ? "waiting" : "working";
}

/** A failed host counts as failed and never also as over its limit, so that the counts add up. Pure. */
export function hostGroup(state: StoredState, limitPassed: boolean): HostGroup {
  const group = groupWithinLimit(state);
  return limitPassed && group !== "failed" ? "overLimit" : group;
}

/** The states of a group while within their limit. @param others states of another release in which there are hosts (ADR 24) */
export function statesOfGroup(
  group: Exclude<HostGroup, "overLimit">,
  others: readonly UnknownState[] = [],
): readonly StoredState[] {
  return [...allStates(), ...others].filter((state) => groupWithinLimit(state) === group);
}

/** Sets of groups, which a person selects with `is:`. */
export const hostSets = {
  needPerson: { words: "Need attention", groups: ["failed", "overLimit"] },
  comingBack: { words: "Coming back", groups: ["working", "waiting"] },
  overLimit: { words: "Over limit", groups: ["overLimit"] },
  ready: { words: "Ready", groups: ["ready"] },
  inUse: { words: "In use", groups: ["inUse"] },
  provider: { words: "Enrolled or manageable", groups: ["provider"] },
  working: { words: "Working", groups: ["working"] },
  waiting: { words: "Waiting", groups: ["waiting"] },
  failed: { words: "Failed", groups: ["failed"] },
} as const satisfies Record<string, { words: string; groups: readonly HostGroup[] }>;
export type HostSetName = keyof typeof hostSets;

export const hostSetNames = Object.keys(hostSets).filter((name): name is HostSetName =>
  Object.hasOwn(hostSets, name),
);

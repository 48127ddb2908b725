// What is stored of a repair, and when a host counts as repaired too often (docs/repair.md#the-page-repair).
import { repairStatus } from "@/server/domain/repair/completion";
import type { HostLabels } from "@/server/domain/hosts/labels/host-labels";

/** A host repaired this often within this many days is a repeat offender. The outcomes cover the same number of days. */
export const repeatRule = { repairs: 3, days: 30 } as const;

/** @param repairs ended within the days of the rule. Pure. */
export const isRepeatOffender = (repairs: number): boolean => repairs >= repeatRule.repairs;

/** How a repair ended, according to the host's label at that time. `none`: the label said neither. */
export const repairOutcomes = ["completed", "failed", "none"] as const;
export type RepairOutcome = (typeof repairOutcomes)[number];

/** Who repaired: a tenant with its instance, or an external system with its lease. */
export const repairers = ["tenant", "system"] as const;

/** What a repair tenant can note about a repair, as label values. */
export const notedOutcomes = ["InProgress", "Completed", "Failed"] as const;

/** What an external repair system states when it returns a host. It becomes the label. `Unknown` is not an outcome. */
export const statedOutcomes = ["Completed", "Failed", "Unknown"] as const;
export type StatedOutcome = (typeof statedOutcomes)[number];

/** The other labels of a repair. A claim removes those of an earlier repair. */
export const noteLabels = { ticket: "repair_ticket", summary: "repair_summary" } as const;

export interface RepairNote {
  readonly outcome: RepairOutcome;
  readonly ticket: string | null;
  readonly summary: string | null;
}

const textOf = (text: string | undefined): string | null =>
  text === undefined || text.trim() === "" ? null : text;

/** What a host's labels say about its repair. Pure. */
export function repairNote(labels: HostLabels): RepairNote {
  const status = repairStatus(labels);
  return {
    outcome: status === "Completed" ? "completed" : status === "Failed" ? "failed" : "none",
    ticket: textOf(labels[noteLabels.ticket]),
    summary: textOf(labels[noteLabels.summary]),
  };
}

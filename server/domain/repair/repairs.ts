// What is kept of a repair, and when a host was repaired too often (docs/repair.md#the-page-repair).
import { repairStatus } from "@/server/domain/repair/completion";
import type { HostLabels } from "@/server/domain/labels/host-labels";

/** A host that was repaired so often within so many days is a repeat offender. The same days are those of the outcomes. */
export const repeatRule = { repairs: 3, days: 30 } as const;

/** @param repairs that ended within the days of the rule. Pure. */
export const isRepeatOffender = (repairs: number): boolean => repairs >= repeatRule.repairs;

/** How a repair ended, by the label of its host at that moment. `none`: it said neither. */
export const repairOutcomes = ["completed", "failed", "none"] as const;
export type RepairOutcome = (typeof repairOutcomes)[number];

/** Who repaired: a tenant by its instance, or a system outside by its lease. */
export const repairers = ["tenant", "system"] as const;

/** What a repair tenant notes of a repair, as the label says it. */
export const notedOutcomes = ["InProgress", "Completed", "Failed"] as const;

/** What a repair system outside says when it returns a host; the label says it from then on. `Unknown` is no outcome. */
export const statedOutcomes = ["Completed", "Failed", "Unknown"] as const;
export type StatedOutcome = (typeof statedOutcomes)[number];

/** The other labels of a repair; a claim takes away what an earlier one left. */
export const noteLabels = { ticket: "repair_ticket", summary: "repair_summary" } as const;

export interface RepairNote {
  readonly outcome: RepairOutcome;
  readonly ticket: string | null;
  readonly summary: string | null;
}

const textOf = (text: string | undefined): string | null =>
  text === undefined || text.trim() === "" ? null : text;

/** What the labels of a host say of its repair. Pure. */
export function repairNote(labels: HostLabels): RepairNote {
  const status = repairStatus(labels);
  return {
    outcome: status === "Completed" ? "completed" : status === "Failed" ? "failed" : "none",
    ticket: textOf(labels[noteLabels.ticket]),
    summary: textOf(labels[noteLabels.summary]),
  };
}

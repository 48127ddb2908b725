// Labels for self-audits: their stages, and what they covered.
import { formatCounted } from "@/components/ui/format/numbers";
import type { SelfAuditLine } from "@/server/surfaces/trpc/types";
import { checkStages, type CheckStage } from "@/server/domain/audit-log/self-audit/self-audit";

const stages = {
  log: "audit log",
  transitions: "state transitions",
  tenancies: "hosts and instances",
  reclamations: "histories of reclamations",
} satisfies Record<CheckStage, string>;

/** A stage that this release does not know is shown by its name. */
export function stageText(stage: string): string {
  const known = checkStages.find((each) => each === stage);
  return known === undefined ? stage : stages[known];
}

export function coveredText({ events, covered }: SelfAuditLine): string {
  if (covered === null) return `${formatCounted(events, "event")} of the audit log alone`;
  const { hosts, transitions, reclamations, digests, undigested } = covered;
  return [
    formatCounted(events, "event"),
    formatCounted(hosts, "host"),
    formatCounted(transitions, "transition"),
    `${formatCounted(reclamations, "reclamation")}, ${digests} compared with digests`,
    ...(undigested === 0 ? [] : [`${undigested} ended before digests were logged and cannot be compared`]),
  ].join("; ");
}

export const resultText = ({ faults, open }: SelfAuditLine): string => {
  if (faults === 0) return "nothing wrong";
  const found = formatCounted(faults, "fault");
  return open === 0 ? `${found}, acknowledged` : open === faults ? found : `${found}, ${open} open`;
};

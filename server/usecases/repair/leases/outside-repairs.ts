// Repairs by external systems in the list of repairs: one for each ended lease (docs/repair.md#the-page-repair).
import type { RepairLine } from "@/server/contract/repair/answers";
import { leaseEnds } from "@/server/domain/repair/leases/lease";
import type { RepairScope } from "@/server/usecases/repair/repair-scope";

export interface OutsideColumns {
  readonly id: string;
  readonly system_name: string | null;
  readonly ticket: string | null;
  readonly summary: string | null;
  readonly issue_summary: string | null;
  readonly new_issue: string | null;
  readonly lease_end: string | null;
  readonly ended_by: string | null;
  readonly ended_reason: string | null;
}

/** The holder's last note, and who broke its lease. */
function noteOf({ summary, lease_end, ended_by, ended_reason }: OutsideColumns): string | null {
  if (lease_end !== "broken") return summary;
  const broken = `lease broken by ${ended_by ?? "nobody known"}: ${ended_reason ?? "no reason given"}`;
  return summary === null ? broken : `${summary}; ${broken}`;
}

/** A repair tenant reads that a system did a repair, when, and how it ended; notes are for the provider only. Pure. */
export function outsideFacts(
  row: OutsideColumns,
  scope: RepairScope,
): Omit<RepairLine, "hostId" | "host" | "claimedAt" | "releasedAt" | "outcome"> {
  const line = {
    id: row.id,
    by: "system" as const,
    tenant: null,
    leaseEnd: leaseEnds.find((known) => known === row.lease_end) ?? null,
  };
  // safety: repair: which system repaired, and what was said of it, is not told
  if (scope.kind === "tenant")
    return { ...line, system: null, ticket: null, note: null, issue: null, newIssue: null };
  return {
    ...line,
    system: row.system_name,
    ticket: row.ticket,
    note: noteOf(row),
    issue: { category: null, summary: row.issue_summary ?? "", details: "" },
    newIssue: row.new_issue,
  };
}

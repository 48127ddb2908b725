// Repairs by systems outside, as they stand among the earlier repairs of a host: one for each lease that ended (docs/repair.md#the-page-repair).
import type { RepairLine } from "@/server/contract/repair/answers";
import type { Database } from "@/server/db/prisma";
import { leaseEnds } from "@/server/domain/repair/lease";
import { mostOfHost } from "@/server/usecases/repair/repair-rows";
import type { RepairScope } from "@/server/usecases/repair/repair-scope";

interface EndedLease {
  readonly id: string;
  readonly systemName: string;
  readonly takenAt: Date;
  readonly endedAt: Date | null;
  readonly reason: string;
  readonly ticket: string | null;
  readonly note: string | null;
  readonly how: string | null;
  readonly endedBy: string | null;
  readonly endedReason: string | null;
}

/** What its holder said last, and who took the host away from it. */
function noteOf({ note, how, endedBy, endedReason }: EndedLease): string | null {
  if (how !== "broken") return note;
  const broken = `lease broken by ${endedBy ?? "nobody known"}: ${endedReason ?? "no reason given"}`;
  return note === null ? broken : `${note}; ${broken}`;
}

/** A repair tenant reads that a system repaired, when, and how that ended. What was said is the provider's. Pure. */
export function toOutsideLine(
  lease: EndedLease,
  place: Pick<RepairLine, "hostId" | "host">,
  scope: RepairScope,
): RepairLine {
  const line = {
    id: lease.id,
    ...place,
    by: "system" as const,
    tenant: null,
    claimedAt: lease.takenAt,
    releasedAt: lease.endedAt,
    outcome: null,
    leaseEnd: leaseEnds.find((known) => known === lease.how) ?? null,
    newIssue: null,
  };
  // safety: repair: which system repaired, and what was said of it, is not told
  if (scope.kind === "tenant") return { ...line, system: null, ticket: null, note: null, issue: null };
  return {
    ...line,
    system: lease.systemName,
    ticket: lease.ticket,
    note: noteOf(lease),
    issue: { category: null, summary: lease.reason, details: "" },
  };
}

/** The newest that ended. */
export const readEndedLeases = (database: Database, hostId: string): Promise<readonly EndedLease[]> =>
  database.repairLease.findMany({
    where: { hostId, endedAt: { not: null } },
    orderBy: [{ takenAt: "desc" }, { id: "desc" }],
    take: mostOfHost,
  });

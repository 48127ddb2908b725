// A short form of a reclamation, as pages show it.
import { storedStanding } from "@/server/domain/assurance/standing";
import type { ReclamationHead } from "@/server/contract/hosts/hosts-answers";

export const reclamationColumns = {
  id: true,
  number: true,
  kind: true,
  startedAt: true,
  limitAt: true,
  stoppedAt: true,
  stoppedCause: true,
  message: true,
  endedAt: true,
  outcome: true,
  standing: true,
  tenantId: true,
  instanceId: true,
  queuedAt: true,
  admittedAt: true,
  pausedMs: true,
  pausedAt: true,
  runbookName: true,
  bulkId: true,
} as const;

interface ReclamationRecord {
  readonly id: string;
  readonly number: bigint;
  readonly kind: string;
  readonly startedAt: Date;
  readonly limitAt: Date | null;
  readonly stoppedAt: Date | null;
  readonly stoppedCause: string | null;
  readonly message: string | null;
  readonly endedAt: Date | null;
  readonly outcome: string | null;
  readonly standing: string | null;
  readonly tenantId: string | null;
  readonly instanceId: string | null;
  readonly queuedAt: Date | null;
  readonly admittedAt: Date | null;
  readonly pausedMs: bigint;
  readonly pausedAt: Date | null;
  readonly runbookName: string | null;
  readonly bulkId: string | null;
}

/** @param tenantNames by id, because reclamations refer to tenants without a foreign key */
export function toReclamationHead(
  row: ReclamationRecord,
  tenantNames: ReadonlyMap<string, string>,
): ReclamationHead {
  const { tenantId, number, pausedMs, standing, ...rest } = row;
  return {
    ...rest,
    standing: row.endedAt === null ? null : (storedStanding(standing) ?? "notProven"),
    number: `R-${number}`,
    pausedMs: Number(pausedMs),
    tenantName: tenantId === null ? null : (tenantNames.get(tenantId) ?? null),
  };
}

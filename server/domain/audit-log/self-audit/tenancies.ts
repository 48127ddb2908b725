// Checks instances against reclamations: a Ready host has no tenant, and between two tenants there is a complete reclamation. Pure.
import { keyOf } from "@/server/domain/audit-log/self-audit/findings";
import type { Finding, FindingKind } from "@/server/domain/audit-log/self-audit/findings";

/** Timestamps of two processes may be out of order by up to this much. */
const slackMs = 60_000;

const finding = (kind: FindingKind, hostId: string, subject: string, says: string): Finding => ({
  kind,
  key: keyOf(kind, `${hostId}:${subject}`, says),
  hostId,
  reclamationId: null,
  says,
});

export interface ReadyHost {
  readonly hostId: string;
  readonly sinceMs: number;
  readonly instanceId: string | null;
  readonly tenantId: string | null;
  /** The open instance on it. */
  readonly open: { readonly id: string; readonly createdAtMs: number } | null;
  /** By the database's clock, read by the same statement. */
  readonly nowMs: number;
  /** A controller or a repair system holds the host. */
  readonly leased: boolean;
  /** The last instance on it, if it has ended; null: there was none, or it is open. */
  readonly last: { readonly id: string; readonly cleaned: boolean } | null;
}

/** A finding, because a host has at least the transition of its enrolment. */
export const withoutHistory = (hostId: string, state: string): Finding =>
  finding("stateHistory", hostId, "none", `is ${state}, and has no history`);

/** A controller reads a claim within seconds, but may lease the host for longer while the BMC answers slowly. */
const unreadForMs = 10 * 60_000;
const unreadWhileLeasedMs = 60 * 60_000;

/** After an instance has ended, the host becomes Ready through a reclamation that began with its end or later. */
export function uncleanedFindings({ hostId, last }: ReadyHost): readonly Finding[] {
  // safety: self-audit: a Ready host that was not cleaned after its last tenant is told of (always)
  if (last === null || last.cleaned) return [];
  const says = `is Ready, but no complete reclamation follows its last instance, ${last.id}`;
  return [finding("unprovenReady", hostId, "last", says)];
}

/** A claim creates its instance first, and the host leaves Ready when a controller reads the claim. Such an instance is younger than the Ready state. */
export function boundFindings({
  hostId,
  sinceMs,
  instanceId,
  tenantId,
  open,
  nowMs,
  leased,
}: ReadyHost): readonly Finding[] {
  const younger = open !== null && open.createdAtMs >= sinceMs - slackMs;
  const claimed = younger && nowMs - open.createdAtMs <= (leased ? unreadWhileLeasedMs : unreadForMs);
  const bound = open?.id ?? instanceId ?? tenantId;
  const agrees = instanceId === null ? tenantId === null || claimed : instanceId === open?.id;
  // safety: self-audit: a Ready host with a tenant is told of (always)
  if (bound === null || (claimed && agrees)) return [];
  return [finding("boundReady", hostId, bound, `is Ready, but ${formatBound()}`)];

  function formatBound(): string {
    if (open === null)
      return `its record still names ${instanceId === null ? `tenant ${tenantId}` : `instance ${instanceId}`}`;
    if (!younger) return `instance ${open.id} on it is older and has not ended`;
    return claimed
      ? `instance ${open.id} on it is not the one that its record names`
      : `no controller has read the claim of instance ${open.id}`;
  }
}

export interface NextInstance {
  readonly hostId: string;
  readonly id: string;
  readonly createdAtMs: number;
  readonly endedAtMs: number | null;
  /** A controller has read the claim: the tenant had the host or was about to get it. */
  readonly handed: boolean;
  /** The host's state now; null: it is gone. */
  readonly state: string | null;
  /** The previous instance on the same host; null: this is the first. */
  readonly before: {
    readonly id: string;
    readonly createdAtMs: number;
    readonly endedAtMs: number | null;
  } | null;
  /** Reclamations that began between the two instances. */
  readonly reclamations: readonly {
    readonly kind: string;
    readonly outcome: string | null;
    readonly endedAtMs: number | null;
  }[];
}

function whyNotBetween(next: NextInstance, before: NonNullable<NextInstance["before"]>): string | null {
  if (before.endedAtMs === null) return `while instance ${before.id} had not ended`;
  if (before.endedAtMs > next.createdAtMs + slackMs) return `before instance ${before.id} ended`;
  const endedMs = before.endedAtMs;
  const complete = next.reclamations.some(({ kind, outcome, endedAtMs }) => {
    if (kind === "recheck" || kind === "manualCleaning") return false;
    if (outcome === "ready")
      return endedAtMs !== null && endedAtMs >= endedMs && endedAtMs <= next.createdAtMs + slackMs;
    // The claim comes first; the reclamation ends when a controller reads it.
    if (outcome === "handedToRepair") return endedAtMs !== null && endedAtMs >= next.createdAtMs - slackMs;
    return outcome === null && next.endedAtMs === null && next.state === "ReturnToAllocation/AwaitingRepair";
  });
  // safety: self-audit: two tenants without a reclamation between are told of (always)
  return complete ? null : `after instance ${before.id} without a complete reclamation between`;
}

export function nextInstanceFindings(next: NextInstance): readonly Finding[] {
  // A claim that no controller has read gave the host to nobody. It may end because the host fails.
  const why = next.before === null || !next.handed ? null : whyNotBetween(next, next.before);
  if (why === null) return [];
  const says = `was given to instance ${next.id} ${why}`;
  return [finding("unprovenAssignment", next.hostId, `instance:${next.id}`, says)];
}

// Replays the transitions of hosts in the order of their versions: every path to Ready or to a tenant must include a complete reclamation. Pure.
import { storedState, topLevel } from "@/server/domain/lifecycle/states";
import { keyOf } from "@/server/domain/audit-log/self-audit/findings";
import type { Finding } from "@/server/domain/audit-log/self-audit/findings";
import { becameReady, handedOver, wasFake, whyUnproven } from "@/server/domain/audit-log/self-audit/proven";
import type { ReclamationFacts } from "@/server/domain/audit-log/self-audit/proven";

export interface TransitionRow {
  readonly hostId: string;
  readonly version: number;
  readonly state: string;
  readonly atMs: number;
  /** Of the commit that wrote it. Equal for all transitions of one commit, and higher in later ones. */
  readonly generation: number;
  readonly reclamationId: string | null;
  /** For states in `restsOnReclamation`; null for all others, and if the reclamation does not exist. */
  readonly reclamation: ReclamationFacts | null;
  /** The host as read by the same statement; null: it is gone. */
  readonly now: { readonly state: string; readonly version: number } | null;
}

/** States in which a host belongs to a tenant. The states of its release are not among them. */
export const tenantStates: ReadonlySet<string> = new Set([
  "Assigned/WaitingForNetworkConfig",
  "Assigned/WaitingForRebootToReady",
  "Assigned/Ready",
]);

/** States whose rows are read with their reclamation. */
export const restsOnReclamation = ["Ready", "Assigned/WaitingForNetworkConfig"] as const;

/** What the host last was: proven; clean and offered for repair; held by a tenant, until its reclamation cleans it; or none of these. */
type Phase = "unproven" | "ready" | "offered" | "held";

export interface Replayed {
  readonly last: TransitionRow;
  readonly phase: Phase;
  /** The generation in which a tenant last had it; -1: none had. */
  readonly heldIn: number;
  /** The generation since which its rows name the current reclamation. */
  readonly tripSince: number;
}

export interface Step {
  readonly next: Replayed;
  readonly findings: readonly Finding[];
}

const ofTransition = (
  kind: "stateHistory" | "unprovenReady" | "unprovenAssignment" | "missingCertificate",
  { hostId, version, reclamationId }: TransitionRow,
  says: string,
): Finding => ({ kind, key: keyOf(kind, `${hostId}:${version}`, says), hostId, reclamationId, says });

function phaseAfter(before: Phase, state: string): Phase {
  if (state === "Ready") return "ready";
  if (state === "ReturnToAllocation/AwaitingRepair") return "offered";
  if (tenantStates.has(state)) return "held";
  const held = before === "held" && ["Assigned", "Failed"].includes(topLevel(storedState(state)));
  return held ? "held" : "unproven";
}

/** A release begins a new reclamation, at the earliest in the commit of the tenant's last row (if it was released before anything read the claim). */
function sinceTenant({ heldIn, tripSince }: Replayed): string | null {
  // safety: self-audit: a reclamation from before the tenant proves nothing (always)
  return tripSince >= heldIn ? null : "its reclamation began before the last tenant had the host";
}

function readyFindings(at: Replayed): readonly Finding[] {
  const { last } = at;
  const { reclamation } = last;
  const why = whyUnproven(reclamation, last.hostId, last.atMs, becameReady) ?? sinceTenant(at);
  if (why !== null) return [ofTransition("unprovenReady", last, `became Ready, but ${why}`)];
  const without =
    reclamation?.certificateDue === true && reclamation.certificate === null && !wasFake(reclamation);
  return without ? [ofTransition("missingCertificate", last, "became Ready without a certificate")] : [];
}

function assignmentFindings(before: Phase | null, at: Replayed): readonly Finding[] {
  const { last } = at;
  // safety: self-audit: a tenant gets a proven host only (always)
  if (before === "ready" || before === "held") return [];
  const why =
    before === "offered"
      ? whyUnproven(last.reclamation, last.hostId, last.atMs, handedOver)
      : "it was not Ready before";
  return why === null ? [] : [ofTransition("unprovenAssignment", last, `was given to a tenant, but ${why}`)];
}

/** Replays the next transition of a host, or its first. */
export function replay(before: Replayed | null, row: TransitionRow): Step {
  const expected = (before?.last.version ?? 0) + 1;
  const missing = row.version - expected;
  // safety: self-audit: a transition that is missing is told of (empty)
  const gap = missing === 0 ? [] : [ofTransition("stateHistory", row, formatGap(missing, row.version))];
  const phase = phaseAfter(before?.phase ?? "unproven", row.state);
  const sameTrip = before !== null && before.last.reclamationId === row.reclamationId;
  const next: Replayed = {
    last: row,
    phase,
    heldIn: tenantStates.has(row.state) ? row.generation : (before?.heldIn ?? -1),
    tripSince: sameTrip ? before.tripSince : row.generation,
  };
  const judged =
    phase === "ready"
      ? readyFindings(next)
      : phase === "held" && tenantStates.has(row.state)
        ? assignmentFindings(before?.phase ?? null, next)
        : [];
  return { next, findings: [...gap, ...judged] };
}

const formatGap = (missing: number, version: number): string =>
  missing === 1
    ? `transition ${version - 1} is missing from the history`
    : `${missing} transitions before ${version} are missing from the history`;

/** Checks a host that has no further transition: it must be where its history ends. */
export function replayEnd({ last }: Replayed): readonly Finding[] {
  const { now, hostId, reclamationId } = last;
  // safety: self-audit: a host that is not where its history ends is told of (always)
  if (now === null || (now.version === last.version && now.state === last.state)) return [];
  const says = `is ${now.state} (version ${now.version}), but its history ends with ${last.state} (version ${last.version})`;
  const key = keyOf("stateHistory", `${hostId}:now`, says);
  return [{ kind: "stateHistory", key, hostId, reclamationId, says }];
}

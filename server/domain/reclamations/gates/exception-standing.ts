// Whether an exception counts, and which exceptions may be requested.
import { gateTable } from "@/server/domain/reclamations/gates/gate-names";
import type { DecisionFacts } from "@/server/domain/assurance/approvals/approval";
import type { GateName } from "@/server/domain/reclamations/gates/gate-names";

/**
 * `approved`: counts for its reclamation as long as the evidence is what it was requested for. `superseded`: a later reclamation made the host Ready
 * without it, so its end has no effect.
 */
export const exceptionStandings = ["waits", "approved", "superseded", "rejected", "ended", "void"] as const;
export type ExceptionStanding = (typeof exceptionStandings)[number];

interface Decided extends Pick<DecisionFacts, "decision" | "voidedReason" | "validUntilMs"> {
  /** When a later reclamation made the host Ready without it; null: none has. */
  readonly supersededMs: number | null;
}

/** Only before its end: afterwards, the host was cleaned because the exception had ended. */
const supersededInTime = ({ supersededMs, validUntilMs }: Decided): boolean =>
  supersededMs !== null && (validUntilMs === null || supersededMs < validUntilMs);

/** Pure. */
export function exceptionStanding(approval: Decided, nowMs: number): ExceptionStanding {
  if (approval.voidedReason !== null) return "void";
  if (approval.decision === "rejected") return "rejected";
  if (approval.decision === "approved" && supersededInTime(approval)) return "superseded";
  if (approval.validUntilMs !== null && approval.validUntilMs <= nowMs) return "ended";
  return approval.decision === "approved" ? "approved" : "waits";
}

/** A year. An exception is temporary; anything permanent is a change of policy. */
const longestMs = 366 * 24 * 3_600_000;

interface AskedFacts {
  readonly gate: GateName;
  readonly drive: string | null;
  /** Kind of the open reclamation; null: none is open, or it proves nothing. */
  readonly kind: string | null;
  /** The gate's status when it was last evaluated; null: never. */
  readonly status: string | null;
  /** The reclamation stopped, perhaps before its gates. Even so, the state of its drives is known. */
  readonly stopped: boolean;
  /** Serial numbers of expected drives that are not sanitized. */
  readonly openDrives: readonly string[];
  readonly validUntilMs: number;
  readonly nowMs: number;
}

/** Why this exception cannot be requested; null: it can. Pure. */
export function askRefusal(facts: AskedFacts): { readonly field: string; readonly reason: string } | null {
  const { gate, drive, kind, stopped, openDrives, validUntilMs, nowMs } = facts;
  const scope = gateTable[gate].exception;
  // safety: exceptions: nobody asks for what has none
  if (scope === "never") return { field: "gate", reason: `There are no exceptions for ${gate}.` };
  if (kind === null || kind === "manualCleaning")
    return { field: "hostId", reason: "The host is in no reclamation." };
  if (kind === "decommission")
    return {
      field: "hostId",
      reason: "A host cannot leave the fleet by an exception: its drives must be erased and verified.",
    };
  const status = scope === "device" && stopped ? "unsatisfied" : facts.status;
  if (status !== "unsatisfied" && status !== "not implemented")
    return {
      field: "gate",
      reason:
        status === null
          ? `${gate} has not been evaluated yet.`
          : `${gate} is ${status}: no exception is needed.`,
    };
  if (validUntilMs <= nowMs)
    return { field: "validUntil", reason: "The expiry is in the past. Choose a later time." };
  if (validUntilMs - nowMs > longestMs)
    return {
      field: "validUntil",
      reason: "An exception is valid for a year at most. Choose an earlier time.",
    };
  if (scope === "whole")
    return drive === null
      ? null
      : { field: "drive", reason: `An exception for ${gate} cannot name a drive.` };
  if (drive === null) return { field: "drive", reason: "Name the drive: the others must be sanitized." };
  return openDrives.includes(drive)
    ? null
    : { field: "drive", reason: `Drive ${drive} is not expected in the host, or it is sanitized.` };
}

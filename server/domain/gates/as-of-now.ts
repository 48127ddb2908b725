// Reads a gate that an earlier release evaluated: it called `not required` both what does not apply and what was left out.
import { gateStatuses } from "@/server/domain/gates/gate-names";
import type { GateStatus } from "@/server/domain/gates/gate-names";

/** Reasons with which the release before said that something that applies was left out. The function `gate_is_waived` of the database has them, too. */
const leftOut = [
  /^automated cleaning off/,
  /disabled by .* override/,
  /^the site's policy does not require /,
] as const;

/** The status in today's words; undefined: none that is known. Pure. */
export function statusAsOfNow(status: string, reason: string): GateStatus | undefined {
  const known = gateStatuses.find((each) => each === status);
  // safety: standing: what an earlier release left out is waived (never)
  return known === "not required" && leftOut.some((words) => words.test(reason)) ? "waived" : known;
}

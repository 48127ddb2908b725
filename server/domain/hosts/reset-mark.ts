// Whether a host was reset since its BMC's mark was read: `LastResetTime` of ComputerSystem 1.12 and later (DMTF DSP0268).

/**
 * Some BMCs keep the time of the reset, others count it back from their clock, and round. No host starts anything within this time after a
 * reset: its firmware is not done (docs/adr/0033-reset-marks-that-move.md).
 */
/* safety: boot: a mark that jitters proves no restart (zero) */ const toleranceMs = 5_000;

/** `unknown`: the clock was set back, or the BMC tells no time any more; whether the host was reset cannot be told. */
export type ResetMarks = "same" | "later" | "unknown";

/** What two readings tell, the second one made later. Pure. */
export function compareResetMarks(before: string, after: string | null): ResetMarks {
  const movedMs = after === null ? Number.NaN : Date.parse(after) - Date.parse(before);
  if (
    /* safety: void: a mark that went back is not as it was → movedMs <= toleranceMs */ Math.abs(movedMs) <=
    toleranceMs
  )
    return "same";
  // safety: boot: a mark that is no time proves no restart → movedMs > 0 || Number.isNaN(movedMs) ? "later" : "unknown"
  return movedMs > 0 ? "later" : "unknown";
}

/** Whether the mark proves a reset: one that is gone, went back, or differs by no more than jitter does not. Pure. */
export const resetMarkMoved = (before: string, after: string | null): boolean =>
  compareResetMarks(before, after) === "later";

// Whether a host was reset since `LastResetTime` was last read from its BMC (ComputerSystem 1.12 and later, DMTF DSP0268).

/**
 * Some BMCs store the time of the reset; others derive it from their clock, with rounding. The tolerance is safe because no host starts anything within
 * this time after a reset: its firmware is still running (docs/adr/0033-reset-marks-that-move.md).
 */
/* safety: boot: a mark that jitters proves no restart (zero) */ const toleranceMs = 5_000;

/** `unknown`: the clock was set back, or the BMC no longer reports a time, so whether the host was reset cannot be known. */
export type ResetMarks = "same" | "later" | "unknown";

/** Compares two readings, the second of which was made later. Pure. */
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

/** Whether the mark proves a reset. A mark that is gone, went back, or differs only by jitter does not. Pure. */
export const resetMarkMoved = (before: string, after: string | null): boolean =>
  compareResetMarks(before, after) === "later";

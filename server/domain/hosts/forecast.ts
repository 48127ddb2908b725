// Forecasts when hosts in reclamation will be Ready, from how long others took and how long these have taken so far. Pure.

/** A reclamation that ended in Ready. */
export interface MeasuredTrip {
  readonly tookMs: number;
  /** Null: its host had no SKU. */
  readonly skuId: string | null;
}

/** A reclamation in progress. */
export interface OpenTrip {
  readonly sinceMs: number;
  readonly skuId: string | null;
  /** It waits for a person, so measured times do not predict its end. */
  readonly stands: boolean;
}

export interface Forecast {
  /** Reclamations in progress. */
  readonly hosts: number;
  /** Those without a predicted end, because they wait for a person or have taken longer than any measured one. */
  readonly unknown: number;
  /** Number of measured reclamations behind the forecast. */
  readonly measured: number;
  /** When half, and nine tenths, of all reclamations in progress will have ended; null: unknown. */
  readonly halfAtMs: number | null;
  readonly ninetiethAtMs: number | null;
}

/** With fewer of one SKU, those of all SKUs are a better basis. */
const fewestOfSku = 5;

/** The median of the longer ones; undefined: there are none. Binary search, because it is called for every reclamation in progress. */
function medianAbove(sorted: readonly number[], elapsedMs: number): number | undefined {
  let from = 0;
  let to = sorted.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((sorted[middle] ?? Infinity) > elapsedMs) to = middle;
    else from = middle + 1;
  }
  return from === sorted.length ? undefined : sorted[from + Math.floor((sorted.length - from - 1) / 2)];
}

/**
 * When each reclamation is expected to end, in the order of `open`; null: unknown. It is expected to take the median of those that took
 * longer than it has so far, of the same SKU if there are enough of them.
 */
export function expectedEnds(
  nowMs: number,
  open: readonly OpenTrip[],
  measured: readonly MeasuredTrip[],
): readonly (number | null)[] {
  const sorted = measured.toSorted((a, b) => a.tookMs - b.tookMs);
  const all = sorted.map(({ tookMs }) => tookMs);
  const bySku = new Map<string | null, number[]>();
  for (const { skuId, tookMs } of sorted) {
    const own = bySku.get(skuId);
    if (own === undefined) bySku.set(skuId, [tookMs]);
    else own.push(tookMs);
  }
  return open.map(({ sinceMs, skuId, stands }) => {
    if (stands) return null;
    const own = bySku.get(skuId) ?? [];
    const like = own.length >= fewestOfSku ? own : all;
    const took = medianAbove(like, nowMs - sinceMs);
    return took === undefined ? null : sinceMs + took;
  });
}

/** For all reclamations in progress. Pure. */
export function forecast(
  nowMs: number,
  open: readonly OpenTrip[],
  measured: readonly MeasuredTrip[],
): Forecast {
  const ends = expectedEnds(nowMs, open, measured).filter((end) => end !== null);
  ends.sort((a, b) => a - b);
  /** When this share of all reclamations will have ended. Those without a predicted end count as last. */
  const by = (share: number) => ends[Math.ceil(share * open.length) - 1] ?? null;
  return {
    hosts: open.length,
    unknown: open.length - ends.length,
    measured: measured.length,
    halfAtMs: by(0.5),
    ninetiethAtMs: by(0.9),
  };
}

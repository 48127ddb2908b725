// When hosts that come back will be back: from how long others took, given how long these have taken already. Pure.

/** A trip that ended in Ready. */
export interface MeasuredTrip {
  readonly tookMs: number;
  /** Null: its host had no SKU. */
  readonly skuId: string | null;
}

/** A trip under way. */
export interface OpenTrip {
  readonly sinceMs: number;
  readonly skuId: string | null;
  /** It waits for a person, so that no measured time tells its end. */
  readonly stands: boolean;
}

export interface Forecast {
  /** Trips under way. */
  readonly hosts: number;
  /** Of them, those whose end cannot be told: they wait for a person, or have taken longer than any that was measured. */
  readonly unknown: number;
  /** On how many measured trips it rests. */
  readonly measured: number;
  /** When half, and nine tenths, of all trips under way will have ended; null: cannot be told. */
  readonly halfAtMs: number | null;
  readonly mostAtMs: number | null;
}

/** Fewer trips of a SKU tell less than those of all SKUs. */
const fewestOfSku = 5;

/** The middle one of those that are longer; undefined: none is. Found by halving: every trip under way asks. */
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
 * When each trip is expected to end, in the order of `open`; null: cannot be told. It is expected to take as long as the middle one of those that
 * took longer than it has so far: of its SKU, where enough are known.
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

/** Of all trips under way. Pure. */
export function forecast(
  nowMs: number,
  open: readonly OpenTrip[],
  measured: readonly MeasuredTrip[],
): Forecast {
  const ends = expectedEnds(nowMs, open, measured).filter((end) => end !== null);
  ends.sort((a, b) => a - b);
  /** The end by which this share of all trips is over; trips whose end cannot be told are the last. */
  const by = (share: number) => ends[Math.ceil(share * open.length) - 1] ?? null;
  return {
    hosts: open.length,
    unknown: open.length - ends.length,
    measured: measured.length,
    halfAtMs: by(0.5),
    mostAtMs: by(0.9),
  };
}

// Parses Prometheus' text format as far as the bench needs it: counters, and what a histogram really says about a quantile.

/** One sample: name, labels and value. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const lineForm = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})?\s+(\S+)/;
const labelForm = /([a-zA-Z_]\w*)="((?:\\.|[^"\\])*)"/g;

export function parseMetrics(text: string): readonly Sample[] {
  return text.split("\n").flatMap((line): Sample[] => {
    if (line === "" || line.startsWith("#")) return [];
    const match = lineForm.exec(line);
    if (match === null) throw new Error(`not a metric: ${line.slice(0, 120)}`);
    const labels = Object.fromEntries(
      [...(match[2] ?? "").matchAll(labelForm)].map(([, name = "", value = ""]) => [name, value]),
    );
    return [{ name: match[1] ?? "", labels, value: match[3] === "+Inf" ? Infinity : Number(match[3]) }];
  });
}

/** The sum over all label values; 0 if there is no such sample yet. */
export function total(samples: readonly Sample[], name: string): number {
  return samples.filter((sample) => sample.name === name).reduce((sum, sample) => sum + sample.value, 0);
}

export interface Histogram {
  /** Cumulative counts by upper bound in seconds, ascending; the last is infinite. */
  readonly buckets: readonly { readonly le: number; readonly count: number }[];
  readonly count: number;
  readonly sum: number;
}

export function histogram(samples: readonly Sample[], name: string): Histogram {
  const bounds = new Map<number, number>();
  for (const sample of samples) {
    if (sample.name !== `${name}_bucket`) continue;
    const le = sample.labels.le === "+Inf" ? Infinity : Number(sample.labels.le);
    bounds.set(le, (bounds.get(le) ?? 0) + sample.value);
  }
  const buckets = [...bounds].map(([le, count]) => ({ le, count })).sort((a, b) => a.le - b.le);
  return { buckets, count: total(samples, `${name}_count`), sum: total(samples, `${name}_sum`) };
}

/** The observations between two readings of the same process. */
export function between(before: Histogram, after: Histogram): Histogram {
  const earlier = new Map(before.buckets.map(({ le, count }) => [le, count]));
  return {
    buckets: after.buckets.map(({ le, count }) => ({ le, count: count - (earlier.get(le) ?? 0) })),
    count: after.count - before.count,
    sum: after.sum - before.sum,
  };
}

/**
 * The smallest bucket bound, in seconds, that the given share of observations lies under. A histogram knows no more than that;
 * interpolating between bounds would invent a value. Null without observations.
 */
export function quantileBound({ buckets, count }: Histogram, share: number): number | null {
  if (count === 0) return null;
  return buckets.find((bucket) => bucket.count >= share * count)?.le ?? Infinity;
}

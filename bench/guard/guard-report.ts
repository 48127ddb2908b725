// What turns of two commits say: for each figure the ratio of new to old, pair by pair. Pure.
import { figure, quantile } from "@/bench/figures";
import type { Figure, Section } from "@/bench/figures";
import type { Measured } from "@/bench/release/release";

/** Two turns, one right after the other, on the same machine in the same state. */
export interface Pair {
  readonly old: Measured;
  readonly now: Measured;
}

/** More than this much worse, as the median of all pairs, is a finding. */
export const worseFrom = 1.05;

type Read = (measured: Measured) => number | null;

/** Of each, less is better. */
const compared: Readonly<Record<string, readonly [read: Read, unit: string]>> = {
  "processor time per host": [
    ({ processorMs: { web, controller, database }, hosts }) =>
      database === null ? null : (web + controller + database) / hosts,
    "ms",
  ],
  "web, per host": [({ processorMs, hosts }) => processorMs.web / hosts, "ms"],
  "controller, per host": [({ processorMs, hosts }) => processorMs.controller / hosts, "ms"],
  "database, per host": [
    ({ processorMs: { database }, hosts }) => (database === null ? null : database / hosts),
    "ms",
  ],
  "time of a return, hosts side by side": [({ seconds, hosts }) => (1000 * seconds) / hosts, "ms"],
  "answer to a release, p50": [({ releaseMs }) => quantile(releaseMs, 0.5), "ms"],
  "WAL, per host": [({ database, hosts }) => database.walBytes / hosts / 1024, "KiB"],
  "SQL statements, per host": [
    ({ database, hosts }) => (database.statements === null ? null : database.statements / hosts),
    "",
  ],
  "Redfish requests, per host": [({ fleet, hosts }) => fleet.redfishRequests / hosts, ""],
  "agent requests, per host": [({ fleet, hosts }) => fleet.agentRequests / hosts, ""],
};

const ascending = (values: readonly number[]) => values.toSorted((a, b) => a - b);

/** Ratios of new to old in ascending order; without pairs in which one could not be measured. */
const ratios = (pairs: readonly Pair[], read: Read): readonly number[] =>
  ascending(
    pairs.flatMap(({ old, now }) => {
      const [before, after] = [read(old), read(now)];
      return before === null || after === null || before === 0 ? [] : [after / before];
    }),
  );

const medianOf = (measured: readonly Measured[], read: Read): number | null =>
  quantile(
    ascending(
      measured.flatMap((one) => {
        const value = read(one);
        return value === null ? [] : [value];
      }),
    ),
    0.5,
  );

const digits = (value: number | null): string => (value === null ? "–" : value.toFixed(value < 10 ? 2 : 1));

function compare(name: string, pairs: readonly Pair[], [read, unit]: readonly [Read, string]): Figure {
  const all = ratios(pairs, read);
  const medians = [pairs.map(({ old }) => old), pairs.map(({ now }) => now)].map((side) =>
    digits(medianOf(side, read)),
  );
  return figure(name, quantile(all, 0.5), "× old", {
    budget: { most: worseFrom },
    note: `${medians.join(" → ")} ${unit}; half of the pairs ${digits(quantile(all, 0.25))} to ${digits(quantile(all, 0.75))}`,
  });
}

/** @param pairs at least one */
export const guardSections = (pairs: readonly Pair[]): readonly Section[] => [
  {
    title: "New over old",
    figures: Object.entries(compared).map(([name, how]) => compare(name, pairs, how)),
  },
];

// Turns what a page went through into figures with their budgets. Pure.
import type { TimedRequest } from "@/bench/console/console-watch";
import { budgets, quantile } from "@/bench/figures";
import type { Figure, Section } from "@/bench/figures";

export interface PageMeasured {
  readonly hosts: number;
  /** From the run's page being open until it says that every host is through. */
  readonly seconds: number;
  readonly requests: readonly TimedRequest[];
  readonly longTasksMs: readonly number[];
  /** Ascending. */
  readonly framesMs: readonly number[];
  readonly heapBefore: number;
  readonly heapAfter: number;
  /** Resident memory of the web process; null: cannot be read here. */
  readonly webBefore: number | null;
  readonly webAfter: number | null;
}

const mib = 1024 * 1024;
const most = (values: readonly number[]): number => Math.max(0, ...values);

export function consoleSections(measured: PageMeasured): readonly Section[] {
  const { hosts, seconds, requests, longTasksMs, framesMs, heapBefore, heapAfter, webBefore, webAfter } =
    measured;
  const slowest = requests.reduce<TimedRequest | null>(
    (worst, request) => (worst === null || request.ms > worst.ms ? request : worst),
    null,
  );
  const ascending = requests.map(({ ms }) => ms).sort((a, b) => a - b);
  const plain = (name: string, value: number | null, unit: string, note?: string): Figure => ({
    name,
    value,
    unit,
    budget: null,
    ...(note === undefined ? {} : { note }),
  });
  return [
    {
      title: "The run",
      figures: [
        plain(
          "hosts cleaned by hand",
          hosts / seconds,
          "hosts/s",
          `${hosts} in ${seconds.toFixed(1)} s, as the page told it`,
        ),
      ],
    },
    {
      title: "Requests of the page",
      figures: [
        plain("requests", requests.length, ""),
        plain("median", quantile(ascending, 0.5), "ms"),
        {
          name: "longest",
          value: slowest?.ms ?? null,
          unit: "ms",
          budget: budgets.consoleRequestMs,
          ...(slowest === null ? {} : { note: slowest.path }),
        },
      ],
    },
    {
      title: "The page's thread",
      figures: [
        plain(
          "tasks over 50 ms",
          longTasksMs.length,
          "",
          `${Math.round(longTasksMs.reduce((sum, ms) => sum + ms, 0))} ms in all`,
        ),
        { name: "longest task", value: most(longTasksMs), unit: "ms", budget: budgets.longTaskMs },
        {
          name: "longest wait for a frame",
          value: framesMs.at(-1) ?? null,
          unit: "ms",
          budget: budgets.frameMs,
          note: `of ${framesMs.length} looks, one a second; median ${Math.round(quantile(framesMs, 0.5) ?? 0)} ms`,
        },
      ],
    },
    {
      title: "Memory",
      figures: [
        plain(
          "page, when the run began",
          heapBefore / mib,
          "MiB",
          "JavaScript, after its garbage was collected",
        ),
        {
          name: "page, grown by the end",
          value: Math.max(0, heapAfter - heapBefore) / mib,
          unit: "MiB",
          budget: budgets.heapGrowthMib,
        },
        plain("web process, before", webBefore === null ? null : webBefore / 1024, "MiB", "resident"),
        plain("web process, at the end", webAfter === null ? null : webAfter / 1024, "MiB", "resident"),
      ],
    },
  ];
}

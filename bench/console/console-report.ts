// Turns what was measured in a page into figures with budgets. Pure.
import type { TimedRequest } from "@/bench/console/console-watch";
import { budgets, figure, quantile } from "@/bench/figures";
import type { Figure, Section } from "@/bench/figures";

export interface PageMeasured {
  readonly hosts: number;
  /** From opening the run's page until it says that every host is finished. */
  readonly seconds: number;
  readonly requests: readonly TimedRequest[];
  readonly longTasksMs: readonly number[];
  /** Ascending. */
  readonly framesMs: readonly number[];
  readonly heapBefore: number;
  readonly heapAfter: number;
  /** Resident memory of the web process; null if it cannot be read here. */
  readonly webBefore: number | null;
  readonly webAfter: number | null;
}

const mib = 1024 * 1024;
const most = (values: readonly number[]): number => Math.max(0, ...values);

function requestFigures(requests: readonly TimedRequest[]): readonly Figure[] {
  const slowest = requests.reduce<TimedRequest | null>(
    (worst, request) => (worst === null || request.ms > worst.ms ? request : worst),
    null,
  );
  const ascending = requests.map(({ ms }) => ms).sort((a, b) => a - b);
  return [
    figure("requests", requests.length, ""),
    figure("median", quantile(ascending, 0.5), "ms"),
    figure("longest", slowest?.ms ?? null, "ms", {
      budget: budgets.consoleRequestMs,
      note: slowest?.path,
    }),
  ];
}

function threadFigures({ longTasksMs, framesMs }: PageMeasured): readonly Figure[] {
  const inAll = Math.round(longTasksMs.reduce((sum, ms) => sum + ms, 0));
  const median = Math.round(quantile(framesMs, 0.5) ?? 0);
  return [
    figure("tasks over 50 ms", longTasksMs.length, "", { note: `${inAll} ms in all` }),
    figure("longest task", most(longTasksMs), "ms", { budget: budgets.longTaskMs }),
    figure("longest wait for a frame", framesMs.at(-1) ?? null, "ms", {
      budget: budgets.frameMs,
      note: `of ${framesMs.length} looks, one a second; median ${median} ms`,
    }),
  ];
}

function memoryFigures({ heapBefore, heapAfter, webBefore, webAfter }: PageMeasured): readonly Figure[] {
  const resident = (kib: number | null) => (kib === null ? null : kib / 1024);
  return [
    figure("page, when the run began", heapBefore / mib, "MiB", {
      note: "JavaScript, after its garbage was collected",
    }),
    figure("page, grown by the end", Math.max(0, heapAfter - heapBefore) / mib, "MiB", {
      budget: budgets.heapGrowthMib,
    }),
    figure("web process, before", resident(webBefore), "MiB", { note: "resident" }),
    figure("web process, at the end", resident(webAfter), "MiB", { note: "resident" }),
  ];
}

/** What was measured in a page while a run of many hosts was open in it. */
export function consoleSections(measured: PageMeasured): readonly Section[] {
  const { hosts, seconds, requests } = measured;
  return [
    {
      title: "The run",
      figures: [
        figure("hosts cleaned by hand", hosts / seconds, "hosts/s", {
          note: `${hosts} in ${seconds.toFixed(1)} s, as the page told it`,
        }),
      ],
    },
    { title: "Requests of the page", figures: requestFigures(requests) },
    { title: "The page's thread", figures: threadFigures(measured) },
    { title: "Memory", figures: memoryFigures(measured) },
  ];
}

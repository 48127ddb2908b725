// Turns the Ironic client's measurements into figures with budgets. Pure.
import type { DatabaseCounts } from "@/bench/scale/database";
import { budgets } from "@/bench/figures";
import type { Budget, Figure, Section } from "@/bench/figures";
import type { ClientResult } from "@/bench/ironic/ironic";

const plain = (name: string, value: number | null, unit: string, note?: string): Figure => ({
  name,
  value,
  unit,
  budget: null,
  ...(note === undefined ? {} : { note }),
});
const within = (name: string, value: number | null, unit: string, budget: Budget, note?: string): Figure => ({
  ...plain(name, value, unit, note),
  budget,
});

const listBudgets: Readonly<Record<string, Budget>> = {
  list: budgets.ironicListMs,
  "list, detailed": budgets.ironicDetailMs,
  "one node": budgets.ironicNodeMs,
};

/** Processor time of one process per host over some phases; null if it could not be seen. */
function perHost({ phases, hosts }: ClientResult, process: string, names: readonly string[]): number | null {
  const parts = phases
    .filter(({ name }) => names.includes(name))
    .map(({ processorMs }) => processorMs[process]);
  return parts.some((part) => part === undefined)
    ? null
    : parts.reduce<number>((sum, part) => sum + (part ?? 0), 0) / hosts;
}

function processorSection(
  result: ClientResult,
  title: string,
  names: readonly string[],
  budget: Budget | null,
): Section {
  const parts = ["web", "controller", "database"].map((process) => ({
    process,
    value: perHost(result, process, names),
  }));
  const sum = parts.some(({ value }) => value === null)
    ? null
    : parts.reduce((total, { value }) => total + (value ?? 0), 0);
  return {
    title,
    figures: [
      ...parts.map(({ process, value }) =>
        plain(process, value, "ms", value === null ? "its processes cannot be seen from here" : undefined),
      ),
      { ...plain("web + controller + database", sum, "ms"), budget },
    ],
  };
}

/** `counts`: the database's counters over the whole run. */
export function ironicSections(result: ClientResult, counts: DatabaseCounts): readonly Section[] {
  const { hosts, requests, lists, phases } = result;
  return [
    {
      title: "Speed",
      figures: [
        within(
          "first provide to last available",
          result.hostsPerSecond,
          "hosts/s",
          budgets.ironicHostsPerSecond,
          `seen by a list every ${result.pollMs} ms`,
        ),
        ...requests.flatMap(({ name, p50Ms, p99Ms }) => [
          within(`${name}, p50`, p50Ms, "ms", budgets.ironicRequestP50Ms, `${result.inFlight} in flight`),
          plain(`${name}, p99`, p99Ms, "ms"),
        ]),
        ...phases.map(({ name, seconds }) => plain(`all ${hosts} of ${name}`, seconds, "s")),
      ],
    },
    {
      title: "Reads, one at a time",
      figures: lists.flatMap(({ name, nodes, p50Ms, p99Ms }) => [
        { ...plain(`${name}, p50`, p50Ms, "ms", `${nodes} nodes`), budget: listBudgets[name] ?? null },
        plain(`${name}, p99`, p99Ms, "ms"),
      ]),
    },
    processorSection(
      result,
      "Processor time per host, provide to available",
      ["provide"],
      budgets.ironicProcessorMs,
    ),
    processorSection(
      result,
      "Processor time per host, from create to delete",
      ["create", "manage", "provide", "delete"],
      null,
    ),
    {
      title: "Work per host, from create to delete, with the lists",
      figures: [
        plain(
          "SQL statements",
          counts.statements === null ? null : counts.statements / hosts,
          "",
          counts.statements === null
            ? "pg_stat_statements is not loaded"
            : "of all processes, BEGIN and COMMIT too",
        ),
        plain("database transactions", counts.transactions / hosts, ""),
        plain("WAL", counts.walBytes / 1024 / hosts, "KiB"),
      ],
    },
  ];
}

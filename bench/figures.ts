// The bench's output: each figure with its unit and, if it has one, its budget (docs/design/datapath.md#budget).

/** Budgets from docs/design/datapath.md#budget. `least`: at least this; `most`: at most this. */
export const budgets = {
  hostsPerSecond: { least: 30 },
  processorMsPerHost: { most: 25 },
  signalToHandlerP99Ms: { most: 250 },
  transitionsPerHost: { most: 14 },
  commitsPerHost: { most: 8 },
  statementsPerTransition: { most: 0.5 },
  agentRequestsPerHost: { most: 12 },
  redfishRequestsPerHost: { most: 10 },
  auditEventsPerHost: { most: 2 },
  hostsPageMs: { most: 100 },
  fleetMs: { most: 150 },
  /** While a BMC hangs; for both the 99th percentile and the maximum. */
  signalToHandlerMs: { most: 100 },
  /** For hosts of type fake over the Ironic API (docs/benchmarks.md#comparison-with-ironic). */
  ironicHostsPerSecond: { least: 100 },
  ironicRequestP50Ms: { most: 50 },
  ironicProcessorMs: { most: 12 },
  ironicListMs: { most: 25 },
  ironicDetailMs: { most: 60 },
  ironicNodeMs: { most: 2 },
  /** For the audit log: under eight writers, and with a million events. */
  transitionsSlowerPercent: { most: 10 },
  auditProofMs: { most: 50 },
  auditPageMs: { most: 200 },
  auditCheckSeconds: { most: 120 },
  certificateSeconds: { most: 5 },
  none: { most: 0 },
  /** For the page of a run on 1,000 hosts: no request over 1 s. */
  consoleRequestMs: { most: 1000 },
  /** "Responsive": the longest task or frame that still feels like an immediate reaction to a click. */
  longTaskMs: { most: 200 },
  frameMs: { most: 200 },
  /** "Memory flat": how much a page may grow during a run of 1,000 hosts. */
  heapGrowthMib: { most: 10 },
} as const;

export type Budget = { readonly least: number } | { readonly most: number };

export interface Figure {
  readonly name: string;
  /** Null if it could not be measured here; the note says why. */
  readonly value: number | null;
  readonly unit: string;
  readonly budget: Budget | null;
  readonly note?: string;
}

/** A figure; without a budget it is informational. */
export const figure = (
  name: string,
  value: number | null,
  unit: string,
  { note, budget = null }: { readonly note?: string | undefined; readonly budget?: Figure["budget"] } = {},
): Figure => ({ name, value, unit, budget, ...(note === undefined ? {} : { note }) });

export interface Section {
  readonly title: string;
  readonly figures: readonly Figure[];
}

/** Of values in ascending order; null if there are none. */
export const quantile = (ascending: readonly number[], share: number): number | null =>
  ascending[Math.max(0, Math.ceil(share * ascending.length) - 1)] ?? null;

/** Null without a budget, or without a value to compare with it. */
export function isWithin({ value, budget }: Pick<Figure, "value" | "budget">): boolean | null {
  if (value === null || budget === null) return null;
  return "least" in budget ? value >= budget.least : value <= budget.most;
}

/** Three significant digits, and no more than were measured; whole numbers stay whole. */
export function formatNumber(value: number | null): string {
  if (value === null) return "–";
  if (!Number.isFinite(value)) return "∞";
  if (Number.isInteger(value) || Math.abs(value) >= 1000) return String(Math.round(value));
  return String(Number(value.toPrecision(3)));
}

const budgetText = (budget: Budget | null): string =>
  budget === null ? "" : "least" in budget ? `≥ ${budget.least}` : `≤ ${budget.most}`;
const verdictText = (figure: Figure): string => {
  const within = isWithin(figure);
  return within === null ? "" : within ? "holds" : "MISSED";
};

/** A Markdown table, which is also what a terminal shows. */
export function table({ title, figures }: Section): string {
  const rows = figures.map((figure) => [
    figure.name,
    formatNumber(figure.value),
    figure.unit,
    budgetText(figure.budget),
    verdictText(figure),
    figure.note ?? "",
  ]);
  const header = ["figure", "value", "unit", "budget", "", "note"];
  const widths = header.map((cell, column) =>
    Math.max(3, cell.length, ...rows.map((row) => (row[column] ?? "").length)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => (column === 1 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0))).join(" | ")} |`;
  const rule = `|${widths.map((width, column) => (column === 1 ? `${"-".repeat(width + 1)}:` : "-".repeat(width + 2))).join("|")}|`;
  return [`### ${title}`, "", line(header), rule, ...rows.map(line)].join("\n");
}

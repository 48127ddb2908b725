// Lays out the estimate of a list of steps on one time axis. Pure.
import { formatCount } from "@/server/domain/numbers";
import { formatDuration } from "@/components/ui/format/duration";
import type { GanttLane } from "@/components/ui/charts/gantt";
import { itemName, type OrderItem } from "@/components/cleaning/plan/order";
import type { CleaningEstimate, EstimatedStep } from "@/server/surfaces/trpc/types";

/** Waiting for a person has no known length; it is drawn with this share of the axis. */
const personShare = 0.2;
const shortestMs = 10_000;

/** The bar's text besides its length. */
function barText(step: EstimatedStep): string {
  if (step.basis === "person") return "a person resumes";
  if (step.restarts) return "restarts the host";
  if (!step.abortable && step.erases) return "cannot be stopped";
  return step.expectedMs === null ? "unknown" : formatDuration(step.expectedMs);
}

export interface Laid {
  readonly toMs: number;
  readonly lanes: readonly GanttLane[];
}

/** Each step starts where the previous one ends; waiting for a person takes a fixed share of the axis. */
export function laidOut(steps: readonly EstimatedStep[]): Laid {
  const knownMs = Math.max(
    shortestMs,
    steps.reduce((sum, { expectedMs }) => sum + (expectedMs ?? 0), 0),
  );
  const unknownMs = knownMs * personShare;
  let at = 0;
  const lanes = steps.map((step): GanttLane => {
    const fromMs = at;
    at += step.expectedMs ?? unknownMs;
    return {
      name: step.name.slice(step.name.indexOf(".") + 1),
      title: step.name,
      bars: [{ fromMs, toMs: at, words: barText(step), planned: true }],
    };
  });
  return { toMs: Math.max(shortestMs, at), lanes };
}

/** An estimate, with the steps that it was requested for. */
export interface AskedEstimate {
  readonly items: readonly OrderItem[];
  readonly estimate: CleaningEstimate;
}

export interface OrderedEstimate {
  readonly estimate: CleaningEstimate;
  /** By step key; a step without an estimate yet is missing. */
  readonly byKey: ReadonlyMap<number, EstimatedStep>;
}

/**
 * What is known about the current list until the server answers for it: a moved step keeps its estimate, an added one has none yet.
 * A key alone does not identify a step, because another runbook's list also starts at 1.
 */
export function inOrderOf(asked: AskedEstimate, items: readonly OrderItem[]): OrderedEstimate {
  const { estimate } = asked;
  const known = new Map(estimate.steps.map((step) => [asked.items[step.index]?.key, step]));
  const steps = items.flatMap((item, index) => {
    const step = known.get(item.key);
    return step?.name === itemName(item)
      ? [{ key: item.key, step: { ...step, index }, was: step.index }]
      : [];
  });
  const waiting = steps.find(({ step }) => step.basis === "person");
  return {
    estimate: {
      ...estimate,
      steps: steps.map(({ step }) => step),
      personAt: waiting?.step.index ?? null,
      cannotStop: steps.flatMap(({ step, was }) => (estimate.cannotStop.includes(was) ? [step.index] : [])),
    },
    byKey: new Map(steps.map(({ key, step }) => [key, step])),
  };
}

const plural = (count: number, one: string, many: string) =>
  count === 1 ? `1 ${one}` : `${formatCount(count)} ${many}`;

/** "5 steps, about 20 min and one wait". */
export function formatSum(
  { steps, expectedMs }: Pick<CleaningEstimate, "steps" | "expectedMs">,
  count: number,
): string {
  const waits = steps.filter(({ basis }) => basis === "person").length;
  return `${plural(count, "step", "steps")}, about ${formatDuration(expectedMs)}${waits === 0 ? "" : ` and ${waits === 1 ? "one wait" : `${waits} waits`}`}`;
}

/** The facts under "Estimate", in order. */
const basisText = {
  model: "erases of the same drive models",
  host: "this host's own runs",
  sku: "runs on its SKU",
  catalogue: "the catalogue",
  person: "a person",
} satisfies Record<CleaningEstimate["steps"][number]["basis"], string>;

export function takeFacts(
  estimate: CleaningEstimate,
): readonly { readonly term: string; readonly words: string }[] {
  const { steps, expectedMs, personAt, limitMs, erases, cannotStop, locks, endState } = estimate;
  const hold = personAt === null ? "" : " until the first wait for a person";
  const restarting = steps.filter(({ restarts }) => restarts).map(({ name }) => name);
  const basis = [...new Set(steps.filter(({ runs }) => runs > 0).map(({ basis: from }) => basisText[from]))];
  return [
    {
      term: "Time",
      words: `about ${formatDuration(expectedMs)}${hold}; limit ${formatDuration(limitMs)}${basis.length === 0 ? "" : `; from ${basis.join(" and ")}`}`,
    },
    {
      term: "Restarts",
      words: restarting.length === 0 ? "none" : `${restarting.length}: by ${restarting.join(", ")}`,
    },
    {
      term: "Erases",
      words:
        erases.length === 0
          ? "nothing"
          : `${plural(erases.length, "drive", "drives")}: ${erases
              .slice(0, 4)
              .map(({ serial }) => serial)
              .join(", ")}${erases.length > 4 ? " and more" : ""}`,
    },
    ...(cannotStop.length === 0
      ? []
      : [
          {
            term: "Cannot be stopped",
            words:
              cannotStop.length === steps.length && steps.length > 1
                ? "all steps, once started; an abort waits for the running step"
                : `${cannotStop.length === 1 ? "step" : "steps"} ${cannotStop.map((index) => index + 1).join(", ")}, once started; an abort waits for it`,
          },
        ]),
    { term: "Locks", words: locks },
    { term: "Ends in", words: `${endState}, with this run in the host's history` },
  ];
}

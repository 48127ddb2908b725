// Progress of a gate that has not been evaluated yet, derived from the records. For display only, never an evaluation.
import type { GateName } from "@/server/domain/reclamations/gates/gate-names";
import { formatCounted } from "@/server/domain/numbers";
import type { ProvenContext } from "@/server/domain/lifecycle/context";

export interface RecordedSoFar {
  /** Null: the reclamation did not begin with an instance. */
  readonly instanceEnded: boolean | null;
  /** Steps of the current plan. */
  readonly steps: readonly {
    readonly name: string;
    readonly status: string;
    readonly proves: readonly string[];
  }[];
  readonly proven: Pick<ProvenContext, "sku" | "tests">;
}

export interface GateSoFar {
  /** Everything it depends on is there; only the evaluation is missing. */
  readonly done: boolean;
  /** What it depends on has failed, and is not being repeated. */
  readonly failed: boolean;
  readonly words: string;
}

const done = (words: string): GateSoFar => ({ done: true, failed: false, words });
const open = (words: string): GateSoFar => ({ done: false, failed: false, words });
const failure = (words: string): GateSoFar => ({ done: false, failed: true, words });

type Steps = RecordedSoFar["steps"];

/** How many of its steps have succeeded, and the one it waits for. */
function stepsSoFar(steps: Steps): GateSoFar | null {
  if (steps.length === 0) return null;
  const left = steps.filter(({ status }) => status !== "succeeded");
  const [next] = left;
  if (next === undefined)
    return done(steps.length === 1 ? `${steps[0]?.name} succeeded` : `all ${steps.length} steps succeeded`);
  const waitsFor = left.find(({ status }) => status === "failed" || status === "running") ?? next;
  const words = `${steps.length - left.length} of ${steps.length} steps succeeded; ${waitsFor.name} ${waitsFor.status === "failed" ? "failed" : `is ${waitsFor.status}`}`;
  return waitsFor.status === "failed" ? failure(words) : open(words);
}

/** Null: nothing is recorded for it yet. Pure. */
export function gateSoFar(gate: GateName, recorded: RecordedSoFar): GateSoFar | null {
  const { steps, proven, instanceEnded } = recorded;
  switch (gate) {
    case "instanceReleased":
      if (instanceEnded === null) return null;
      return instanceEnded ? done("the instance has ended") : open("the instance has not ended yet");
    case "cleanupCompleted":
      return stepsSoFar(steps);
    case "inventoryMatches":
      if (proven.sku === null) return null;
      return proven.sku.differences === 0
        ? done(`its parts match ${proven.sku.name}`)
        : failure(`${formatCounted(proven.sku.differences, "difference")} from ${proven.sku.name}`);
    case "validationPassed": {
      if (proven.tests === null) return null;
      const { passed, failed, skipped } = proven.tests;
      return failed.length + skipped.length === 0
        ? done(`${formatCounted(passed, "test")} passed`)
        : failure(`failed: ${[...failed, ...skipped].join(", ")}`);
    }
    default:
      return stepsSoFar(steps.filter(({ proves }) => proves.includes(gate)));
  }
}

// Progress of a gate that has not been evaluated yet, derived from the records. For display only, never an evaluation.
import type { GateName } from "@/server/domain/reclamations/gates/gate-names";
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
  readonly words: string;
}

type Steps = RecordedSoFar["steps"];

/** How many of its steps have succeeded, and the one it waits for. */
function stepsSoFar(steps: Steps): GateSoFar | null {
  if (steps.length === 0) return null;
  const open = steps.filter(({ status }) => status !== "succeeded");
  const [next] = open;
  if (next === undefined)
    return {
      done: true,
      words: steps.length === 1 ? `${steps[0]?.name} succeeded` : `all ${steps.length} steps succeeded`,
    };
  const waitsFor = open.find(({ status }) => status === "failed" || status === "running") ?? next;
  return {
    done: false,
    words: `${steps.length - open.length} of ${steps.length} steps succeeded; ${waitsFor.name} is ${waitsFor.status}`,
  };
}

/** Null: nothing is recorded for it yet. Pure. */
export function gateSoFar(gate: GateName, recorded: RecordedSoFar): GateSoFar | null {
  const { steps, proven, instanceEnded } = recorded;
  switch (gate) {
    case "instanceReleased":
      if (instanceEnded === null) return null;
      return instanceEnded
        ? { done: true, words: "the instance has ended" }
        : { done: false, words: "the instance has not ended yet" };
    case "cleanupCompleted":
      return stepsSoFar(steps);
    case "inventoryMatches":
      if (proven.sku === null) return null;
      return proven.sku.differences === 0
        ? { done: true, words: `its parts match ${proven.sku.name}` }
        : { done: false, words: `${proven.sku.differences} differences from ${proven.sku.name}` };
    case "validationPassed": {
      if (proven.tests === null) return null;
      const { passed, failed, skipped } = proven.tests;
      return failed.length + skipped.length === 0
        ? { done: true, words: `${passed} tests passed` }
        : { done: false, words: `failed: ${[...failed, ...skipped].join(", ")}` };
    }
    default:
      return stepsSoFar(steps.filter(({ proves }) => proves.includes(gate)));
  }
}

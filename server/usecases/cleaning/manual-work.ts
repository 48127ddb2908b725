// The work of a manual cleaning as it was asked for: a list of steps, or a runbook's.
import { manualFaults } from "@/server/domain/cleaning/plan/manual";
import type { ManualFault, ManualStep } from "@/server/domain/cleaning/plan/manual";
import type { OfferedStep } from "@/server/domain/agents/protocol";
import type { Reader } from "@/server/db/prisma";
import { storedSteps } from "@/server/usecases/cleaning/runbooks/runbooks";
import { done, notFound, refused } from "@/server/usecases/problem";
import type { Outcome, Problem } from "@/server/usecases/problem";

export interface ManualWorkAsked {
  readonly steps?: readonly ManualStep[] | undefined;
  readonly runbookId?: string | undefined;
}

export interface ManualWork {
  readonly steps: readonly ManualStep[];
  /** Its traits lock it against the wrong hardware; null for a list made by hand, which has no such lock. */
  readonly runbook: { readonly id: string; readonly name: string; readonly traits: readonly string[] } | null;
}

export async function findWork(
  reader: Reader,
  { steps, runbookId }: ManualWorkAsked,
): Promise<Outcome<ManualWork>> {
  if ((steps === undefined) === (runbookId === undefined))
    return refused("invalid", "Give either steps or a runbook.", "steps");
  if (steps !== undefined) return done({ steps, runbook: null });
  const runbook = await reader.runbook.findUnique({ where: { id: runbookId ?? "" } });
  return runbook === null
    ? notFound("runbook", runbookId ?? "")
    : done({
        steps: storedSteps(runbook.steps),
        runbook: { id: runbook.id, name: runbook.name, traits: runbook.traits },
      });
}

/** Why a runbook may not run on a host with these traits; null when it may. */
export function traitRefusal({ runbook }: ManualWork, traits: readonly string[]): string | null {
  if (runbook === null || runbook.traits.some((trait) => traits.includes(trait))) return null;
  return `the host shares no trait with the runbook ${runbook.name}, which is for ${runbook.traits.join(", ")}`;
}

const faultWords = ({ index, message }: ManualFault): string => `step ${index + 1}: ${message}`;

/** Every fault at once, as a problem; null when the list may run. */
export function faultProblem(faults: readonly ManualFault[]): Problem | null {
  if (faults.length === 0) return null;
  const shown = faults.slice(0, 5).map(faultWords).join("; ");
  return {
    code: "invalid",
    detail: `${faults.length === 1 ? "One thing is" : `${faults.length} things are`} wrong with the steps: ${shown}${faults.length > 5 ? "; …" : ""}.`,
    field: "steps",
    faults,
  };
}

/** The faults of a list on a host whose agent offers these steps. */
export const workFaults = ({ steps }: ManualWork, offered: readonly OfferedStep[]): readonly ManualFault[] =>
  manualFaults(steps, offered);

// ManualCleaning/…: runs steps that an operator put together; ends in Manageable and proves nothing (docs/cleaning.md#manual-cleaning).
import { ensureMeasured } from "@/server/controller/boot/measured";
import { agentFaults, manualFaults } from "@/server/domain/cleaning/plan/manual";
import type { ManualStep } from "@/server/domain/cleaning/plan/manual";
import type { IntentActor } from "@/server/domain/lifecycle/signals";
import { stepName } from "@/server/domain/cleaning/steps/step";
import { ensureAgent } from "@/server/controller/boot/boot";
import { runSteps } from "@/server/controller/steps/clean-run";
import type { CleaningMode, StepRow } from "@/server/controller/steps/cleaning-mode";
import { enqueue } from "@/server/controller/interruptions/queued";
import { beforeBoot, broughtLate } from "@/server/controller/interruptions/interruptions";
import { declaredStep, knownHardware, offeredSteps } from "@/server/controller/inventory/known-hardware";
import { ensureNetwork } from "@/server/controller/network/network";
import type { Draft } from "@/server/controller/host/draft";
import { fail, goto } from "@/server/controller/host/handler-result";
import type { HandlerResult } from "@/server/controller/host/handler-result";
import { plannedStep } from "@/server/controller/host/planned-step";
import type { PayloadOf } from "@/server/controller/host/inbox";

/** Manual cleaning uses one state for all its steps, and ends in Manageable. */
const byHand: CleaningMode = {
  stateOf: () => "ManualCleaning/RunningStep",
  booting: "ManualCleaning/BootingAgent",
  over: (draft) => {
    // safety: by hand: a list that was refused is not cleaned by a retry
    if (draft.steps.rows.length === 0)
      return fail("CleanFailed", "no step of the list was accepted, so nothing ran");
    draft.run.setCommand(null);
    draft.endReclamation("cleaned", null);
    const { inspection } = draft.context;
    if (inspection?.agent === true)
      draft.memory.keep({ inspection: { ...inspection, readAt: new Date(draft.nowMs).toISOString() } });
    return goto("Manageable", "every step of the list succeeded");
  },
};

export const runList = (draft: Draft): HandlerResult => runSteps(draft, byHand);

/**
 * Begins the requested list. An earlier reclamation that had stopped ends as `abandoned`, and the host keeps its debts. A person's maintenance
 * keeps a host out of allocation but does not prevent cleaning. A list with a fault runs no step.
 */
export function beginList(draft: Draft, asked: PayloadOf<"clean">): HandlerResult {
  if (draft.reclamation !== null) draft.clearFailure();
  draft.run.setError(null);
  draft.run.setCommand(null);
  draft.memory.forget("inspection");
  draft.beginReclamation("manualCleaning", asked.by, null);
  const { runbook, bulkId } = asked;
  draft.patchReclamation({ runbookId: runbook?.id ?? null, runbookName: runbook?.name ?? null, bulkId });
  const offered = offeredSteps(draft);
  const faults = [
    ...manualFaults(asked.steps, offered),
    ...(asked.withoutAgent === true && !draft.fake ? agentFaults(asked.steps, offered) : []),
  ];
  // safety: by hand: a list with a fault runs no step
  if (faults.length > 0)
    return fail("CleanFailed", [
      { key: "planImpossible", raw: faults.map(({ message }) => message).join("; ") },
    ]);
  makeRuns(draft, asked.steps);
  return enqueue(
    draft,
    "ManualCleaning/RunningStep",
    `clean requested by ${asked.by.name}${runbook === null ? "" : `: runbook ${runbook.name}`}`,
  );
}

/** The agent of an ordered boot reports its inventory when it registers, so a list with this one restart is the whole inspection. */
const byAgent = [{ interface: "power", step: "reboot", args: {} }];

/** Begins an inspection by the agent, which ends with its list. */
export function inspectByAgent(draft: Draft, { by }: { readonly by: IntentActor }): HandlerResult {
  const begun = beginList(draft, { by, steps: byAgent, runbook: null, bulkId: null });
  draft.memory.keep({
    inspection: { askedAt: new Date(draft.nowMs).toISOString(), readAt: null, message: null, agent: true },
  });
  return begun;
}

/** Starts the list over: new runs of the same steps, a newly frozen drive list, and the agent of a new boot. */
export function runListAnew(draft: Draft): HandlerResult {
  draft.patchReclamation({ devices: null, plan: null });
  draft.evidence.clearVerdicts();
  makeRuns(
    draft,
    [...draft.steps.rows].sort((a, b) => a.position - b.position),
  );
  return enqueue(draft, "ManualCleaning/RunningStep", "restart requested");
}

function makeRuns(
  draft: Draft,
  list: readonly Pick<ManualStep | StepRow, "interface" | "step" | "args">[],
): void {
  const { times } = draft.policy;
  const known = { ...knownHardware(draft), storage: draft.view.inventory.bmc ?? [] };
  const runs = list.map(({ interface: name, step, args }, index) => {
    const declared = declaredStep(draft, { interface: name, step });
    if (declared === null)
      throw new Error(`${stepName({ interface: name, step })} was checked and is absent`);
    return plannedStep(draft, index, declared, {
      args,
      timeLimitMs: declared.timeLimitMs(draft.policy, args, known),
      priority: 0,
      prioritySource: "manual",
      proves: [],
    });
  });
  const longestMs = Math.max(
    times.reclamationMs,
    runs.reduce((sum, run) => sum + run.timeLimitMs, 0),
  );
  draft.patchReclamation({
    planMade: true,
    planEpoch: (draft.reclamation?.planEpoch ?? 0) + 1,
    limitAtMs: (draft.reclamation?.pausedAtMs ?? draft.nowMs) + longestMs,
  });
  draft.replaceSteps(runs);
}

/** Entered when a step needs an agent and none is there, when the agent is lost, and for a restart that a step asks for. */
export function manualBootingAgent(draft: Draft): HandlerResult {
  const brought = broughtLate(draft);
  if (brought !== null) return brought;
  const waiting =
    beforeBoot(draft) ?? ensureNetwork(draft, "admin") ?? ensureAgent(draft) ?? ensureMeasured(draft);
  return waiting ?? goto("ManualCleaning/RunningStep", "the agent registered");
}

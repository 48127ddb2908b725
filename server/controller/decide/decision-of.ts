// Turns a draft into the decision: everything that the host's one commit writes.
import { stateLimitMs } from "@/server/domain/lifecycle/state-table";
import { isCleaning, isQueued } from "@/server/domain/lifecycle/states";
import { usableAgent } from "@/server/controller/host/usable-agent";
import { certificateRead } from "@/server/controller/inventory/certificate";
import { powerRead } from "@/server/controller/decide/power";
import type { Decision } from "@/server/controller/host/decision";
import type { RunWrite } from "@/server/domain/hosts/record/run";
import type { Draft } from "@/server/controller/host/draft";
import { earliest } from "@/server/controller/host/handler-result";
import { hintDueMs } from "@/server/controller/interruptions/boot-hint";
import { isHeld } from "@/server/controller/interruptions/voided";
import { acts } from "@/server/domain/repair/health/acting";
import { releaseDeadlineMs } from "@/server/controller/network/release";

const minWaitMs = 50;

/** `untilMs`: when the host is due again if nothing wakes it before. */
export function decisionOf(draft: Draft, waitReason: string, untilMs: number | null): Decision {
  const { evidence, hardware, inbox, reclaimed, run, steps, tenancy, view } = draft;
  // Clearing the last error also clears the trouble behind it.
  if (run.kept.lastError === null && draft.context.trouble !== undefined) draft.memory.forget("trouble");
  const readEffects = view.effects.filter((effect) => !inbox.isUnread(effect.id));
  return {
    run: runOf(draft, waitReason, untilMs),
    entered: run.entered,
    reclamation: reclaimed.written,
    endedBefore: reclaimed.endedBefore,
    steps: steps.changed,
    attempts: steps.writes,
    deviceResults: evidence.results,
    probes: evidence.probes,
    gates: evidence.gates,
    newDebt: tenancy.newDebt,
    clearDebts: tenancy.clearedDebts,
    endInstance: tenancy.ended,
    readyChanged: tenancy.readyChanged,
    instanceReady: tenancy.ready,
    instanceHistory: tenancy.history,
    bootWindowMs: run.bootWindowMs,
    bootProven: run.bootProven,
    effects: draft.effects,
    readEffects: readEffects.map(({ id }) => id),
    consumed: view.signals.filter(({ id }) => !inbox.isLeft(id)).map(({ id }) => id),
    host: hardware.found,
    storage: hardware.storage,
    parts: hardware.parts,
    matchedSku: hardware.matchedSku,
    power: powerRead(readEffects, usableAgent(draft)),
    certificate: certificateRead(readEffects),
    deleteHost: hardware.deleted,
    eraseLeftUntilMs: hardware.eraseLeftUntilMs,
    expectEvidenceSeq: evidence.expectSeq,
    refused: inbox.refused,
  };
}

function runOf(draft: Draft, waitReason: string, untilMs: number | null): RunWrite {
  const { run, state, nowMs, tenancy } = draft;
  const limit = stateLimitMs(state, draft.policy);
  const running = isCleaning(state) ? draft.steps.running : null;
  const releaseMs = releaseDeadlineMs(draft);
  // No handler acted on a time that has already passed, so looking again at once would change nothing.
  const dueAtMs = earliest(
    untilMs === null ? null : Math.max(untilMs, nowMs + minWaitMs),
    releaseMs !== null && releaseMs > nowMs ? releaseMs : null,
    hintDueMs(draft),
  );
  const { kept } = run;
  return {
    ...kept,
    context: draft.memory.stored,
    waitReason: waitReason === "" ? null : waitReason.slice(0, 2000),
    lastError: kept.lastError?.slice(0, 8000) ?? null,
    dueAtMs: draft.hardware.deleted ? null : dueAtMs,
    limitAtMs: acts(draft.view.run.health, "ExcludeFromStateMachineSla")
      ? null
      : ((isQueued(state) ? null : running?.deadlineAtMs) ?? (limit === null ? null : run.enteredMs + limit)),
    allocatable:
      state === "Ready" &&
      kept.allocatable &&
      !kept.maintenance &&
      !acts(draft.view.run.health, "PreventAllocations") &&
      !kept.touched,
    reclamationId: draft.reclamation?.id ?? kept.reclamationId,
    instanceId: tenancy.instance?.id ?? null,
    tenantId: tenancy.instance?.tenantId ?? null,
    cleanStep: running === null ? null : `${running.interface}.${running.step}`,
    cleanProgress: run.progress,
    command: run.command,
    commandEpoch: run.command === null || run.command === undefined ? null : kept.bootEpoch,
    erasing: draft.erase.running,
    bootHeld: isHeld(draft),
  };
}

// ReturnToAllocation/AwaitingProcedure and …/AwaitingSignOff: a clean host waits for people (docs/adr/0102-approvals-and-procedures.md).
import { standingWords } from "@/server/domain/gates/assurance";
import type { GateResult } from "@/server/domain/gates/gate-rule";
import { drainNeeded } from "@/server/domain/gates/memory";
import { fullAcDrain } from "@/server/domain/procedures/procedure";
import { standingsOf } from "@/server/domain/procedures/standing";
import type { ProcedureStanding } from "@/server/domain/procedures/standing";
import { gateInput, gatesOf } from "@/server/controller/handlers/gates-of";
import { enqueue } from "@/server/controller/interruptions/queued";
import type { Draft } from "@/server/controller/host/draft";
import { goto, wait } from "@/server/controller/host/handler-result";
import type { HandlerResult } from "@/server/controller/host/handler-result";

/** The claim was made in a state that brings no records, and the policy may ask for some: the next claim brings them. */
export const recordsUnread = (draft: Draft): boolean =>
  draft.view.assurance === null && draft.policy.procedures.length > 0 && !draft.fake;

/** Procedures that apply and are not signed off. */
function openStandings(draft: Draft): readonly ProcedureStanding[] {
  const { assurance, host } = draft.view;
  if (assurance === null || draft.reclamation === null) return [];
  return standingsOf(
    draft.policy.procedures,
    assurance,
    host.sku?.name ?? null,
    draft.nowMs,
    drainNeeded(gateInput(draft)),
  ).filter(({ status }) => status !== "signed");
}

/**
 * Nothing but people is missing: procedures, and perhaps the end of an alert or a maintenance, which is waited for after them. A drain that is
 * due also proves the memory.
 */
export function needsPeople(draft: Draft, open: readonly Pick<GateResult, "gate">[]): boolean {
  const drains = openStandings(draft).some(({ procedure }) => procedure.name === fullAcDrain);
  return (
    open.some(({ gate }) => gate === "assuranceSigned") &&
    open.every(
      ({ gate }) =>
        gate === "assuranceSigned" || gate === "healthy" || (gate === "memoryOverwritten" && drains),
    )
  );
}

/** As the gates will read: by one that does not count for what is found now, the host would come back here at once. */
const signaturesExcepted = (draft: Draft): boolean =>
  gatesOf(draft).some(({ gate, status }) => gate === "assuranceSigned" && status === "excepted");

const wordsOf = (open: readonly ProcedureStanding[]): string => open.map(standingWords).join("; ");

/** To where the host waits for people. */
export function toPeople(draft: Draft): HandlerResult {
  const open = openStandings(draft);
  const isRecorded = open.every(({ status }) => status === "awaitsSignOff");
  return goto(
    isRecorded ? "ReturnToAllocation/AwaitingSignOff" : "ReturnToAllocation/AwaitingProcedure",
    wordsOf(open),
  );
}

/** What was recorded stays with the reclamation; everything else is done anew. */
function restart(draft: Draft): HandlerResult {
  draft.needNewBoot();
  const { voids: _voids, ...cleaning } = draft.context.cleaning;
  draft.memory.keep({ cleaning: { ...cleaning, versionRestarts: 0 } });
  draft.memory.prove({ sku: null, tests: null });
  return enqueue(draft, "WaitingForCleanup/Init", "restart requested");
}

/** Whatever changed, all gates are evaluated again: nothing leads from here past them. */
export function awaitingAssurance(draft: Draft): HandlerResult {
  if (draft.takeIntent("restart") !== null) return restart(draft);
  if (draft.takeIntent("manage") !== null) {
    draft.endReclamation("abandoned", "an operator moved the host to Manageable");
    draft.run.setError(null);
    draft.run.setCommand(null);
    return goto("Manageable", "manage requested");
  }
  if (recordsUnread(draft)) return wait("reading the records of procedures", draft.nowMs);
  const open = openStandings(draft);
  const isLetThrough = open.length > 0 && signaturesExcepted(draft);
  if (open.length > 0 && !isLetThrough) {
    const next = toPeople(draft);
    return next.kind === "goto" && next.state !== draft.state ? next : wait(wordsOf(open), null);
  }
  // Where nobody recorded anything the mark `touched` is not set, and yet the host may have been restarted.
  if (!draft.fake && draft.context.proven.sku === null && !draft.run.kept.touched)
    return goto("BomValidating/BootingAgent", "the host was restarted since it was verified");
  return goto(
    "ReturnToAllocation/EvaluatingGates",
    isLetThrough ? "an exception covers the procedures" : "every procedure is signed off",
  );
}

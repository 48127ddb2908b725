// ReturnToAllocation/AwaitingProcedure and …/AwaitingSignOff: a clean host waits for people (docs/adr/0102-approvals-and-procedures.md).
import { formatProcedure } from "@/server/domain/reclamations/gates/assurance";
import type { GateResult } from "@/server/domain/reclamations/gates/gate-rule";
import { drainNeeded } from "@/server/domain/reclamations/gates/device-memory";
import { fullAcDrain } from "@/server/domain/assurance/procedures/procedure";
import { standingsOf } from "@/server/domain/assurance/procedures/standing";
import type { ProcedureStanding } from "@/server/domain/assurance/procedures/standing";
import { gateInput, gatesOf } from "@/server/controller/handlers/gates-of";
import { enqueue } from "@/server/controller/interruptions/queued";
import type { Draft } from "@/server/controller/host/draft";
import { goto, wait } from "@/server/controller/host/handler-result";
import type { HandlerResult } from "@/server/controller/host/handler-result";

/** The claim was made in a state that reads no records, although the policy asks for procedures: the next claim reads them. */
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
 * True if only people are missing: procedures, and perhaps the end of an alert or maintenance, which is waited for afterwards. A pending full AC
 * drain will also prove the memory, and that of devices.
 */
export function needsPeople(draft: Draft, open: readonly Pick<GateResult, "gate">[]): boolean {
  const drains = openStandings(draft).some(({ procedure }) => procedure.name === fullAcDrain);
  return (
    open.some(({ gate }) => gate === "assuranceSigned") &&
    open.every(
      ({ gate }) =>
        gate === "assuranceSigned" ||
        gate === "healthy" ||
        (drains && (gate === "memoryOverwritten" || gate === "deviceMemoryCleared")),
    )
  );
}

/** Evaluated as the gates will be: with an exception that does not cover the present findings, the host would come straight back here. */
const signaturesExcepted = (draft: Draft): boolean =>
  gatesOf(draft).some(({ gate, status }) => gate === "assuranceSigned" && status === "excepted");

const textOf = (open: readonly ProcedureStanding[]): string => open.map(formatProcedure).join("; ");

/** Enters the state in which the host waits for people. */
export function toPeople(draft: Draft): HandlerResult {
  const open = openStandings(draft);
  const isRecorded = open.every(({ status }) => status === "awaitsSignOff");
  return goto(
    isRecorded ? "ReturnToAllocation/AwaitingSignOff" : "ReturnToAllocation/AwaitingProcedure",
    textOf(open),
  );
}

/** What was recorded stays with the reclamation; everything else starts over. */
function restart(draft: Draft): HandlerResult {
  draft.needNewBoot();
  const { voids: _voids, ...cleaning } = draft.context.cleaning;
  draft.memory.keep({ cleaning: { ...cleaning, versionRestarts: 0 } });
  draft.memory.prove({ sku: null, tests: null });
  return enqueue(draft, "WaitingForCleanup/Init", "restart requested");
}

/** Whatever changed, all gates are evaluated again: no path from here skips them. */
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
    return next.kind === "goto" && next.state !== draft.state ? next : wait(textOf(open), null);
  }
  // If nobody recorded anything, `touched` is not set, yet the host may have been restarted.
  if (!draft.fake && draft.context.proven.sku === null && !draft.run.kept.touched)
    return goto("BomValidating/BootingAgent", "the host was restarted since it was verified");
  return goto(
    "ReturnToAllocation/EvaluatingGates",
    isLetThrough ? "an exception covers the procedures" : "every procedure is signed off",
  );
}

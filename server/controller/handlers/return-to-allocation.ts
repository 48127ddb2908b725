// ReturnToAllocation/…: evaluates all gates; Ready only if none is unsatisfied and no debt remains.
import { isRevoked } from "@/server/controller/boot/measured";
import type { GateName, GateStatus } from "@/server/domain/reclamations/gates/gate-names";
import { incomparable } from "@/server/domain/reclamations/gates/storage";
import { exceptedUntilMs } from "@/server/domain/reclamations/gates/exceptions";
import { gateTable, passes } from "@/server/domain/reclamations/gates/gate-names";
import { gateTally } from "@/server/domain/reclamations/gates/tally";
import type { Requirements } from "@/server/domain/cleaning/policy/policy";
import type { GateResult } from "@/server/domain/reclamations/gates/gate-rule";
import { actingText, acts, atWork } from "@/server/domain/repair/health/acting";
import { waitsForRepair } from "@/server/domain/repair/claimable";
import type { InstanceView } from "@/server/domain/hosts/record/host";
import { exclusion } from "@/server/domain/cleaning/sanitization/media-rules";
import { toLeftovers } from "@/server/controller/decommission/removing-leftovers";
import { touchedText } from "@/server/controller/inventory/content";
import { enqueue } from "@/server/controller/interruptions/queued";
import { readmit } from "@/server/controller/interruptions/interruptions";
import { needsPeople, recordsUnread, toPeople } from "@/server/controller/handlers/assurance/awaiting";
import { handOverLook, takeBack } from "@/server/controller/handlers/hand-over";
import { needsOnlyReading, readAgainFact, tpmItem } from "@/server/domain/reclamations/gates/platform";
import { tpmName } from "@/server/domain/hosts/platform/judge";
import { gateInput, gatesOf } from "@/server/controller/handlers/gates-of";
import type { Draft } from "@/server/controller/host/draft";
import { fail, goto, wait } from "@/server/controller/host/handler-result";
import type { HandlerResult } from "@/server/controller/host/handler-result";

/** The gates that must be proven or excepted before a debt is cleared (docs/design/lifecycle.md#sanitization-debt). */
const debtGates: readonly GateName[] = [
  "storageSanitized",
  "memoryOverwritten",
  "deviceMemoryCleared",
  "platformAtBaseline",
];

/** Platform and memory of devices are not part of a debt on a site that does not require them, nor is memory of devices that do not exist; drives and memory always are. */
function clearsDebt({ gate, status }: GateResult, requires: Requirements): boolean {
  return (
    status === "satisfied" ||
    status === "excepted" ||
    (gate === "deviceMemoryCleared" && status === "not required") ||
    ((gate === "platformAtBaseline" || gate === "deviceMemoryCleared") &&
      status === "waived" &&
      !requires[gate])
  );
}

/** A retired host that stays is not allocated again, so maintenance does not delay it. One that leaves must be proven, which maintenance would undo. */
const staysRetired = (draft: Draft): boolean => draft.view.host.retired && !draft.leaves;

export function evaluatingGates(draft: Draft): HandlerResult {
  const { reclamation } = draft;
  if (reclamation === null)
    return fail("ManualInterventionRequired", [{ key: "recordBroken", raw: "no reclamation" }]);
  if (reclamation.kind === "manualCleaning")
    return fail("ManualInterventionRequired", [
      { key: "recordBroken", raw: "a manual cleaning proves nothing; provide the host" },
    ]);
  const work = workUnderWay(draft);
  // safety: recheck: a clean host that somebody works on is not restarted
  if (work !== null) return goto("ReturnToAllocation/AwaitingHealth", work);
  // Everything read of the host is older than the work that somebody may have done on it.
  // safety: recheck: a clean host that was touched is read again
  if (draft.run.kept.touched && !draft.run.kept.maintenance && !draft.fake)
    return isRevoked(draft) ? cleanAgain(draft, touchedText(draft)) : readAgain(draft, touchedText(draft));
  // safety: procedures: their records are read before the gates
  if (recordsUnread(draft)) return wait("reading the records of procedures", draft.nowMs);
  // The claim was made in a state that does not look; the next one does.
  // safety: gates: whose the drives are is looked up before them
  if (draft.view.elsewhere === null && !draft.fake)
    return wait("looking up whether its drives belong to another host", draft.nowMs);
  if (needsLookForGpus(draft)) {
    draft.needNewBoot();
    return goto("BomValidating/BootingAgent", "whether it has GPUs was not looked up in its last boot");
  }
  const { site } = draft.view;
  const results = gatesOf(draft);
  const open = results.filter((gate) => !passes(gate.status, { demo: site.demo, fake: draft.fake }));
  // The claim was made in a state that reads no exceptions, and one might cover a gate: the next claim reads them. A host that needs none never waits.
  if (draft.view.exceptions === null && open.some(({ gate }) => gateTable[gate].exception !== "never"))
    return wait("reading the exceptions", draft.nowMs);
  draft.evidence.setGates(results);
  const retired = staysRetired(draft);
  if (needsPeople(draft, open)) return toPeople(draft);
  if (open.length > 0 && open.every((gate) => gate.gate === "healthy") && !retired) {
    if (mayBeRepaired(draft)) return offerForRepair(draft, results);
    return goto("ReturnToAllocation/AwaitingHealth", open.map((gate) => gate.reason).join("; "));
  }
  const unproven = retired ? open.filter((gate) => gate.gate !== "healthy") : open;
  // safety: Ready: every gate passes
  if (unproven.length > 0)
    return fail("GateUnsatisfied", [
      {
        key: "gateUnsatisfied",
        facts: {
          gates: unproven.map(({ gate }) => gate).join(", "),
          ...(needsOnlyReading(unproven) ? readAgainFact : {}),
        },
        raw: unproven.map((gate) => `${gate.gate}: ${gate.reason}`).join("; "),
      },
    ]);
  // safety: Ready: its certificate is written
  if (draft.certificateFault !== null && !draft.leaves && !retired)
    return fail("ManualInterventionRequired", [
      { key: "recordBroken", raw: `the certificate cannot be written: ${draft.certificateFault}` },
    ]);
  const owes = settleDebts(draft, results);
  if (owes !== null) return owes;
  // safety: Ready: the evidence has not moved
  draft.evidence.expectUnmoved(draft.view.run.evidenceSeq);
  // safety: decommission: a host that leaves does not become Ready
  if (draft.leaves) return toLeftovers(draft);
  // safety: Ready: no retired host
  if (retired) return retire(draft, results);
  return becomeReady(draft, results);
}

/**
 * Compared with its SKU by a release that did not look for GPUs, or restarted after it was compared, which the release before does for a silent agent.
 * Not again and again: every test follows the look in its boot (`machineValidating`).
 */
function needsLookForGpus({ context: { proven }, view: { agent }, fake }: Draft): boolean {
  const lookedIn = proven.memoryDevices?.epoch;
  return (
    !fake &&
    proven.sku !== null &&
    (lookedIn === undefined || (agent !== null && agent.bootEpoch !== lookedIn))
  );
}

/** A host that leaves the fleet or is retired is not offered for repair. */
const mayBeRepaired = ({ view, run, leaves }: Draft): boolean =>
  !leaves && !view.host.retired && waitsForRepair(view.run.health, run.kept.maintenance);

/** Proves the host exactly as clean as one that becomes Ready: its debts are settled before anybody may claim it. */
function offerForRepair(draft: Draft, results: readonly GateResult[]): HandlerResult {
  const owes = settleDebts(draft, results);
  // safety: repair: a host that owes is nobody's to claim
  if (owes !== null) return owes;
  // safety: repair: the evidence has not moved
  draft.evidence.expectUnmoved(draft.view.run.evidenceSeq);
  keepDrives(draft);
  keepExceptions(draft, results);
  return goto("ReturnToAllocation/AwaitingRepair", "every gate except host health lets it go on");
}

/** Why the debts ended, for the record. */
function formatDebtEnd(ofDebt: readonly GateResult[]): string {
  const named = (status: GateStatus) =>
    ofDebt.filter((gate) => gate.status === status).map(({ gate }) => gate);
  const [without, excepted] = [named("waived"), named("excepted")];
  if (excepted.length > 0)
    return `an exception covers ${excepted.join(", ")}; the drives it names are not sanitized and stay in the debt`;
  return without.length > 0
    ? `the site's policy does not require ${without.join(", ")}, the others were satisfied`
    : "every gate of the debt was satisfied";
}

/** Clears the host's debts if its gates allow it. Null: no debt remains. */
function settleDebts(draft: Draft, results: readonly GateResult[]): HandlerResult | null {
  if (draft.tenancy.debts === 0) return null;
  const ofDebt = results.filter((gate) => debtGates.includes(gate.gate));
  const owed = ofDebt.filter((gate) => !clearsDebt(gate, draft.policy.requires));
  // safety: Ready: a debt needs its gates
  if (owed.length > 0)
    return fail("GateUnsatisfied", [
      {
        key: "gateUnsatisfied",
        facts: { gates: owed.map(({ gate }) => gate).join(", ") },
        raw: `the host has a sanitization debt: ${owed.map((gate) => `${gate.gate} is ${gate.status}`).join("; ")}`,
      },
    ]);
  draft.tenancy.clearDebts(formatDebtEnd(ofDebt));
  return null;
}

/** Keeps the drives that a tenant's debt will name. */
function keepDrives(draft: Draft): void {
  // Where cleaning was skipped no list was frozen, so the agent's report provides the serials.
  draft.memory.keep({
    drives: (
      draft.reclamation?.devices?.expected ??
      (draft.view.inventory.agent?.body.storage ?? []).filter(
        (device) => exclusion(device, draft.policy.sanitization.excludedMedia) === null,
      )
    ).map((device) => device.serial),
  });
}

/** Keeps when the exceptions end: the host is not allocated after that, and a later reclamation must prove what they covered. */
function keepExceptions(draft: Draft, results: readonly GateResult[]): void {
  const standing = (draft.view.exceptions ?? []).filter(({ validUntilMs }) => validUntilMs > draft.nowMs);
  const until = exceptedUntilMs(results, standing);
  // safety: exceptions: a clean host knows when they end (null)
  if (until !== null) draft.memory.keep({ exceptedUntil: new Date(until).toISOString() });
  else draft.memory.forget("exceptedUntil");
}

/** A recheck of this host cannot tell what became of its TPM, so the record keeps it. */
function keepTpm(draft: Draft): void {
  const platform = draft.reclamation?.platform ?? null;
  if (platform === null) return;
  const items = platform.items.filter(({ name }) => name !== tpmName);
  draft.patchReclamation({ platform: { ...platform, items: [...items, tpmItem(gateInput(draft))] } });
}

function becomeReady(draft: Draft, results: readonly GateResult[]): HandlerResult {
  keepTpm(draft);
  keepDrives(draft);
  keepExceptions(draft, results);
  draft.endReclamation("ready", null);
  draft.run.setError(null);
  draft.run.setAllocatable(!draft.run.kept.maintenance);
  if (draft.fake) return goto("Ready", "fake hardware: nothing was proven");
  // The agent is done: the host restarts and boots from disk, because no boot window is open.
  draft.run.setCommand({ kind: "restart", id: `restart:${draft.bootEpoch}` });
  draft.needNewBoot();
  return goto("Ready", readyText(results));
}

/** The history's reason for a host that became Ready. */
function readyText(results: readonly GateResult[]): string {
  const { satisfied, applying, words } = gateTally(results.map(({ status }) => status));
  return satisfied === applying ? `every gate that applies is satisfied: ${words}` : `satisfied: ${words}`;
}

/** The proof counts and the debt is cleared, but the host is not allocated again (docs/api-ironic.md#provision-state). Does not wait for maintenance to end. */
function retire(draft: Draft, results: readonly GateResult[]): HandlerResult {
  // safety: exceptions: a retired host knows what it rests on, should it be taken back
  keepExceptions(draft, results);
  // Its gates may be excepted or waived: how many are satisfied is said, and no more.
  const { words } = gateTally(results.map(({ status }) => status));
  draft.endReclamation("cleaned", "the host is retired: it is not allocated again");
  draft.run.setError(null);
  draft.run.setCommand(null);
  return goto("Manageable", draft.fake ? "the host is retired" : `the host is retired; satisfied: ${words}`);
}

/** Nothing that was said of its drives counts any more. */
function cleanAgain(draft: Draft, why: string): HandlerResult {
  draft.needNewBoot();
  draft.memory.prove({ sku: null, tests: null });
  return enqueue(draft, "WaitingForCleanup/Init", `${why}; the drives are erased again`);
}

/** Repeats boot, inventory, content and tests. What was cleaned stays cleaned if it is found unchanged; what cannot be compared is erased again. */
function readAgain(draft: Draft, why: string): HandlerResult {
  const { reclamation } = draft;
  draft.needNewBoot();
  draft.memory.prove({ sku: null, tests: null });
  const hidden = incomparable(reclamation?.devices?.expected ?? [], reclamation?.content ?? null);
  // safety: recheck: drives that cannot be compared are erased again (always)
  if (hidden === undefined)
    return readmit(draft, "BomValidating/BootingAgent", `${why}; the host is read again`);
  return enqueue(
    draft,
    "WaitingForCleanup/Init",
    `${why}; the content of drive ${hidden.serial} cannot be compared with its recorded content, so the drives are erased again`,
  );
}

/** The host was touched, and an alert says that somebody is still working on it: reading it again would restart it under their hands. */
const workUnderWay = ({ run, view, fake }: Draft): string | null =>
  run.kept.touched && !run.kept.maintenance && !fake ? atWork(view.run.health) : null;

/** Why a clean host must wait; null: it need not. A host that leaves the fleet is not allocated, so no alert delays it. */
function heldByHealth({ run, view, leaves }: Draft): string | null {
  // safety: Ready: maintenance waits
  if (run.kept.maintenance) return `in maintenance: ${run.kept.maintenanceReason ?? "no reason given"}`;
  // safety: Ready: an alert waits (never)
  return !leaves && acts(view.run.health, "PreventAllocations")
    ? `an alert prevents allocation: ${actingText(view.run.health, "PreventAllocations")}`
    : null;
}

/** The inventory of its last boot counts: nothing has restarted the host since. */
const isVerified = (draft: Draft): boolean => draft.fake || draft.context.proven.sku !== null;

/** A repair tenant has claimed the host: the claim wrote the instance in its own statement. */
function handOver(draft: Draft, instance: InstanceView): HandlerResult {
  // safety: hand-over: a host that was restarted while it waited for a repair
  if (!isVerified(draft) && !draft.tenancy.isReleasing) {
    takeBack(draft, instance);
    return readAgain(draft, `it was not handed over: ${restarted}`);
  }
  const looked = handOverLook(draft, instance);
  if (looked.kind === "waiting") return looked.result;
  // safety: hand-over: a host that changed while it waited for a repair
  if (looked.kind === "takenBack") return readAgain(draft, looked.why);
  draft.endReclamation("handedToRepair", "a repair tenant has claimed the host");
  const { network, drives, eraseUntil } = draft.context;
  draft.memory.begin({ network, drives, eraseUntil });
  draft.run.setError(null);
  draft.run.setCommand(null);
  draft.tenancy.note(instance, "Provisioning", "The host's network is being configured");
  return goto("Assigned/WaitingForNetworkConfig", "claimed for repair");
}

/** The host is clean and only a repair keeps it out of allocation. A claim moves the evidence, so the host cannot go elsewhere at the same moment. */
export function awaitingRepair(draft: Draft): HandlerResult {
  const assign = draft.takeIntent("assign");
  const { instance } = draft.tenancy;
  // safety: repair: a claimed host goes to who claimed it
  if (instance !== null) return handOver(draft, instance);
  if (assign !== null)
    draft.inbox.refuse({
      intent: "assign",
      reason: "the instance is not on this host",
      requestId: assign.by.requestId,
    });
  const verified = isVerified(draft);
  const untilMs = Date.parse(draft.context.exceptedUntil ?? "") || null;
  const stands = verified && (untilMs === null || draft.nowMs < untilMs);
  if (mayBeRepaired(draft) && (draft.fake || !draft.run.kept.touched) && stands)
    return wait("every gate except host health lets the host go on; it waits for a repair tenant", untilMs);
  // safety: repair: a claim at this moment goes first
  draft.evidence.expectUnmoved(draft.view.run.evidenceSeq);
  if (verified)
    return goto(
      "ReturnToAllocation/EvaluatingGates",
      "the reason that kept the host out of allocation has changed",
    );
  const atIt = draft.run.kept.maintenance ? heldByHealth(draft) : atWork(draft.view.run.health);
  // safety: repair: a host that was restarted by who works on it is left alone
  if (atIt !== null) return goto("ReturnToAllocation/AwaitingHealth", atIt);
  return verifyAgain(draft);
}

const restarted = "the host was restarted since it was verified";

/** Verifies the host in a new boot of ours. If somebody may have touched it, the gates decide first: what no boot can show is erased again. */
function verifyAgain({ run }: Draft): HandlerResult {
  // safety: recheck: a restart takes no host past the gates that was touched
  if (run.kept.touched && !run.kept.maintenance) return goto("ReturnToAllocation/EvaluatingGates", restarted);
  return goto("BomValidating/BootingAgent", restarted);
}

/** The clean host waits for the alert or maintenance to end; then all gates are evaluated again. */
export function awaitingHealth(draft: Draft): HandlerResult {
  const work = workUnderWay(draft);
  // safety: recheck: the end of the last work is waited for
  if (work !== null) return wait(work, null);
  const held = heldByHealth(draft);
  // The host was restarted meanwhile, so it is verified again in a boot of ours.
  const goesOn = held === null || mayBeRepaired(draft) || staysRetired(draft);
  if (!draft.fake && goesOn && draft.context.proven.sku === null) return verifyAgain(draft);
  if (held === null) return goto("ReturnToAllocation/EvaluatingGates", "the alert or maintenance has ended");
  if (mayBeRepaired(draft)) return goto("ReturnToAllocation/EvaluatingGates", "a repair was requested");
  return staysRetired(draft)
    ? goto("ReturnToAllocation/EvaluatingGates", "the host was retired")
    : wait(held, null);
}

// Which intents are accepted in which states: one table for server, page, CLI and tests (docs/design/lifecycle.md#intents).
import { momentText } from "@/server/domain/lifecycle/moment-text";
import { roleTable } from "@/server/domain/access/roles";
import type { Role } from "@/server/domain/access/roles";
import { interrupt } from "@/server/domain/cleaning/interruptions";
import type { Interruption, InterruptionFacts } from "@/server/domain/cleaning/interruptions";
import type { IntentKind } from "@/server/domain/lifecycle/signals";
import { describeState } from "@/server/domain/lifecycle/state-table";
import { leasedText } from "@/server/domain/repair/leases/lease";
import {
  causeOf,
  cleanFailures,
  isClaimable,
  isCleaning,
  isFailed,
  isState,
  topLevel,
  waitsClean,
  waitsForAssurance,
  waitsForNetwork,
  waitsForSku,
} from "@/server/domain/lifecycle/states";
import type { FailureCause, State, StoredState } from "@/server/domain/lifecycle/states";

/** What decides besides the state. */
export interface IntentFacts {
  readonly state: StoredState;
  readonly instanceOpen: boolean;
  readonly releaseRequested: boolean;
  readonly reclamationOpen: boolean;
  readonly allocatable: boolean;
  /** For a host that is being cleaned or whose cleaning failed, from `interruptionFacts` (cleaning/interruptions.ts). */
  readonly cleaning: InterruptionFacts | null;
  /** The last requested reading of its inventory failed, and nobody has acknowledged that. */
  readonly inspectionFailed?: boolean;
  /** A technique that cannot be stopped may still be running on the host's drives, whatever happened to its cleaning. */
  readonly erasing: boolean;
  /** Until when at the latest; null: no erase may be running. */
  readonly eraseUntilMs: number | null;
  /** Something can report what the drives are doing: an agent that can be asked, or one that reports (`drivesAreHeard`). */
  readonly drivesHeard: boolean;
  /** Must not be allocated again. */
  readonly retired: boolean;
  /** Must not be released or removed, as set on `/v1`. */
  readonly protected: boolean;
  /** There is an alert with `PreventInstanceDeletion`. */
  readonly deletionPrevented: boolean;
  /** The host is repaired while its tenant keeps it. */
  readonly onlineRepair?: boolean;
  /** In `Failed/GateUnsatisfied`: an exception was approved, or a retry needs only to read and test the host again, without erasing. */
  readonly gatesMayPass?: boolean;
  /** The repair system that has the host (server/domain/repair/leases/lease.ts); left out or null: none. */
  readonly leasedTo?: string | null;
}

/** For a host that nobody holds or cleans, and whose drives report nothing. */
export const quietFacts = (state: StoredState): IntentFacts => ({
  state,
  instanceOpen: false,
  releaseRequested: false,
  reclamationOpen: false,
  allocatable: false,
  cleaning: null,
  erasing: false,
  eraseUntilMs: null,
  drivesHeard: false,
  retired: false,
  protected: false,
  deletionPrevented: false,
});

/** Null if accepted; otherwise why not, and what would help. */
type Rule = (facts: IntentFacts) => string | null;

const stopped: Rule = (facts) => {
  if (!isFailed(facts.state)) return "only a failed host can be retried; this one has not failed";
  return facts.reclamationOpen ? null : "no stopped reclamation belongs to this host";
};

/** States that a host stays in until a person acts. */
export const isStopped = (state: StoredState): boolean =>
  state === "Manageable" || isFailed(state) || waitsForSku.has(state);

/** States in which Reclaim is not working on the host, so that another reclamation may begin. */
const standsStill = (state: StoredState): boolean =>
  state === "Ready" || waitsClean.has(state) || isStopped(state);

const cleanCauses: ReadonlySet<FailureCause> = new Set<FailureCause>(cleanFailures);

/** Abort, hold, resume and retry have their own table. */
const interrupts =
  (intent: Interruption): Rule =>
  (facts) => {
    if (facts.cleaning === null) return `no cleaning is running; the host is in ${facts.state}`;
    const answer = interrupt(intent, facts.cleaning);
    return answer.ok ? null : answer.reason;
  };

/**
 * Why power, provision and release are refused while a host is cleaned, with the step's name; null if it is not being cleaned. A failed host is not locked
 * (docs/cleaning.md#locks). Pure.
 */
export function cleaningLock({ state, cleaning }: Pick<IntentFacts, "state" | "cleaning">): string | null {
  if (!isCleaning(state)) return null;
  const step = cleaning?.step ?? null;
  return step === null
    ? `the host is being cleaned; it is in ${state}`
    : `the host is being cleaned: ${step} runs`;
}

/** Says first what to do: the alert of an online repair must not be removed on its own. */
export const onlineRepairIsOn =
  "online repair is on: clear online repair first, or escalate it to a full repair";

/** NICo's text. */
export const deletionPrevented =
  "instance release is blocked: aggregate health includes a PreventInstanceDeletion alert. Remove the alert or the health override that carries it, then retry";

/** States in which Reclaim does not power or boot the host. On hold, it is between two steps. */
const powered: ReadonlySet<StoredState> = new Set<State>([
  "Enroll",
  "Manageable",
  "Ready",
  "Assigned/Ready",
  "ManualCleaning/OnHold",
  "WaitingForCleanup/OnHold",
]);

/** A person may control power while the controller does not need it, and never while an erase may be running (docs/cleaning.md#locks). */
const power: Rule = (facts) => {
  // safety: intents: no power where the controller needs it
  if (!powered.has(facts.state) && !isFailed(facts.state))
    return cleaningLock(facts) ?? `in ${facts.state} the controller manages the host's power`;
  // safety: intents: no power while an erase may run
  if (facts.erasing)
    return `an erase that cannot be stopped may still be running${facts.eraseUntilMs === null ? "" : `, until ${momentText(facts.eraseUntilMs)} at the latest`}`;
  return facts.state === "Assigned/Ready" && facts.releaseRequested ? "the host is being released" : null;
};

/**
 * A person may set how a host boots only where the controller orders no boot and the setting changes nothing that was checked. A device set by a person
 * must never boot a host that is being cleaned, or is about to be, from its disks (docs/adr/0071-boot-settings-by-a-person.md).
 */
const setBoot: Rule = (facts) => {
  // safety: intents: no boot setting where the controller owns the boot
  if (facts.state !== "Manageable" && facts.state !== "Assigned/Ready")
    return (
      cleaningLock(facts) ??
      `in ${facts.state} the controller manages how the host boots; it can be set in Manageable and in Assigned/Ready`
    );
  return power(facts);
};

/** An NMI stops the running system, so it must never hit one that erases, or one on which a reclamation is to continue. */
const injectNmi: Rule = (facts) => {
  if (isFailed(facts.state) && !facts.reclamationOpen) return power(facts);
  // safety: intents: no NMI where the controller works
  if (facts.state !== "Manageable" && facts.state !== "Assigned/Ready")
    return (
      cleaningLock(facts) ??
      (isFailed(facts.state)
        ? "a reclamation stopped on this host and may continue: an NMI would stop its agent; manage the host first"
        : `a host in ${facts.state} cannot take an NMI; it can in Manageable, in Assigned/Ready, or failed without a reclamation`)
    );
  return power(facts);
};

const inspect: Rule = (facts) =>
  isStopped(facts.state)
    ? null
    : (cleaningLock(facts) ??
      `in ${facts.state} the inventory is read automatically; you can request it in Manageable, in Failed, or while the host waits for a SKU`);

export const intentRules = {
  manage: (facts) => {
    if (facts.state === "Enroll" || facts.state === "Ready") return null;
    // Ironic's way out of `inspect failed`: the host stays where it is, and the failure is cleared.
    if (facts.state === "Manageable" && facts.inspectionFailed === true) return null;
    if (!isFailed(facts.state) && !waitsForAssurance.has(facts.state))
      return (
        cleaningLock(facts) ??
        `a host in ${facts.state} cannot be moved to Manageable; it can from Enroll, Ready or Failed`
      );
    // safety: intents: manage with an instance on the host (never)
    return facts.instanceOpen ? "an instance is still on the host" : null;
  },
  provide: (facts) => {
    if (facts.state === "Manageable")
      return facts.retired ? "the host is retired and must not be allocated again" : null;
    return cleaningLock(facts) ?? `only a Manageable host can be provided; this one is in ${facts.state}`;
  },
  clean: (facts) => {
    if (facts.state === "Manageable") return null;
    const cause = causeOf(facts.state);
    if (cause === null || !cleanCauses.has(cause))
      return (
        cleaningLock(facts) ??
        `only a Manageable host, or one whose cleaning failed, can be cleaned manually; this one is in ${facts.state}`
      );
    // safety: intents: cleaning by hand with an instance on the host (never)
    return facts.instanceOpen ? "an instance is still on the host" : null;
  },
  abort: interrupts("abort"),
  hold: interrupts("hold"),
  resume: interrupts("resume"),
  powerOn: power,
  powerOff: power,
  reboot: power,
  softPowerOff: power,
  softReboot: power,
  injectNmi,
  setBoot,
  skipEraseWait: (facts) => {
    if (!facts.erasing) return "no erase wait is in progress";
    // What a drive reports takes precedence over what a person assumes (docs/adr/0022-durations-travel.md).
    // safety: intents: no skipped wait where a drive can be asked (never)
    return facts.drivesHeard
      ? "the host's agent responds and reports on the drives; the wait ends automatically when no drive is erasing"
      : null;
  },
  askNetwork: ({ state }) => {
    if (waitsForNetwork.has(state)) return null;
    return isFailed(state)
      ? "the host has failed: retry to repeat the request to the network controller"
      : `a host in ${state} is not waiting for a network`;
  },
  assign: (facts) => {
    // A repair tenant's claim, which has checked the alerts.
    if (facts.state === "ReturnToAllocation/AwaitingRepair") return null;
    if (facts.state !== "Ready")
      return cleaningLock(facts) ?? `only a Ready host can be claimed; this one is in ${facts.state}`;
    // safety: intents: a host kept out of allocation (always)
    return facts.allocatable ? null : "the host is Ready but kept out of allocation";
  },
  release: (facts) => {
    if (!facts.instanceOpen) return cleaningLock(facts) ?? "no instance is on the host";
    if (facts.releaseRequested) return "the release was already accepted";
    if (facts.onlineRepair === true) return onlineRepairIsOn;
    // safety: intents: no release under an alert that prevents it
    if (facts.deletionPrevented) return deletionPrevented;
    // A claimed host stays where it was until the look before its hand-over has ended (docs/adr/0121-ready-lasts.md).
    return topLevel(facts.state) === "Assigned" || isFailed(facts.state) || isClaimable(facts.state)
      ? null
      : `an instance on a host in ${facts.state} cannot be released`;
  },
  retry: (facts) => {
    // safety: intents: no retry past a gate
    if (facts.state === "Failed/GateUnsatisfied" && facts.gatesMayPass !== true)
      return "a gate is unsatisfied: restart the plan once the cause is fixed, or have an exception approved";
    if (facts.state === "Failed/AgentVersionMismatch")
      return "the plan was made with different hardware managers: restart it";
    return isCleaning(facts.state) ? interrupts("retry")(facts) : stopped(facts);
  },
  // A host that differs from its SKU has not failed, but somebody may have to start over after a repair.
  restart: (facts) =>
    (waitsForSku.has(facts.state) || waitsForAssurance.has(facts.state)) && facts.reclamationOpen
      ? null
      : (cleaningLock(facts) ?? stopped(facts)),
  inspect,
  inspectByAgent: inspect,
  decommission: (facts) => {
    // safety: intents: no decommission with an instance on the host (never)
    if (facts.instanceOpen) return "an instance is on the host; release it first";
    // safety: intents: a protected host is not decommissioned (never)
    if (facts.protected) return "the host is protected; remove the protection first";
    if (standsStill(facts.state)) return null;
    return facts.state === "Enroll" || facts.state === "Verifying"
      ? "the BMC was not verified, so nothing on the host can be erased: manage the host first, or delete it"
      : (cleaningLock(facts) ??
          `a host in ${facts.state} cannot be decommissioned; it can in Ready, Manageable, Failed, or while it waits for a SKU or for its maintenance to end`);
  },
  acceptLeftovers: (facts) =>
    facts.state === "Failed/LeftoversRemain"
      ? null
      : "the host has no leftovers to accept: only a decommission that stopped at leftovers has",
  forceDelete: (facts) => (facts.state === "ForceDeletion" ? "the host is already being deleted" : null),
} satisfies Record<IntentKind, Rule>;

/** Why nothing can be requested for a host in a state of another release; null: this release knows the state. Pure. */
export function unknownRefusal(state: StoredState): string | null {
  // safety: intents: nothing is asked in a state of another release (always)
  return isState(state) ? null : `the host is in ${state}, a state unknown to this server's release`;
}

/** Why an intent is refused now; null: it is accepted. Pure. */
export function refusal(intent: IntentKind, facts: IntentFacts): string | null {
  // safety: custody: nothing is asked of a host that a repair system has
  if (facts.leasedTo != null) return leasedText(facts.leasedTo);
  return unknownRefusal(facts.state) ?? intentRules[intent](facts);
}

/**
 * Why an instance may not be released now, worded for whoever asks; null: it may be. A tenant does not get to see the name of another release's state
 * (docs/adr/0024-rolling-upgrade.md). Pure.
 */
export function releaseRefusal(facts: IntentFacts, role: Role): string | null {
  const reason = refusal("release", facts);
  return reason !== null && !isState(facts.state) && roleTable[role].ofTenant
    ? `its host is ${describeState(facts.state).tenantWords}`
    : reason;
}

// What a gate's rule sees and says, and what several rules ask (docs/design/lifecycle.md#gates).
import type { DisabledStep } from "@/server/domain/cleaning/plan/plan";
import type { ContentInput } from "@/server/domain/gates/content";
import type { ActingHealth } from "@/server/domain/health/acting";
import type { GateName, GateStatus } from "@/server/domain/gates/gate-names";
import type { UnresolvedStorage } from "@/server/domain/sanitization/known-devices";
import type { ProvenContext } from "@/server/domain/lifecycle/context";
import type { AnsweredDevice } from "@/server/domain/sanitization/dispositions";
import type { Requirements } from "@/server/domain/cleaning/policy";
import type { Procedure } from "@/server/domain/procedures/procedure";
import type { AssuranceFacts } from "@/server/domain/procedures/standing";
import type { NetworkAcks } from "@/server/domain/network/acknowledged";

/** `bootEpoch`: of the registered agent. */
export interface GateEvidenceInput extends ContentInput {
  /** The host is of type `fake`: no machine stands behind it. */
  readonly fake: boolean;
  readonly kind: "release" | "repairRelease" | "onboarding" | "recheck" | "decommission";
  readonly instanceOpen: boolean;
  readonly resourcesHeld: number;
  readonly network: NetworkAcks;
  readonly plan: readonly {
    readonly position: number;
    readonly interface: string;
    readonly step: string;
    readonly status: string;
    readonly stepRunId: string;
    readonly attempt: number;
    readonly proves: readonly GateName[];
  }[];
  readonly planMade: boolean;
  /** Steps that an override had disabled when the plan was made. */
  readonly disabled: readonly DisabledStep[];
  /** Left out of cleaning, each with the reason. */
  readonly excludedDevices: readonly {
    readonly serial: string;
    readonly model: string;
    readonly reason: string;
  }[];
  /** What the inventories list and nobody can treat: blocks until a person decides. */
  readonly unresolvedStorage: readonly UnresolvedStorage[];
  /** Of the current plan, the last verdict per device. */
  readonly deviceVerdicts: readonly {
    readonly serial: string;
    readonly model: string;
    readonly verdict: "sanitized" | "failed";
    readonly reason: string;
  }[];
  /** Drives that a person's statement took out of the expected ones, and the ids of the statements that stand. */
  readonly answered: readonly AnsweredDevice[];
  readonly standing: readonly string[];
  readonly skuHasStorage: boolean;
  readonly infinibandPresent: boolean;
  /** The host's inventory is of Ironic's agent, which lists block devices and no InfiniBand (docs/adr/0087-the-ironic-agent-as-a-guest.md). */
  readonly guest: boolean;
  readonly proven: ProvenContext;
  /** How that agent came: whether the restart of its boot was done before it registered, and whether it was alone; null: there is none. */
  readonly boot: {
    readonly bootEpoch: number;
    readonly afterReset: boolean;
    readonly contested: boolean;
  } | null;
  /** Why what was erased counts no more; null: it counts. */
  readonly voided: string | null;
  readonly testsWanted: readonly string[];
  /** Steps of the site that must have run, as `interface.step`. */
  readonly requiredSteps: readonly string[];
  readonly maintenance: boolean;
  readonly maintenanceReason: string | null;
  /** What of the host's health reports acts; null: nothing is reported. */
  readonly health: ActingHealth | null;
  readonly debts: number;
  /** Manual procedures of the policy, and what is recorded of them; null: the records were not read. */
  readonly procedures: readonly Procedure[];
  readonly assurance: AssuranceFacts | null;
  readonly skuName: string | null;
  readonly nowMs: number;
  /** What the policy of the reclamation asks besides cleaning. */
  readonly requires: Requirements;
}

export interface GateResult {
  readonly gate: GateName;
  readonly status: GateStatus;
  readonly reason: string;
  readonly evidence: Readonly<Record<string, unknown>>;
}

export type Evaluated = Omit<GateResult, "gate">;
export const satisfied = (reason: string, evidence: Record<string, unknown> = {}): Evaluated => ({
  status: "satisfied",
  reason,
  evidence,
});
export const unsatisfied = (reason: string, evidence: Record<string, unknown> = {}): Evaluated => ({
  status: "unsatisfied",
  reason,
  evidence,
});
export const notRequired = (reason: string, evidence: Record<string, unknown> = {}): Evaluated => ({
  status: "not required",
  reason,
  evidence,
});
/** A gate that Reclaim cannot check yet: only the site can say that it does without (docs/adr/0058-what-a-site-requires.md). */
export const notImplemented = (
  { requires }: GateEvidenceInput,
  gate: keyof Requirements,
  what: string,
): Evaluated =>
  /* safety: gates: what the site requires and Reclaim cannot check is not left out (false) */ requires[gate]
    ? { status: "not implemented", reason: `Reclaim does not check ${what} yet`, evidence: {} }
    : notRequired(`the site's policy does not require ${what}`);

export const beganWithInstance = (input: GateEvidenceInput): boolean =>
  input.kind === "release" || input.kind === "repairRelease";

/** Nothing of the cleaning may be left out: the host owes a sanitization, or leaves the fleet (docs/adr/0059-decommission.md). */
export const mustBeCleaned = (input: GateEvidenceInput): boolean =>
  input.debts > 0 ||
  /* safety: decommission: nothing is left out of the last cleaning */ input.kind === "decommission";

const whyCleaned = (input: GateEvidenceInput): string =>
  input.debts > 0 ? "the host owes a sanitization" : "the host leaves the fleet";

/** Cleaning may be left out only where no debt stands; with one it is unsatisfied, never "not required". */
export const skipped = (input: GateEvidenceInput): Evaluated | null =>
  input.proven.cleaningSkipped
    ? /* safety: gates: no debt is left out with the cleaning (always) */ !mustBeCleaned(input)
      ? notRequired("automated cleaning off")
      : unsatisfied(`automated cleaning is off, and ${whyCleaned(input)}`)
    : null;

const scopeWords = { site: "site", sku: "SKU", host: "host" } as const;
const named = (steps: readonly DisabledStep[]): string =>
  steps
    .map((row) => `${row.interface}.${row.step} disabled by ${scopeWords[row.source]} override`)
    .join(", ");

/** What an override disabled may be left out only where no debt stands, like all of cleaning. */
export function disabled(
  input: GateEvidenceInput,
  steps: readonly DisabledStep[],
  evidence: Record<string, unknown> = {},
): Evaluated {
  // safety: gates: no debt is left out with a disabled step (always)
  return !mustBeCleaned(input)
    ? { ...notRequired(named(steps)), evidence }
    : unsatisfied(`${named(steps)}, and ${whyCleaned(input)}`, evidence);
}

export const disabledFor = (input: GateEvidenceInput, gate: GateName): readonly DisabledStep[] =>
  input.disabled.filter((row) => row.proves.includes(gate));

export function stepGate(input: GateEvidenceInput, gate: GateName, absent: Evaluated): Evaluated {
  const runs = input.plan.filter((run) => run.proves.includes(gate));
  const evidence = {
    stepRuns: runs.map((run) => ({ id: run.stepRunId, attempt: run.attempt, status: run.status })),
  };
  const left = disabledFor(input, gate);
  if (runs.length === 0 && left.length === 0) return absent;
  const open = runs.find((run) => run.status !== "succeeded");
  if (open !== undefined) return unsatisfied(`${open.interface}.${open.step} is ${open.status}`, evidence);
  return left.length > 0
    ? disabled(input, left, evidence)
    : satisfied(`${runs.map((run) => `${run.interface}.${run.step}`).join(", ")} succeeded`, evidence);
}

/** What an agent told counts only where the restart of its boot was done before it registered, and nothing else answered in it. Null: it does. */
export function unprovenBoot({ boot }: GateEvidenceInput): Evaluated | null {
  if (boot === null) return unsatisfied("no agent of the newest boot has registered");
  if (!boot.afterReset)
    return unsatisfied(`the restart of boot ${boot.bootEpoch} was not confirmed before its agent registered`);
  return boot.contested ? unsatisfied(`more than one agent answered in boot ${boot.bootEpoch}`) : null;
}

/** A host that was Ready and is only looked at again: nothing is cleaned, unless a plan was made because something differed. */
export const rechecked = (input: GateEvidenceInput): boolean =>
  input.kind === "recheck" && !input.planMade && !input.proven.cleaningSkipped;

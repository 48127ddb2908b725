// The input and the results of a gate's rule, and the checks that several rules share (docs/design/lifecycle.md#gates).
import type { MeasurementFacts } from "@/server/domain/attestation/measurement";
import type { AttestationMode } from "@/server/domain/attestation/modes";
import type { DisabledStep } from "@/server/domain/cleaning/plan/plan";
import type { ActingHealth } from "@/server/domain/repair/health/acting";
import type { GateName, GateStatus } from "@/server/domain/reclamations/gates/gate-names";
import type { DeviceVerdict, ReclamationKind, StepView } from "@/server/domain/hosts/record/reclamation";
import type { AgentView } from "@/server/domain/hosts/record/view";
import type { ContentRecord } from "@/server/domain/cleaning/sanitization/content";
import type { DeviceList } from "@/server/domain/cleaning/sanitization/known-devices";
import type { ProvenContext } from "@/server/domain/lifecycle/context";
import type { Requirements } from "@/server/domain/cleaning/policy/policy";
import type { Procedure } from "@/server/domain/assurance/procedures/procedure";
import type { AssuranceFacts } from "@/server/domain/assurance/procedures/standing";
import type { PlatformBaseline } from "@/server/domain/hosts/inventory/platform";
import type { PlatformRecord } from "@/server/domain/hosts/platform/judge";
import type { DriveElsewhere } from "@/server/domain/hosts/ready-watch/elsewhere";
import type { NetworkAcks } from "@/server/domain/hosts/network/acknowledged";

/** What is stored of a drive's content, as far as gates need it. */
export interface DriveContents {
  readonly drives: readonly { readonly serial: string; readonly model: string }[];
  readonly read: Pick<NonNullable<ContentRecord["read"]>, "epoch"> | null;
}

/** The evidence: each record as it is stored, and what follows from them. */
export interface GateEvidenceInput {
  /** The host is of type `fake`, without a machine. */
  readonly fake: boolean;
  readonly kind: Exclude<ReclamationKind, "manualCleaning">;
  readonly instanceOpen: boolean;
  readonly resourcesHeld: number;
  readonly network: NetworkAcks;
  readonly plan: readonly Pick<StepView, "attempt" | "id" | "interface" | "proves" | "status" | "step">[];
  readonly planMade: boolean;
  /** Steps that an override had disabled when the plan was made. */
  readonly disabled: readonly DisabledStep[];
  /** The frozen list. What is unresolved in it blocks until a person decides. */
  readonly devices: DeviceList;
  /** Drives whose content was recorded since their last erase (`recheck`: since the host was Ready), and the boot in which it was found unchanged. */
  readonly content: DriveContents | null;
  /** The last verdict per device under the current plan. */
  readonly deviceVerdicts: readonly DeviceVerdict[];
  /** Ids of the dispositions that stand. */
  readonly standing: readonly string[];
  readonly skuHasStorage: boolean;
  readonly infinibandPresent: boolean;
  /** The host's inventory comes from Ironic's agent, which lists block devices and no InfiniBand (docs/adr/0087-the-ironic-agent-as-a-guest.md). */
  readonly guest: boolean;
  readonly proven: ProvenContext;
  /** What the host's SKU requires of the platform today; null: it names nothing, or there is no SKU. */
  readonly baseline: PlatformBaseline | null;
  /** The comparison made after the plan; null: the platform was not read. */
  readonly platform: PlatformRecord | null;
  /** Whether the agent finds a TPM; null: it does not say. */
  readonly agentTpm: boolean | null;
  /** The boot of that agent: whether its restart was confirmed before the agent registered, and whether the agent was the only one; null: no agent. */
  readonly boot: Pick<AgentView, "afterReset" | "bootEpoch" | "contested"> | null;
  /** Why erase results no longer count; null: they count. */
  readonly voided: string | null;
  readonly testsWanted: readonly string[];
  /** The site's own steps that must have run, as `interface.step`. */
  readonly requiredSteps: readonly string[];
  readonly maintenance: boolean;
  readonly maintenanceReason: string | null;
  /** The part of the host's health reports that acts; null: there are no reports. */
  readonly health: ActingHealth | null;
  readonly debts: number;
  /** Its drives that belong to another host; null: nobody looked. */
  readonly elsewhere: readonly DriveElsewhere[] | null;
  /** The policy's manual procedures and their records; null: the records were not read. */
  readonly procedures: readonly Procedure[];
  readonly assurance: AssuranceFacts | null;
  /** What the reclamation's policy asks of TPMs, and what the newest boot proved; null: its TPM was never asked. */
  readonly attestation: AttestationMode;
  readonly measurement: MeasurementFacts | null;
  readonly skuName: string | null;
  readonly nowMs: number;
  /** What the reclamation's policy requires besides cleaning. */
  readonly requires: Requirements;
  /** Which version of the policy that is, and who set it; null: not recorded. */
  readonly policyOrigin: { readonly version: number; readonly setBy: string | null };
  /** Whose setting counts for automated cleaning. */
  readonly cleaningSetFor: "site" | "host";
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
const whoText = (setBy: string | null): string =>
  setBy === null ? "who set it is not recorded" : `set by ${setBy}`;

/** A gate that applies, and that the reclamation's policy left out. */
export function waivedByPolicy(
  { policyOrigin: { version, setBy } }: GateEvidenceInput,
  reason: string,
  evidence: Record<string, unknown> = {},
): Evaluated {
  return {
    status: "waived",
    reason: `${reason} (policy version ${version}, ${whoText(setBy)})`,
    evidence: { ...evidence, waived: { by: "policy", version, setBy } },
  };
}

export const beganWithInstance = (input: GateEvidenceInput): boolean =>
  input.kind === "release" || input.kind === "repairRelease";

/** No part of the cleaning may be skipped, because the host owes a sanitization or leaves the fleet (docs/adr/0059-decommission.md). */
export const mustBeCleaned = (input: GateEvidenceInput): boolean =>
  input.debts > 0 || input.kind === "decommission";

const whyCleaned = (input: GateEvidenceInput): string =>
  input.debts > 0 ? "the host owes a sanitization" : "the host leaves the fleet";

/** Skipped cleaning is "waived" only if the host need not be cleaned (`mustBeCleaned`); otherwise it is always unsatisfied. */
function cleaningOff(input: GateEvidenceInput): Evaluated {
  // The host's record does not say who set this.
  if (input.cleaningSetFor === "host")
    return {
      status: "waived",
      reason: `automated cleaning is off for this host (${whoText(null)})`,
      evidence: { waived: { by: "host", setBy: null } },
    };
  return waivedByPolicy(input, "automated cleaning is off on this site");
}

export const skipped = (input: GateEvidenceInput): Evaluated | null =>
  input.proven.cleaningSkipped
    ? !mustBeCleaned(input)
      ? cleaningOff(input)
      : unsatisfied(`automated cleaning is off, and ${whyCleaned(input)}`)
    : null;

const scopeLabels = { site: "site", sku: "SKU", host: "host" } as const;
const named = (steps: readonly DisabledStep[]): string =>
  steps
    .map(
      (row) =>
        `${row.interface}.${row.step} disabled by ${scopeLabels[row.source]} override (${whoText(row.setBy ?? null)})`,
    )
    .join(", ");

/** A disabled step is "waived" only if the host need not be cleaned, like skipped cleaning. */
export function disabled(
  input: GateEvidenceInput,
  steps: readonly DisabledStep[],
  evidence: Record<string, unknown> = {},
): Evaluated {
  // safety: gates: no debt is left out with a disabled step (always)
  return !mustBeCleaned(input)
    ? {
        status: "waived",
        reason: named(steps),
        evidence: {
          ...evidence,
          waived: {
            by: "override",
            steps: steps.map((row) => ({
              step: `${row.interface}.${row.step}`,
              scope: row.source,
              setBy: row.setBy ?? null,
            })),
          },
        },
      }
    : unsatisfied(`${named(steps)}, and ${whyCleaned(input)}`, evidence);
}

export const disabledFor = (input: GateEvidenceInput, gate: GateName): readonly DisabledStep[] =>
  input.disabled.filter((row) => row.proves.includes(gate));

type Plan = GateEvidenceInput["plan"];

const stepEvidence = (runs: Plan) => ({
  stepRuns: runs.map((run) => ({ id: run.id, attempt: run.attempt, status: run.status })),
});

/** The result while a step of this gate has not succeeded; null: all have, or there is none. Pure. */
export function openStepGate(plan: Plan, gate: GateName): Evaluated | null {
  const runs = plan.filter((run) => run.proves.includes(gate));
  const open = runs.find((run) => run.status !== "succeeded");
  if (open === undefined) return null;
  const what = open.status === "excepted" ? "failed, and was left out" : `is ${open.status}`;
  return unsatisfied(`${open.interface}.${open.step} ${what}`, stepEvidence(runs));
}

/** Gates whose failed step may be left out by an exception for the gate, which can be requested as soon as the step has failed. */
export const ofOneStep: readonly GateName[] = ["memoryOverwritten", "infinibandClean"];

/** The gates of the failed step as they will be if it is left out. Empty: it proves something that no exception covers in advance. Pure. */
export function gatesWithoutStep(plan: Plan): readonly GateResult[] {
  const failed = plan.find((run) => run.status === "failed");
  if (failed === undefined || !failed.proves.every((gate) => ofOneStep.includes(gate))) return [];
  const left = plan.map((run) => (run === failed ? { ...run, status: "excepted" as const } : run));
  return failed.proves.flatMap((gate) => {
    const open = openStepGate(left, gate);
    return open === null ? [] : [{ gate, ...open }];
  });
}

export function stepGate(input: GateEvidenceInput, gate: GateName, absent: Evaluated): Evaluated {
  const runs = input.plan.filter((run) => run.proves.includes(gate));
  const evidence = stepEvidence(runs);
  const left = disabledFor(input, gate);
  if (runs.length === 0 && left.length === 0) return absent;
  const open = openStepGate(input.plan, gate);
  if (open !== null) return open;
  return left.length > 0
    ? disabled(input, left, evidence)
    : satisfied(`${runs.map((run) => `${run.interface}.${run.step}`).join(", ")} succeeded`, evidence);
}

/** The boot of the registered agent; 0: there is none. */
export const bootEpochOf = (boot: GateEvidenceInput["boot"]): number => boot?.bootEpoch ?? 0;

/** An agent's report counts only if its boot's restart was confirmed before it registered and no other agent answered in that boot. Null: it counts. */
export function unprovenBoot({ boot }: GateEvidenceInput): Evaluated | null {
  if (boot === null) return unsatisfied("no agent of the newest boot has registered");
  if (!boot.afterReset)
    return unsatisfied(`the restart of boot ${boot.bootEpoch} was not confirmed before its agent registered`);
  return boot.contested ? unsatisfied(`more than one agent answered in boot ${boot.bootEpoch}`) : null;
}

/** A host that was Ready and is only rechecked. Nothing is cleaned unless a difference led to a plan. */
export const rechecked = (input: GateEvidenceInput): boolean =>
  input.kind === "recheck" && !input.planMade && !input.proven.cleaningSkipped;

// All fourteen gates of a reclamation, from its recorded evidence and never from the absence of an error (docs/design/lifecycle.md#gates).
import type { DisabledStep } from "@/server/domain/cleaning/plan";
import {
  contentEvidence,
  contentSeen,
  contentUnproven,
  incomparable,
  inReachOfAgent,
} from "@/server/domain/gates/content";
import type { ContentInput } from "@/server/domain/gates/content";
import type { GateName, GateStatus } from "@/server/domain/gates/gate-names";
import { gateNames } from "@/server/domain/gates/gate-names";
import { deviceKey } from "@/server/domain/inventory/inventory";
import type { StorageDevice } from "@/server/domain/inventory/inventory";
import type { UnresolvedStorage } from "@/server/domain/sanitization/known-devices";
import type { ProvenContext } from "@/server/domain/lifecycle/context";
import { answerWords } from "@/server/domain/sanitization/dispositions";
import type { AnsweredDevice } from "@/server/domain/sanitization/dispositions";
import type { NetworkAcks } from "@/server/domain/network/acknowledged";
import { acknowledged } from "@/server/domain/network/acknowledged";

/** `bootEpoch`: of the registered agent. */
export interface GateEvidenceInput extends ContentInput {
  /** The host is of type `fake`: no machine stands behind it. */
  readonly fake: boolean;
  readonly kind: "release" | "repairRelease" | "onboarding" | "recheck";
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
  readonly maintenance: boolean;
  readonly maintenanceReason: string | null;
  readonly debts: number;
}

export interface GateResult {
  readonly gate: GateName;
  readonly status: GateStatus;
  readonly reason: string;
  readonly evidence: Readonly<Record<string, unknown>>;
}

type Evaluated = Omit<GateResult, "gate">;
const satisfied = (reason: string, evidence: Record<string, unknown> = {}): Evaluated => ({
  status: "satisfied",
  reason,
  evidence,
});
const unsatisfied = (reason: string, evidence: Record<string, unknown> = {}): Evaluated => ({
  status: "unsatisfied",
  reason,
  evidence,
});
const notRequired = (reason: string): Evaluated => ({ status: "not required", reason, evidence: {} });
const notImplemented = (what: string): Evaluated => ({
  status: "not implemented",
  reason: `Reclaim does not check ${what} yet`,
  evidence: {},
});

const beganWithInstance = (input: GateEvidenceInput): boolean =>
  input.kind === "release" || input.kind === "repairRelease";

/** Cleaning may be left out only where no debt stands; with one it is unsatisfied, never "not required". */
const skipped = (input: GateEvidenceInput): Evaluated | null =>
  input.proven.cleaningSkipped
    ? /* safety: gates: no debt is left out with the cleaning (always) */ input.debts === 0
      ? notRequired("automated cleaning off")
      : unsatisfied("automated cleaning is off, and the host owes a sanitization")
    : null;

const scopeWords = { site: "site", sku: "SKU", host: "host" } as const;
const named = (steps: readonly DisabledStep[]): string =>
  steps
    .map((row) => `${row.interface}.${row.step} disabled by ${scopeWords[row.source]} override`)
    .join(", ");

/** What an override disabled may be left out only where no debt stands, like all of cleaning. */
function disabled(
  input: GateEvidenceInput,
  steps: readonly DisabledStep[],
  evidence: Record<string, unknown> = {},
): Evaluated {
  // safety: gates: no debt is left out with a disabled step (always)
  return input.debts === 0
    ? { ...notRequired(named(steps)), evidence }
    : unsatisfied(`${named(steps)}, and the host owes a sanitization`, evidence);
}

const disabledFor = (input: GateEvidenceInput, gate: GateName): readonly DisabledStep[] =>
  input.disabled.filter((row) => row.proves.includes(gate));

function stepGate(input: GateEvidenceInput, gate: GateName, absent: Evaluated): Evaluated {
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

/**
 * An empty list proves nothing where the SKU has drives. Where it has none, two inventories that found none do: the list was frozen from
 * both, and the one after cleaning was compared with the SKU and with the list.
 */
function withoutStorage(input: GateEvidenceInput, answers: readonly string[]): Evaluated {
  const evidence = input.answered.length === 0 ? {} : { answered: input.answered };
  // safety: gates: an empty list of drives proves nothing
  if (input.skuHasStorage)
    return unsatisfied(
      "no storage device is known, but the SKU has some: an empty list proves nothing",
      evidence,
    );
  const { sku } = input.proven;
  if (!input.planMade || sku === null)
    return unsatisfied("the SKU has no storage, and no inventory was taken after cleaning", evidence);
  if (sku.storage !== null) return unsatisfied(`storage after cleaning differs: ${sku.storage}`, evidence);
  return satisfied(["the SKU has no storage, and no inventory found any", ...answers].join("; "), evidence);
}
/** No step erases USB media: what to do about one is said where it blocks. */
const noResult = (device: StorageDevice): string =>
  device.transport === "usb"
    ? "no step erases a USB medium; take it out, or exclude it in the site's policy (sanitization.excludedMedia)"
    : "no result";

/** What an agent told counts only where the restart of its boot was done before it registered, and nothing else answered in it. Null: it does. */
function unprovenBoot({ boot }: GateEvidenceInput): Evaluated | null {
  if (boot === null) return unsatisfied("no agent of the newest boot has registered");
  if (!boot.afterReset)
    return unsatisfied(`the restart of boot ${boot.bootEpoch} was not confirmed before its agent registered`);
  return boot.contested ? unsatisfied(`more than one agent answered in boot ${boot.bootEpoch}`) : null;
}

/** A host that was Ready and is only looked at again: nothing is cleaned, unless a plan was made because something differed. */
const rechecked = (input: GateEvidenceInput): boolean =>
  input.kind === "recheck" && !input.planMade && !input.proven.cleaningSkipped;

/** Debts are of drives that were not in it: they are owed whatever the others hold. */
function recheckedStorage(input: GateEvidenceInput, answers: readonly string[]): Evaluated {
  const evidence = {
    content: contentEvidence(input),
    ...(input.answered.length === 0 ? {} : { answered: input.answered }),
  };
  if (input.debts > 0) return unsatisfied("the host owes a sanitization; restart the plan", evidence);
  const storage = input.proven.sku?.storage;
  if (input.proven.sku === null) return unsatisfied("no inventory was taken", evidence);
  if (storage !== null && storage !== undefined)
    return unsatisfied(`its drives are not those that it was Ready with: ${storage}`, evidence);
  const hidden = incomparable(input.expectedDevices, input.content);
  // safety: recheck: a drive that only the BMC reaches is not compared
  if (hidden !== undefined)
    return unsatisfied(
      `what drive ${hidden.serial} holds cannot be compared with what it held: restart the plan`,
      evidence,
    );
  const unproven = contentUnproven(input, input.expectedDevices);
  if (unproven !== null) return unsatisfied(unproven, evidence);
  return satisfied(
    [`as when the host was last Ready: ${contentSeen(input.expectedDevices)}`, ...answers].join("; "),
    evidence,
  );
}

const rules = {
  instanceReleased: (input) => {
    // safety: gates: an open instance
    if (input.instanceOpen) return unsatisfied("an instance is on the host");
    return beganWithInstance(input)
      ? satisfied("the instance has ended")
      : notRequired(`a host in ${input.kind} comes from no tenant`);
  },
  tenantNetworkReleased: (input) => {
    // safety: gates: held network resources
    if (input.resourcesHeld > 0)
      return unsatisfied(
        `the end of the tenant's network is not recorded: ${input.resourcesHeld} entries are open`,
      );
    // No network was asked for a host without a machine.
    if (!beganWithInstance(input) || input.fake)
      return notRequired(`a host in ${input.kind} comes from no tenant`);
    // What the network said, and not that a record of ours was closed: the names in it are our own, and no network ever heard of them.
    const left = acknowledged(input.network, "admin");
    // safety: gates: the tenant's network is gone when the network says so (always)
    return left.done
      ? satisfied("every interface acknowledged that it left the tenant's network")
      : unsatisfied(left.reason);
  },
  adminNetworkSynced: (input) => {
    const state = acknowledged(input.network, "admin");
    const evidence = { version: input.network.wanted?.version ?? null, acknowledgements: input.network.acks };
    // safety: gates: the admin network (always)
    return state.done
      ? satisfied(
          `${input.network.acks.length} interfaces acknowledged version ${input.network.wanted?.version ?? 0}`,
          evidence,
        )
      : unsatisfied(state.reason, evidence);
  },
  extensionServicesTerminated: (input) => {
    if (!beganWithInstance(input)) return notRequired(`a host in ${input.kind} comes from no tenant`);
    const running = input.network.acks
      .filter((ack) => ack.extensionServices === "running")
      .map((ack) => ack.interface);
    return running.length === 0 &&
      /* safety: gates: extension services are acknowledged as gone */ acknowledged(input.network, "admin")
        .done
      ? satisfied("no extension service is left")
      : unsatisfied(running.length === 0 ? "not acknowledged" : `still running on ${running.join(", ")}`);
  },
  cleanupCompleted: (input) => {
    const off = skipped(input);
    if (off !== null) return off;
    if (rechecked(input)) return notRequired("a recheck cleans nothing");
    if (input.planMade && input.plan.length === 0 && input.disabled.length > 0)
      return disabled(input, input.disabled);
    // safety: gates: a plan was made
    if (!input.planMade || input.plan.length === 0) return unsatisfied("no plan was made");
    const open = input.plan.find((run) => run.status !== "succeeded");
    const evidence = {
      stepRuns: input.plan.map((run) => ({ id: run.stepRunId, attempt: run.attempt, status: run.status })),
    };
    return open === undefined
      ? satisfied(`all ${input.plan.length} steps succeeded`, evidence)
      : unsatisfied(`${open.interface}.${open.step} is ${open.status}`, evidence);
  },
  storageSanitized: (input) => {
    const off = skipped(input);
    if (off !== null) return off;
    const answers = input.answered.map(answerWords);
    const withdrawn = input.answered.find(({ disposition }) => !input.standing.includes(disposition.id));
    // safety: gates: an answer for a drive that was withdrawn
    if (withdrawn !== undefined)
      return unsatisfied(
        `the disposition of drive ${withdrawn.serial} was withdrawn or replaced: restart the plan`,
        { answered: input.answered },
      );
    const { excludedDevices, unresolvedStorage: open } = input;
    const [first] = open;
    // Before anything is called clean or without storage: what is not known may be a drive.
    // safety: gates: storage that nobody can name blocks until a person decides
    if (first !== undefined) {
      return unsatisfied(`${first.reason}${open.length === 1 ? "" : ` (and ${open.length - 1} more)`}`, {
        unresolved: open,
        excluded: excludedDevices,
      });
    }
    if (input.expectedDevices.length === 0) return withoutStorage(input, answers);
    if (rechecked(input)) return recheckedStorage(input, answers);
    if (input.voided !== null) return unsatisfied(`the erase results are void: ${input.voided}`);
    const verdicts = new Map(input.deviceVerdicts.map((verdict) => [deviceKey(verdict), verdict]));
    const evidence = {
      devices: input.expectedDevices.map((device) => ({
        serial: device.serial,
        verdict: verdicts.get(deviceKey(device))?.verdict ?? "none",
      })),
      content: contentEvidence(input),
      ...(input.answered.length === 0 ? {} : { answered: input.answered }),
      ...(excludedDevices.length === 0 ? {} : { excluded: excludedDevices }),
    };
    const left = disabledFor(input, "storageSanitized");
    const untreated = new Set(left.flatMap((row) => row.devices.map(deviceKey)));
    const untreatedDevices = input.expectedDevices.filter(
      (device) =>
        /* safety: gates: every drive is sanitized (false) */ verdicts.get(deviceKey(device))?.verdict !==
        "sanitized",
    );
    // A drive may be left out only where nothing at all is said of it: a result that failed is one.
    const refuted = untreatedDevices.find(
      (device) =>
        /* safety: gates: a drive that failed is not left out with its step */ verdicts.has(
          deviceKey(device),
        ) ||
        /* safety: gates: only a disabled step's own drives are left out */ !untreated.has(deviceKey(device)),
    );
    if (refuted !== undefined)
      return unsatisfied(
        `${refuted.serial}: ${verdicts.get(deviceKey(refuted))?.reason ?? noResult(refuted)}`,
        evidence,
      );
    const storage = input.proven.sku?.storage;
    // safety: gates: an inventory after cleaning
    if (input.proven.sku === null) return unsatisfied("no inventory was taken after cleaning", evidence);
    // safety: gates: the drives after cleaning
    if (storage !== null && storage !== undefined)
      return unsatisfied(`storage after cleaning differs: ${storage}`, evidence);
    const mayBeUntreated = input.debts === 0 ? untreated : new Set<string>();
    const unproven = contentUnproven(
      input,
      inReachOfAgent(input.expectedDevices).filter(
        (device) => !untreatedDevices.includes(device) && !mayBeUntreated.has(deviceKey(device)),
      ),
    );
    if (unproven !== null) return unsatisfied(unproven, evidence);
    const missed = left.filter(
      (row) =>
        /* safety: gates: a disabled erase that names no drive */ row.devices.length === 0 ||
        row.devices.some((device) =>
          untreatedDevices.some((drive) => deviceKey(drive) === deviceKey(device)),
        ),
    );
    if (missed.length > 0)
      return disabled(input, missed, {
        ...evidence,
        disabled: missed.map((row) => `${row.interface}.${row.step}`),
      });
    return satisfied(
      [
        `${input.expectedDevices.length} of ${input.expectedDevices.length} devices`,
        contentSeen(input.expectedDevices),
        ...answers,
      ].join("; "),
      evidence,
    );
  },
  memoryOverwritten: (input) => {
    const off = skipped(input);
    if (off !== null) return off;
    if (rechecked(input)) return notRequired("a recheck cleans nothing");
    const step = stepGate(input, "memoryOverwritten", unsatisfied("no step for it was planned"));
    if (step.status !== "satisfied") return step;
    const epoch = input.proven.memoryStepEpoch;
    if (epoch === null || /* safety: gates: a restart after the memory step */ input.bootEpoch <= epoch)
      return unsatisfied("no restart followed the step");
    const unproven = unprovenBoot(input);
    if (unproven !== null) return unproven;
    return satisfied(`asked for in boot ${epoch}, restarted as boot ${input.bootEpoch}`, step.evidence);
  },
  infinibandClean: (input) => {
    if (!input.infinibandPresent) return notRequired("the host has no InfiniBand device of its own");
    if (rechecked(input)) return notRequired("a recheck cleans nothing");
    return skipped(input) ?? stepGate(input, "infinibandClean", unsatisfied("no step for it was planned"));
  },
  platformAtBaseline: (input) => {
    const left = disabledFor(input, "platformAtBaseline");
    // safety: gates: a disabled step for the platform (never)
    return left.length > 0 && input.debts > 0
      ? disabled(input, left)
      : notImplemented("TPM, BIOS, BMC and firmware against a baseline");
  },
  attestationPassed: () => notImplemented("measured boot"),
  inventoryMatches: (input) => {
    const sku = input.proven.sku;
    if (sku === null) return unsatisfied("the inventory was not compared");
    const unproven = unprovenBoot(input);
    if (unproven !== null) return unproven;
    // safety: gates: the SKU (always)
    return sku.differences === 0
      ? satisfied(`equals ${sku.name}`, { ...sku })
      : unsatisfied(`${sku.differences} differences to ${sku.name}`, { ...sku });
  },
  validationPassed: (input) => {
    if (input.testsWanted.length === 0) return notRequired("the site has no tests");
    const tests = input.proven.tests;
    if (tests === null) return unsatisfied("the tests were not run");
    // safety: gates: a failed test
    if (tests.failed.length > 0) return unsatisfied(`failed: ${tests.failed.join(", ")}`, { ...tests });
    // safety: gates: a skipped test
    if (tests.skipped.length > 0) return unsatisfied(`skipped: ${tests.skipped.join(", ")}`, { ...tests });
    return tests.passed >= input.testsWanted.length
      ? satisfied(`${tests.passed} of ${input.testsWanted.length} tests`, { ...tests })
      : unsatisfied(`only ${tests.passed} of ${input.testsWanted.length} tests ran`, { ...tests });
  },
  healthy: (input) =>
    /* safety: gates: maintenance (never) */ input.maintenance
      ? unsatisfied(`in maintenance: ${input.maintenanceReason ?? "no reason given"}`)
      : notImplemented("health reports"),
  assuranceSigned: () => notImplemented("procedures and their sign-off"),
} satisfies Record<GateName, (input: GateEvidenceInput) => Evaluated>;

/** What can be told of a host without a machine, too: who holds it, which of its steps ran, and whether people want it. */
const withoutMachine: ReadonlySet<GateName> = new Set([
  "instanceReleased",
  "tenantNetworkReleased",
  "cleanupCompleted",
  "healthy",
]);

/** No gate of a fake host is proven. Those that need no machine still hold it back where they say so. */
function ofFakeHost(gate: GateName, input: GateEvidenceInput): Evaluated {
  const told = withoutMachine.has(gate) ? rules[gate](input) : null;
  // safety: gates: what needs no machine still holds a fake host back (never)
  // safety: gates: nothing is proven of a fake host → rules[gate](input)
  return told?.status === "unsatisfied"
    ? told
    : { status: "not required: fake hardware", reason: "there is no machine", evidence: {} };
}

/** Evaluates every gate, in order. Pure. */
export function evaluateGates(input: GateEvidenceInput): readonly GateResult[] {
  return gateNames.map((gate) => ({ gate, ...(input.fake ? ofFakeHost(gate, input) : rules[gate](input)) }));
}

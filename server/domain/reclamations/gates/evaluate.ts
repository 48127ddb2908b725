// Evaluates all gates of a reclamation, from recorded evidence and never from the absence of an error (docs/design/lifecycle.md#gates).
import { formatCounted } from "@/server/domain/numbers";
import { stepName } from "@/server/domain/cleaning/steps/step";
import { assuranceSigned } from "@/server/domain/reclamations/gates/assurance";
import { attestationPassed } from "@/server/domain/reclamations/gates/attestation";
import { ofFakeHost } from "@/server/domain/hosts/fake/fake-gates";
import { deviceMemoryCleared } from "@/server/domain/reclamations/gates/device-memory";
import type { GateName } from "@/server/domain/reclamations/gates/gate-names";
import { gateNames } from "@/server/domain/reclamations/gates/gate-names";
import {
  beganWithInstance,
  disabled,
  notRequired,
  rechecked,
  satisfied,
  skipped,
  stepGate,
  unprovenBoot,
  unsatisfied,
} from "@/server/domain/reclamations/gates/gate-rule";
import type { Evaluated, GateEvidenceInput, GateResult } from "@/server/domain/reclamations/gates/gate-rule";
import { healthy } from "@/server/domain/reclamations/gates/healthy";
import { memoryOverwritten } from "@/server/domain/reclamations/gates/memory";
import { clearsTpm, platformAtBaseline, tpmClearedByHand } from "@/server/domain/reclamations/gates/platform";
import { storageSanitized } from "@/server/domain/reclamations/gates/storage";
import { elsewhereExit, elsewhereText } from "@/server/domain/hosts/ready-watch/elsewhere";
import { acknowledged } from "@/server/domain/hosts/network/acknowledged";

const rules = {
  instanceReleased: (input) => {
    // safety: gates: an open instance
    if (input.instanceOpen) return unsatisfied("an instance is on the host");
    return beganWithInstance(input)
      ? satisfied("the instance has ended")
      : notRequired(`the host does not come from a tenant (${input.kind})`);
  },
  tenantNetworkReleased: (input) => {
    // safety: gates: held network resources
    if (input.resourcesHeld > 0)
      return unsatisfied(
        `the tenant's network is not recorded as removed: ${input.resourcesHeld} entries are open`,
      );
    // A host without a machine has no network.
    if (!beganWithInstance(input) || input.fake)
      return notRequired(`the host does not come from a tenant (${input.kind})`);
    // Relies on the network's acknowledgement and not on our own records being closed: the names in them are ours, and no network knows them.
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
          `${formatCounted(input.network.acks.length, "interface")} acknowledged version ${input.network.wanted?.version ?? 0}`,
          evidence,
        )
      : unsatisfied(state.reason, evidence);
  },
  extensionServicesTerminated: (input) => {
    if (!beganWithInstance(input)) return notRequired(`the host does not come from a tenant (${input.kind})`);
    const running = input.network.acks
      .filter((ack) => ack.extensionServices === "running")
      .map((ack) => ack.interface);
    return running.length === 0 && acknowledged(input.network, "admin").done
      ? satisfied("no extension service remains")
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
    const open = input.plan.find((run) => run.status !== "succeeded" && !isProvenInstead(input, run));
    const evidence = {
      stepRuns: input.plan.map((run) => ({ id: run.id, attempt: run.attempt, status: run.status })),
    };
    if (open !== undefined) return unsatisfied(`${stepName(open)} is ${open.status}`, evidence);
    const ran = new Set(input.plan.map(stepName));
    const missing = input.requiredSteps.filter((name) => !ran.has(name));
    // safety: gates: a step that the site requires
    if (missing.length > 0)
      return unsatisfied(`the site requires ${missing.join(", ")}, which did not run`, evidence);
    return satisfied(
      input.plan.length === 1 ? "its step succeeded" : `all ${input.plan.length} steps succeeded`,
      evidence,
    );
  },
  storageSanitized,
  memoryOverwritten,
  infinibandClean: (input) => {
    // Ironic's agent may omit devices that exist, whatever the SKU says: the SKU may have been made from such an inventory.
    const none = !input.infinibandPresent && !input.guest;
    if (none) return notRequired("the host has no InfiniBand device of its own");
    if (rechecked(input)) return notRequired("a recheck cleans nothing");
    const absent = input.guest
      ? "Ironic's agent reports no InfiniBand device, also where there is one: boot Reclaim's image"
      : "no step for it was planned";
    return skipped(input) ?? stepGate(input, "infinibandClean", unsatisfied(absent));
  },
  deviceMemoryCleared,
  platformAtBaseline,
  attestationPassed,
  inventoryMatches: (input) => {
    const sku = input.proven.sku;
    if (sku === null) return unsatisfied("the inventory was not compared");
    const unproven = unprovenBoot(input);
    if (unproven !== null) return unproven;
    const { elsewhere } = input;
    // safety: gates: nobody looked whether a drive belongs to another host
    if (elsewhere === null)
      return unsatisfied("whether one of its drives belongs to another host was not looked up");
    // safety: gates: a drive that belongs to another host
    if (elsewhere.length > 0) return unsatisfied(`${elsewhereText(elsewhere)}: ${elsewhereExit(elsewhere)}`);
    // safety: gates: the SKU (always)
    return sku.differences === 0
      ? satisfied(`matches ${sku.name}`, { ...sku })
      : unsatisfied(sku.words ?? `${sku.differences} differences from ${sku.name}`, { ...sku });
  },
  validationPassed: (input) => {
    if (input.testsWanted.length === 0) return notRequired("neither the site nor the SKU requires tests");
    const tests = input.proven.tests;
    if (tests === null) return unsatisfied("the tests were not run");
    // safety: gates: a failed test
    if (tests.failed.length > 0) return unsatisfied(`failed: ${tests.failed.join(", ")}`, { ...tests });
    // safety: gates: a skipped test
    if (tests.skipped.length > 0) return unsatisfied(`skipped: ${tests.skipped.join(", ")}`, { ...tests });
    const left = input.testsWanted.filter((test) => tests.names?.includes(test) === false);
    // safety: gates: a test that the SKU requires since the tests ran
    if (left.length > 0) return unsatisfied(`not run: ${left.join(", ")}`, { ...tests });
    return tests.passed >= input.testsWanted.length
      ? satisfied(`${tests.passed} of ${input.testsWanted.length} tests`, { ...tests })
      : unsatisfied(`only ${tests.passed} of ${input.testsWanted.length} tests ran`, { ...tests });
  },
  healthy,
  assuranceSigned,
} satisfies Record<GateName, (input: GateEvidenceInput) => Evaluated>;

/** The step failed and was left out, and people proved what it should have: the memory by a drain of the host's power, the TPM by clearing it by hand. */
const isProvenInstead = (input: GateEvidenceInput, run: GateEvidenceInput["plan"][number]): boolean =>
  run.status === "excepted" &&
  ((run.proves.length === 1 &&
    run.proves[0] === "memoryOverwritten" &&
    memoryOverwritten(input).status === "satisfied") ||
    (clearsTpm(run) && tpmClearedByHand(input.procedures, input.assurance, input.nowMs) !== undefined));

/** Gates about allocating the host, which say nothing about what a tenant left on it. */
const ofAllocation: ReadonlySet<GateName> = new Set([
  "attestationPassed",
  "inventoryMatches",
  "validationPassed",
  "healthy",
  "assuranceSigned",
]);

/**
 * A host that leaves the fleet is not allocated again. Its platform counts only if it has a debt. Maintenance counts, because whatever a person does to
 * the host must be finished before it is proven.
 */
function isAsked(gate: GateName, { kind, debts, maintenance }: GateEvidenceInput): boolean {
  if (kind !== "decommission") return true;
  // safety: decommission: the end of maintenance is waited for
  if (gate === "healthy" && maintenance) return true;
  return !(ofAllocation.has(gate) || (gate === "platformAtBaseline" && debts === 0));
}

const notAsked = () => notRequired("the host leaves the fleet and is not allocated again");

/** Evaluates every gate, in order. Pure. */
export function evaluateGates(input: GateEvidenceInput): readonly GateResult[] {
  return gateNames.map((gate) => {
    const rule = isAsked(gate, input) ? rules[gate] : notAsked;
    return { gate, ...(input.fake ? ofFakeHost(gate, rule, input) : rule(input)) };
  });
}

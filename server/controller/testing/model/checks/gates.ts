// What must hold of the gates of a host that becomes Ready: each is proven, excepted by two people, waived, or not required.
import type { HostTables, ReclamationRow } from "@/server/controller/testing/model/tables";
import { must } from "@/server/controller/testing/model/violation";
import type { World } from "@/server/controller/testing/model/world";

const neverExcepted = [
  "instanceReleased",
  "tenantNetworkReleased",
  "adminNetworkSynced",
  "extensionServicesTerminated",
  "healthy",
  "inventoryMatches",
  "validationPassed",
];

/** Gates whose exception leaves out the step that failed. */
const leavesOut: ReadonlySet<string> = new Set(["storageSanitized", "memoryOverwritten", "infinibandClean"]);

/** Checks that every gate of a Ready host is proven, not required, or excepted by two people. Returns the excepted gates and drives. */
export function checkExceptions(
  world: World,
  { gates, view }: ReclamationRow,
  nowMs: number,
): ReadonlySet<string> {
  must(
    gates.every(({ status }) => status !== "unsatisfied"),
    "no gate of a Ready host is unsatisfied",
  );
  const found = new Set<string>();
  for (const { gate } of gates.filter(({ status }) => status === "excepted")) {
    must(!neverExcepted.includes(gate), `${gate} is never excepted`);
    const own = world.exceptions.filter(
      (each) =>
        // A step that failed is covered by the exception of its drive or gate.
        (each.gate === gate || (gate === "cleanupCompleted" && leavesOut.has(each.gate))) &&
        each.reclamationId === view.id &&
        each.planEpoch === view.planEpoch &&
        each.validUntilMs > nowMs,
    );
    must(own.length > 0, `an exception stands for ${gate} of a Ready host`);
    if (gate !== "storageSanitized") found.add(gate);
    for (const { device } of own) if (device !== null) found.add(device.serial);
  }
  return found;
}

/** Checks that what cannot be checked holds a host back, unless the site is a demo or its policy does not require it. */
export function checkImplemented({ demo }: World, host: HostTables, reclamation: ReclamationRow): void {
  const { gates, view } = reclamation;
  checkSigned(host, reclamation);
  const missing = gates.filter(({ status }) => status === "not implemented");
  must(
    demo || missing.length === 0,
    "a site that is not a demo gets no host past gates that are not implemented",
  );
  // The model's machine has no GPU. The policy names procedures explicitly: without any there is nothing to sign (docs/adr/0102-approvals-and-procedures.md).
  const required = Object.entries(view.policy.requires).flatMap(([gate, isRequired]) =>
    isRequired && gate !== "deviceMemoryCleared" && (gate !== "assuranceSigned" || asksForProcedures(view))
      ? [gate]
      : [],
  );
  for (const { gate, status } of gates)
    must(
      (status !== "not required" && status !== "waived") || !required.includes(gate),
      `${gate}, which the site requires, is not left out`,
    );
}

/** A recheck cleans nothing and asks for no procedures. */
const asksForProcedures = ({ policy, kind, planMade }: ReclamationRow["view"]): boolean =>
  policy.procedures.length > 0 && !(kind === "recheck" && !planMade);

function checkSigned(host: HostTables, { view, gates }: ReclamationRow): void {
  // `checkExceptions` verifies that two people let it through.
  if (gates.some(({ gate, status }) => gate === "assuranceSigned" && status === "excepted")) return;
  const isSigned = host.records.some(
    (row) => row.reclamationId === view.id && row.decision === "approved" && !row.voided,
  );
  must(
    isSigned || !view.policy.requires.assuranceSigned || !asksForProcedures(view),
    "the procedures of a Ready host were signed off in its reclamation",
  );
}

// What two people of the model state or approve: what became of a drive, and exceptions.
import { evidenceDigest } from "@/server/domain/assurance/approvals/evidence-digest";
import { driveEvidence, exceptionEvidence } from "@/server/domain/reclamations/gates/exceptions";
import { gateTable, passes } from "@/server/domain/reclamations/gates/gate-names";
import { isFailed, topLevel } from "@/server/domain/lifecycle/states";
import type { Disposition } from "@/server/domain/cleaning/sanitization/dispositions";
import { dispositionKinds } from "@/server/domain/cleaning/sanitization/disposition-kinds";
import { verdictsOf } from "@/server/controller/testing/model/claim";
import { ask } from "@/server/controller/testing/model/people/intents";
import type { HostTables, ReclamationRow } from "@/server/controller/testing/model/tables";
import { newId, openInstance, wake } from "@/server/controller/testing/model/world";
import type { World } from "@/server/controller/testing/model/world";

/** People's statements about drives, true or not: about one in the host or one that is gone; and their withdrawal. */
export function stateDisposition(world: World, choice: number): void {
  if (choice % 5 === 4) {
    world.dispositions = [];
    if (world.host !== null) world.host.run.evidenceSeq += 1;
    return;
  }
  const key = world.machine.drives[choice % world.machine.drives.length]?.device.serial ?? "NVME1";
  const kind = dispositionKinds[Math.floor(choice / 5) % dispositionKinds.length] ?? "misread";
  // Also one from before the release that asks for two signatures: it answers nothing.
  const isSigned = choice % 3 !== 0;
  const disposition: Disposition = {
    id: newId(world),
    key,
    model: "",
    slot: kind === "misread" ? "1" : null,
    kind,
    reason: "seen on site",
    by: "operator",
    at: new Date(world.nowMs).toISOString(),
    signature: isSigned ? "signed" : "one",
    signedBy: isSigned ? "another person" : null,
  };
  // What was decided with the previous one must not lead to Ready.
  if (world.host !== null) world.host.run.evidenceSeq += 1;
  world.dispositions = [...world.dispositions.filter((row) => row.key !== key), disposition];
}

/** As `usecases/exceptions/exception-acts.ts`, approved at once; every fourth time all of them are withdrawn. */
export function exceptGate(world: World, choice: number): void {
  const { host } = world;
  if (host === null) return;
  host.run.evidenceSeq += 1;
  if (choice % 4 === 3) {
    world.exceptions = [];
    if (host.run.state === "Ready" || topLevel(host.run.state) === "ReturnToAllocation") {
      if (openInstance(world) === null) Object.assign(host.run, { touched: true, allocatable: false });
    }
    return wake(host.run, world.nowMs);
  }
  // As `usecases/nodes/update-node.ts`.
  if (choice % 7 === 5) world.retired = true;
  const open = host.reclamations.find((row) => !row.ended);
  if (open === undefined || open.view.kind === "manualCleaning") return;
  const forMs = choice % 5 === 0 ? 20 * 60_000 : 30 * 24 * 3_600_000;
  for (const { gate, device, evidence } of whatIsOpen(host, open)) {
    world.exceptions.push({
      ...{ id: newId(world), gate, device, evidence: evidenceDigest(evidence) },
      ...{ reclamationId: open.view.id, planEpoch: open.view.planEpoch },
      ...{ validUntilMs: world.nowMs + forMs, by: "operator", approvedBy: "another person" },
      ...{ reason: "it is needed", askedAtMs: world.nowMs, approvedAtMs: world.nowMs },
    });
    world.seen.add("exception approved");
  }
  wake(host.run, world.nowMs);
  ask(world, "retry", true);
}

/** Everything that an exception may be requested for, including the drives of a step that stopped. */
function whatIsOpen(host: HostTables, { view, gates }: ReclamationRow) {
  const { id: reclamationId, planEpoch, devices } = view;
  const of = { reclamationId, planEpoch };
  const whole = gates
    .filter(
      ({ gate, status }) =>
        gateTable[gate].exception === "whole" && !passes(status, { demo: false, fake: false }),
    )
    .map((found) => ({ gate: found.gate, device: null, evidence: exceptionEvidence(of, found) }));
  const verdicts = verdictsOf(host, view);
  const drives = planEpoch === 0 || !isFailed(host.run.state) ? [] : (devices?.expected ?? []);
  const open = drives.flatMap((drive) => {
    const device = { serial: drive.serial, model: drive.model };
    const found = verdicts.find((each) => each.serial === drive.serial && each.model === drive.model) ?? null;
    return found?.verdict === "sanitized"
      ? []
      : [{ gate: "storageSanitized" as const, device, evidence: driveEvidence(of, device, found) }];
  });
  return [...whole, ...open];
}

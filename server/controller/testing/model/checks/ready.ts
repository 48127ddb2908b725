// What must hold of a host that becomes Ready.
import type { Decision } from "@/server/controller/host/decision";
import type { HostView } from "@/server/domain/hosts/record/view";
import { gateNames } from "@/server/domain/reclamations/gates/gate-names";
import type { BeforeCommit } from "@/server/controller/testing/model/checks/before-commit";
import { checkCleaned, mayKeep } from "@/server/controller/testing/model/checks/cleaned";
import { checkExceptions, checkImplemented } from "@/server/controller/testing/model/checks/gates";
import { checkProven } from "@/server/controller/testing/model/checks/proven";
import { measurementOf } from "@/server/controller/testing/model/attestation";
import { isClean, isTenants, present } from "@/server/controller/testing/model/machine";
import type { HostTables, ReclamationRow } from "@/server/controller/testing/model/tables";
import { must } from "@/server/controller/testing/model/violation";
import { openDebts, openInstance } from "@/server/controller/testing/model/world";
import type { World } from "@/server/controller/testing/model/world";

export function checkReady(
  world: World,
  before: BeforeCommit,
  host: HostTables,
  view: HostView,
  decision: Decision,
): void {
  const { machine } = world;
  // The reclamation that led there: the one that the host had, or one begun in this decision.
  const reclamation = host.reclamations.find(
    (row) =>
      row.outcome === "ready" &&
      (row.view.id === view.reclamation?.id || row.view.id === decision.reclamation?.row.id),
  );
  must(reclamation !== undefined && reclamation.ended, "the reclamation of a Ready host ended ready");
  if (reclamation === undefined) return;
  const id = reclamation.view.id;
  must(reclamation.view.kind !== "decommission", "a host that leaves the fleet does not become Ready");
  must(
    decision.run.state !== "Ready" || host.run.reclamationId === id,
    "a Ready host names the reclamation that proved it",
  );
  must(reclamation.gates.length === gateNames.length, "every gate of a Ready host is recorded");
  checkImplemented(world, host, reclamation);
  const excepted = checkExceptions(world, reclamation, view.nowMs);
  must(openInstance(world) === null, "no instance is on a Ready host");
  must(openDebts(world).length === 0, "no debt stands on a Ready host");
  must(!host.run.maintenance, "a host in maintenance does not become Ready");
  for (const drive of present(machine))
    must(
      isClean(drive) ||
        excepted.has(drive.device.serial) ||
        (!isTenants(drive) && (skippedCleaning(view, decision) || mayKeep(world, before, id, drive))),
      `no tenant byte is on ${drive.device.serial} of a Ready host`,
    );
  checkBesidesDrives(world, excepted);
  checkTests(world, reclamation);
  const skipped = skippedCleaning(view, decision);
  const looked = reclamation.view.kind === "recheck" && !reclamation.view.planMade;
  must(
    !skipped ||
      ((reclamation.view.kind === "onboarding" || reclamation.view.kind === "recheck") &&
        before.debts.length === 0),
    "cleaning is left out only by a host that owes nothing",
  );
  if (!skipped && !looked) checkCleaned(world, before, host, id, excepted);
  checkMeasured(world, host, reclamation, excepted);
  if (!looked) checkProven(world, host, reclamation);
  if (excepted.size > 0) world.seen.add("Ready, by an exception");
  world.seen.add(
    skipped
      ? "Ready, not cleaned"
      : looked
        ? "Ready, looked at again"
        : before.debts.length > 0
          ? "Ready after a tenant"
          : "Ready, cleaned",
  );
}

function checkBesidesDrives({ machine }: World, excepted: ReadonlySet<string>): void {
  must(
    !machine.memory.tenant || excepted.has("memoryOverwritten"),
    "no tenant byte is in the memory of a Ready host",
  );
  must(
    !machine.infiniband.tenant || excepted.has("infinibandClean"),
    "the tenant's InfiniBand configuration is gone from a Ready host",
  );
  for (const [name, port] of machine.ports)
    must(
      port.network === "admin" && port.services !== "running",
      `${name} of a Ready host is on the admin network`,
    );
}

/** The boot that the proof rests on was measured, and its measurements are still expected. */
function checkMeasured(
  world: World,
  host: HostTables,
  { view }: ReclamationRow,
  excepted: ReadonlySet<string>,
): void {
  if (view.policy.attestation !== "required" || excepted.has("attestationPassed")) return;
  must(host.measured?.bootEpoch === host.run.bootEpoch, "the last boot of a Ready host was measured");
  must(
    measurementOf(world, host)?.state === "Measured",
    "the measurements of a Ready host's last boot are expected",
  );
  world.seen.add("Ready, measured");
}

const skippedCleaning = (view: HostView, decision: Decision): boolean =>
  view.run.context.proven.cleaningSkipped || decision.run.context.proven.cleaningSkipped;

function checkTests(world: World, { view }: ReclamationRow): void {
  const passed = world.machine.passed.get(view.id) ?? [];
  for (const test of view.policy.validationTests)
    must(passed.includes(test), `the test ${test} passed in this reclamation`);
}

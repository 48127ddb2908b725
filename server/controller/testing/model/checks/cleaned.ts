// What must have been done to a host that becomes Ready, in the reclamation that led there.
import type { BeforeCommit } from "@/server/controller/testing/model/checks/before-commit";
import { present } from "@/server/controller/testing/model/machine";
import type { Drive } from "@/server/controller/testing/model/machine-state";
import type { HostTables } from "@/server/controller/testing/model/tables";
import { must } from "@/server/controller/testing/model/violation";
import type { World } from "@/server/controller/testing/model/world";

/** Checks that everything was done in this reclamation, on every drive known to the BMC or a debt. */
export function checkCleaned(
  world: World,
  before: BeforeCommit,
  host: HostTables,
  reclamationId: string,
  excepted: ReadonlySet<string>,
): void {
  const { machine } = world;
  // With a debt nothing may be left out, whatever the settings.
  const disabled = disabledFor(world, before, reclamationId);
  if (disabled.size > 0) world.seen.add("Ready, a step disabled");
  if (present(machine).some(({ hidden }) => hidden))
    world.seen.add("Ready, with a drive that no agent reads");
  const known = new Set([
    ...(host.bmcInventory ?? []).map((device) => device.serial),
    ...before.debts.flatMap((debt) => debt.driveSerials),
  ]);
  for (const drive of machine.drives) {
    const { serial } = drive.device;
    // Two people may have stated what became of it, and answer for that (docs/adr/0023-drive-dispositions.md).
    const said = world.dispositions.some(({ key, signature }) => key === serial && signature === "signed");
    if (known.has(serial) && !said) must(drive.present, `the known drive ${serial} of a Ready host is in it`);
    if (drive.present)
      must(
        drive.erasedIn === reclamationId ||
          excepted.has(serial) ||
          mayKeep(world, before, reclamationId, drive),
        `${serial} was erased in the reclamation that led to Ready`,
      );
  }
  must(
    machine.memory.overwrittenIn === reclamationId ||
      machine.memory.drainedIn === reclamationId ||
      disabled.has("deploy.verify_mem_overwrite") ||
      excepted.has("memoryOverwritten"),
    "memory was overwritten in the reclamation that led to Ready",
  );
  if (machine.memory.overwrittenIn !== reclamationId && machine.memory.drainedIn === reclamationId)
    world.seen.add("Ready, drained");
  const planned = (step: string): boolean =>
    host.steps.some(
      (row) =>
        row.reclamationId === reclamationId && row.view.step === step && row.view.status === "succeeded",
    );
  must(
    !planned("recommit") || machine.bios.appliedIn === reclamationId,
    "the BIOS settings that a plan wrote are in force after a restart",
  );
  must(
    machine.infiniband.resetIn === reclamationId ||
      disabled.has("deploy.reset_infiniband") ||
      excepted.has("infinibandClean"),
    "InfiniBand was reset in the reclamation that led to Ready",
  );
}

const disabledFor = (world: World, before: BeforeCommit, reclamationId: string): ReadonlySet<string> =>
  before.debts.length > 0 ? new Set() : (world.disabledIn.get(reclamationId) ?? new Set());

/** Someone has set that drives like this one are not erased, and nothing is owed, so what is on it belongs to no tenant. */
export const mayKeep = (
  world: World,
  before: BeforeCommit,
  reclamationId: string,
  { device, hidden }: Drive,
): boolean =>
  disabledFor(world, before, reclamationId).has(
    hidden
      ? "raid.secure_erase_drives"
      : device.transport === "nvme"
        ? "deploy.erase_nvme"
        : "deploy.erase_disks",
  );

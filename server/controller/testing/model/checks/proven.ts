// What the words of the proof must mean of the model's machine: a gate that is satisfied, one that is left out, and a host that counts as sanitized.
import { standingOf } from "@/server/domain/assurance/standing";
import type { DriveResult } from "@/server/domain/assurance/standing";
import { verdictsOf } from "@/server/controller/testing/model/claim";
import { present } from "@/server/controller/testing/model/machine";
import type { HostTables, ReclamationRow } from "@/server/controller/testing/model/tables";
import { must } from "@/server/controller/testing/model/violation";
import type { World } from "@/server/controller/testing/model/world";

/** Checks a Ready host that its reclamation cleaned, or whose cleaning was left out. */
export function checkProven(world: World, host: HostTables, { view, gates }: ReclamationRow): void {
  const { machine } = world;
  const { id } = view;
  const done = {
    storageSanitized: present(machine).every(({ erasedIn }) => erasedIn === id),
    memoryOverwritten: machine.memory.overwrittenIn === id || machine.memory.drainedIn === id,
    infinibandClean: machine.infiniband.resetIn === id,
  };
  for (const { gate, status } of gates) {
    if (gate !== "storageSanitized" && gate !== "memoryOverwritten" && gate !== "infinibandClean") continue;
    // Every machine of the model has drives, memory and InfiniBand.
    must(status !== "not required", `${gate}, which was left out, is not said to be without meaning`);
    must(status !== "satisfied" || done[gate], `${gate} is satisfied only if that was done`);
    if (status === "waived") world.seen.add(`waived: ${gate}`);
  }
  const standing = standingOf({
    ...{ kind: view.kind, fake: false, outcome: "ready", gates },
    drives: drivesOf(world, host, view),
    missing: view.devices?.missing.length ?? 0,
    skuHasDrives: world.sku?.components.storage.some(({ count }) => count > 0) ?? true,
  });
  must(
    standing === "notSanitized" || done.storageSanitized,
    "a host counts as sanitized only if every drive in it was erased",
  );
  world.seen.add(`ended: ${standing}`);
}

function drivesOf(
  { dispositions }: World,
  host: HostTables,
  view: ReclamationRow["view"],
): readonly DriveResult[] {
  const verdicts = verdictsOf(host, view);
  return (view.devices?.expected ?? []).map(({ serial, model }) =>
    verdicts.some((each) => each.serial === serial && each.model === model && each.verdict === "sanitized")
      ? "sanitized"
      : dispositions.some(({ key }) => key === serial)
        ? "stated"
        : "not sanitized",
  );
}

// The model's BMC: what its clean steps really do to the machine, and what it reports about them (`StepCode` in `hardware/interfaces.ts`).
import { z } from "zod";
import type { StorageDevice } from "@/server/domain/hosts/inventory/inventory";
import type { PlatformFacts } from "@/server/domain/hosts/inventory/platform";
import { nothingReadBack } from "@/server/domain/cleaning/sanitization/device-result";
import { unresolved } from "@/server/domain/cleaning/sanitization/known-devices";
import type { UnresolvedStorage } from "@/server/domain/cleaning/sanitization/known-devices";
import type { StepProgressValue } from "@/server/controller/host/effect-outcome";
import { deviceResultOf } from "@/server/controller/testing/hardware";
import { eraseEndMs, named } from "@/server/controller/testing/model/machine";
import type { Drive } from "@/server/controller/testing/model/machine-state";
import type { EffectRow } from "@/server/controller/testing/model/tables";
import type { World } from "@/server/controller/testing/model/world";

const asked = z.object({
  stepRunId: z.string(),
  step: z.string(),
  phase: z.enum(["begin", "check"]),
  args: z.record(z.string(), z.json()),
  known: z.object({ platform: z.object({ erasableDrives: z.array(z.string()) }) }),
});
type StepRequest = z.infer<typeof asked>;

export const begins = (effect: EffectRow): boolean =>
  effect.kind === "step" && asked.parse(effect.request).phase === "begin";

const reclamationOf = (world: World, { stepRunId }: StepRequest): string =>
  world.host?.steps.find((row) => row.view.id === stepRunId)?.reclamationId ?? "";
const treated = (world: World, { known }: StepRequest): readonly Drive[] =>
  named(world.machine).filter((drive) => known.platform.erasableDrives.includes(drive.device.serial));

/** A step's request that changes something. It looked first, so a running erase is joined. */
export function beginStep(world: World, effect: EffectRow): void {
  const step = asked.parse(effect.request);
  const { machine } = world;
  if (step.step === "recommit") machine.bios.pendingIn = reclamationOf(world, step);
  if (step.step !== "secure_erase_drives") return;
  for (const drive of treated(world, step))
    if (drive.behaviour === "honest")
      drive.erasing ??= {
        untilMs: world.nowMs + machine.bmcEraseMs,
        reclamationId: reclamationOf(world, step),
        technique: null,
      };
    // This job fails, whatever an earlier plan of the reclamation did.
    else drive.erasedIn = null;
  world.seen.add("erased by the BMC");
}

/** The step's progress. */
export function progressOf(world: World, effect: EffectRow): StepProgressValue {
  const step = asked.parse(effect.request);
  const { machine } = world;
  const reclamationId = reclamationOf(world, step);
  switch (step.step) {
    case "recommit":
      if (machine.bios.appliedIn === reclamationId) return { kind: "done", message: "in force", devices: [] };
      return step.phase === "begin"
        ? { kind: "restart", handle: "pending", message: "pending until the restart" }
        : { kind: "failed", message: "not in force after the restart" };
    case "secure_erase_drives": {
      if (eraseEndMs(machine) > world.nowMs || treated(world, step).some(({ says }) => says === "running"))
        return { kind: "running", handle: "JID_1", percent: 50, message: "erasing" };
      const devices = treated(world, step).map((drive) => {
        const result = deviceResultOf(drive.device, {
          technique: "redfish-drive-secure-erase",
          verification: nothingReadBack,
          ...(drive.erasedIn === reclamationId ? {} : { result: "ERROR", message: "the job failed" }),
        });
        const { fingerprint: _, ...unread } = result;
        return drive.hidden ? unread : result;
      });
      return { kind: "done", message: "erased", devices };
    }
    default:
      return { kind: "done", message: "as wanted", devices: [] };
  }
}

/**
 * The BMC's list of drives: all of them or, by its next fault, too few, one without an identity, or only an error.
 * A drive listed without a serial is in neither list of drives, as in `redfish/inventory/drives.ts`.
 */
export function listing(world: World): {
  readonly storage: readonly StorageDevice[];
  readonly unresolved: readonly UnresolvedStorage[];
  readonly platform: PlatformFacts;
} | null {
  const { machine, platform } = world;
  const drives = named(machine).map(({ device }) => device);
  const fault = machine.listingFaults.shift();
  if (fault !== undefined) world.seen.add(`drives listed: ${fault}`);
  const [last] = drives.slice(-1);
  switch (fault) {
    case undefined:
      return { storage: drives, unresolved: [], platform };
    case "error":
      return null;
    case "short":
      return { storage: drives.slice(0, -1), unresolved: [], platform };
    case "unnamed":
      return {
        storage: drives.slice(0, -1),
        unresolved:
          last === undefined
            ? []
            : [
                unresolved({
                  source: "bmc",
                  place: "bay 2",
                  slot: "2",
                  serial: null,
                  model: last.model,
                  reason: "no serial",
                }),
              ],
        platform,
      };
    case "one serial":
      return {
        storage: last === undefined ? drives : [...drives, { ...last, slot: "the other" }],
        unresolved: [],
        platform,
      };
  }
}

// What the model's agent reports of a step: what it reads back, or a lie.
import type { ResultBody } from "@/server/domain/agents/protocol";
import type { DeviceResult } from "@/server/domain/cleaning/sanitization/device-result";
import { deviceResultOf, reportOf, verified } from "@/server/controller/testing/hardware";
import { contentOf } from "@/server/controller/testing/model/agent/readings";
import type { Lie } from "@/server/controller/testing/model/agent/work";
import { isClean, statusOf } from "@/server/controller/testing/model/machine";
import type { Drive } from "@/server/controller/testing/model/machine-state";
import type { World } from "@/server/controller/testing/model/world";

const failedReading = { ...verified, mismatches: 7, result: "failed" } as const;

export function honestReport(attempt: number, reclamationId: string, drives: readonly Drive[]): ResultBody {
  // Read-back decides: whatever was on a drive that was not erased is found again.
  const devices = drives.map((drive) => {
    if (drive.behaviour === "fails")
      return deviceResultOf(drive.device, { result: "ERROR", message: "the device refuses" });
    return drive.erasedIn === reclamationId && isClean(drive)
      ? deviceResultOf(drive.device, { fingerprint: contentOf(drive) })
      : deviceResultOf(drive.device, {
          result: "ERROR",
          verification: failedReading,
          message: "old content was read",
        });
  });
  return reportOf(
    attempt,
    devices,
    devices.some((device) => device.result === "ERROR")
      ? { result: "ERROR", message: "a device failed" }
      : {},
  );
}

/** Of a step that gave up on drives whose status shows no end. */
export function hangingReport(attempt: number, reclamationId: string, drives: readonly Drive[]): ResultBody {
  const { devices, journal } = honestReport(attempt, reclamationId, drives);
  const told = devices.map((device, index) => {
    const drive = drives[index];
    if (drive === undefined || statusOf(drive) === "idle") return device;
    const { verification: _none, technique: _nor, ...unread } = device;
    return { ...unread, result: "ERROR" as const, problem: "hangs" as const, message: "no progress" };
  });
  return { attempt, result: "ERROR", message: "a device hangs", devices: told, journal, erasing: true };
}

const told: Readonly<Record<Lie, (honestly: DeviceResult, world: World) => readonly DeviceResult[]>> = {
  "no devices": () => [],
  "fewer devices": () => [],
  "technique without level": (device) => [tried(device, "blkdiscard")],
  "technique below minimum": (device, world) => [
    belowMinimum(world, device)
      ? tried(device, device.media === "nvme" ? "nvme-format-user-data" : "ata-secure-erase")
      : tried(device, "blkdiscard"),
  ],
  "exception only": (device) => [tried(device, "nvme-format-crypto")],
  "status only": (device) => [
    { ...device, verification: { ...verified, kind: "status-only", samples: 0, markersWritten: 0 } },
  ],
  "not read back": ({ verification: _, ...device }) => [device],
  mismatches: (device) => [{ ...device, verification: { ...verified, mismatches: 1 } }],
  "markers found": (device) => [{ ...device, verification: { ...verified, markersFound: 1 } }],
  "impossible to sample": (device) => [{ ...device, verification: { ...verified, result: "impossible" } }],
  "device twice": (device) => [device, device],
  "other model": (device) => [{ ...device, model: "other" }],
  "media of its own": (device, world) => [
    belowMinimum(world, device)
      ? { ...tried(device, "raid-kit-format"), media: "raid-kit" }
      : { ...device, serial: "other" },
  ],
  "not completed": (device) => [
    { ...device, tries: device.tries.map((row) => ({ ...row, completed: false })) },
  ],
  "other technique last": (device) => [
    {
      ...device,
      tries: [...device.tries, ...device.tries.map((row) => ({ ...row, technique: "blkdiscard" as const }))],
    },
  ],
  "step error": (device) => [device],
  "no technique": ({ technique: _, ...device }) => [device],
  "no content": ({ fingerprint: _, ...device }) => [device],
};

/** If the policy accepts Clear, a technique that only clears is not a lie that anything could show. */
function belowMinimum(world: World, device: DeviceResult): boolean {
  const minimum = world.host?.reclamations.find((row) => !row.ended)?.view.policy.sanitization.minimum;
  return minimum?.[device.media] === "purge";
}

function tried(device: DeviceResult, technique: NonNullable<DeviceResult["technique"]>): DeviceResult {
  return { ...device, technique, tries: device.tries.map((row) => ({ ...row, technique })) };
}

export function lyingReport(
  world: World,
  { attempt, reclamationId }: { readonly attempt: number; readonly reclamationId: string },
  drives: readonly Drive[],
  lie: Lie,
): ResultBody {
  // An exception may let the first drive through, and then the others count by themselves, so they are reported honestly.
  const { devices: others } = honestReport(attempt, reclamationId, drives);
  // Only one device is lied about; a step without devices can only report failure.
  const devices = drives.flatMap((drive, index) => {
    const other = others[index];
    if (index > 0 && lie !== "no devices") return other === undefined ? [] : [other];
    // The present content is reported honestly, so only the judgement of the erase itself can find the lie.
    return told[lie](deviceResultOf(drive.device, { fingerprint: contentOf(drive) }), world);
  });
  return reportOf(
    attempt,
    devices,
    lie === "step error" || drives.length === 0 ? { result: "ERROR", message: "no" } : {},
  );
}

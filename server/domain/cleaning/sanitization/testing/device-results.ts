// An agent's reports of drives that were erased successfully, for tests that change parts of them.
import type { StorageDevice } from "@/server/domain/hosts/inventory/inventory";
import type { DeviceResult, Verification } from "@/server/domain/cleaning/sanitization/device-result";
import type { Technique } from "@/server/domain/cleaning/sanitization/techniques";

export const time = "2026-11-01T00:00:00.000Z";

export const device = (serial: string, changes: Partial<StorageDevice> = {}): StorageDevice => ({
  serial,
  model: "M",
  media: "nvme",
  transport: "nvme",
  capacityBytes: "1",
  removable: false,
  ...changes,
});

/** A verification that found no marker and no sample. */
export const read: Verification = {
  kind: "markers-and-digests",
  samples: 1000,
  bytes: "1",
  seed: "s",
  markersWritten: 16,
  markersFound: 0,
  mismatches: 0,
  result: "passed",
};

/** One try that the device completed. */
export const tries = (
  technique: Technique,
  changes: Partial<DeviceResult["tries"][number]> = {},
): DeviceResult["tries"] => [
  {
    technique,
    command: "c",
    startedAt: time,
    endedAt: time,
    exitCode: 0,
    status: "SSTAT 1h",
    completed: true,
    ...changes,
  },
];

/** A device that was erased and read back. */
export const result = (serial: string, changes: Partial<DeviceResult> = {}): DeviceResult => ({
  serial,
  model: "M",
  media: "nvme",
  transport: "nvme",
  capacityBytes: "1",
  tries: tries("nvme-sanitize-crypto"),
  technique: "nvme-sanitize-crypto",
  verification: read,
  tool: { name: "n", version: "1" },
  result: "OK",
  message: "",
  ...changes,
});

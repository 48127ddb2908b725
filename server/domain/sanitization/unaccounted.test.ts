// Which drives a person may answer for: those that no newest inventory shows.
import { expect, it } from "vitest";
import type { StorageDevice } from "@/server/domain/inventory/inventory";
import { freezeDevices } from "@/server/domain/sanitization/known-devices";
import type { DeviceList } from "@/server/domain/sanitization/known-devices";
import { unaccountedDrives } from "@/server/domain/sanitization/unaccounted";

const drive = (serial: string, changes: Partial<StorageDevice> = {}): StorageDevice => ({
  serial,
  model: "M",
  media: "nvme",
  transport: "nvme",
  capacityBytes: "1",
  removable: false,
  ...changes,
});
const [a, b] = [drive("A", { slot: "1" }), drive("B", { slot: "2" })];
const frozen = (
  bmc: readonly StorageDevice[],
  agent: readonly StorageDevice[],
  debts: readonly string[] = [],
): DeviceList => freezeDevices(bmc, agent, debts, []);
const reading = (storage: readonly StorageDevice[], takenMs = 1) => ({ takenMs, storage });

it.each<[string, Parameters<typeof unaccountedDrives>[0], readonly string[]]>([
  [
    "none where all are there",
    { owed: ["A"], list: frozen([a], [a]), bmc: reading([a]), agent: reading([a]), dispositions: [] },
    [],
  ],
  [
    "one that only the BMC lists",
    { owed: [], list: frozen([a, b], [a]), bmc: reading([a, b]), agent: reading([a]), dispositions: [] },
    ["B listed"],
  ],
  [
    "one that was pulled, once the BMC was read again",
    {
      owed: [],
      list: frozen([a, b], [a, b]),
      bmc: reading([a], 2),
      agent: reading([a, b]),
      dispositions: [],
    },
    ["B"],
  ],
  [
    "not one that the BMC never listed",
    { owed: [], list: frozen([a], [a, b]), bmc: reading([a], 2), agent: reading([a, b]), dispositions: [] },
    [],
  ],
  [
    "not one that the agent saw later than the BMC was read",
    {
      owed: [],
      list: frozen([a, b], [a, b]),
      bmc: reading([a], 1),
      agent: reading([a, b], 2),
      dispositions: [],
    },
    [],
  ],
  [
    "one that a debt names",
    { owed: ["A", "Z"], list: null, bmc: reading([a]), agent: reading([a]), dispositions: [] },
    ["Z"],
  ],
  [
    "not one that a debt names and the BMC lists, before any agent was there",
    { owed: ["A"], list: null, bmc: reading([a]), agent: null, dispositions: [] },
    [],
  ],
])("%s", (_what, known, expected) => {
  expect(
    unaccountedDrives(known).map(({ key, listedByBmc }) => `${key}${listedByBmc ? " listed" : ""}`),
  ).toEqual(expected);
});

it("what was stated goes with its drive, and is there as long as it stands", () => {
  const said = {
    id: "d",
    key: "Z",
    model: "",
    slot: null,
    kind: "removed-returned" as const,
    reason: "RMA 7",
    by: "Ada",
    at: "2026-11-22T08:00:00.000Z",
  };
  const known = { list: null, bmc: reading([a]), agent: reading([a]), dispositions: [said] };
  expect(unaccountedDrives({ ...known, owed: ["Z"] })).toMatchObject([
    { key: "Z", knownBy: "sanitization debt", disposition: said },
  ]);
  expect(unaccountedDrives({ ...known, owed: [] })).toMatchObject([
    { key: "Z", knownBy: "disposition", disposition: said },
  ]);
});

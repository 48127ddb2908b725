// Which drives a person may record a disposition for: those that are not in the latest inventories.
import { describe, expect, it } from "vitest";
import { dispositionKinds } from "@/server/domain/cleaning/sanitization/disposition-kinds";
import type { StorageDevice } from "@/server/domain/hosts/inventory/inventory";
import { freezeDevices } from "@/server/domain/cleaning/sanitization/known-devices";
import type { DeviceList } from "@/server/domain/cleaning/sanitization/known-devices";
import {
  dispositionRefusal,
  offeredDispositions,
  unaccountedDrives,
} from "@/server/domain/cleaning/sanitization/unaccounted";
import { device as drive } from "@/server/domain/cleaning/sanitization/testing/device-results";

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
    signature: "waits" as const,
    signedBy: null,
  };
  const known = { list: null, bmc: reading([a]), agent: reading([a]), dispositions: [said] };
  expect(unaccountedDrives({ ...known, owed: ["Z"] })).toMatchObject([
    { key: "Z", knownBy: "sanitization debt", disposition: said },
  ]);
  expect(unaccountedDrives({ ...known, owed: [] })).toMatchObject([
    { key: "Z", knownBy: "disposition", disposition: said },
  ]);
});

describe("dispositions that may be recorded", () => {
  const twins = [drive("TWIN", { slot: "1" }), drive("TWIN", { slot: "2" })];
  const offered = (known: Parameters<typeof unaccountedDrives>[0]) =>
    unaccountedDrives(known).map((found) => offeredDispositions(found));

  it("are all of them for a drive that is gone", () => {
    expect(
      offered({ owed: ["Z"], list: null, bmc: reading([a]), agent: reading([a]), dispositions: [] }),
    ).toEqual([dispositionKinds]);
  });

  it("are only misread for one that the BMC still lists", () => {
    expect(
      offered({
        owed: [],
        list: frozen([a, b], [a]),
        bmc: reading([a, b]),
        agent: reading([a]),
        dispositions: [],
      }),
    ).toEqual([["misread"]]);
  });

  it("are none for two drives that the agent reports with one serial number, and the reason says what to do", () => {
    const known = { owed: [], list: frozen([], twins), bmc: null, agent: reading(twins), dispositions: [] };
    expect(offered(known)).toEqual([[]]);
    const [found] = unaccountedDrives(known);
    expect(found === undefined ? null : dispositionRefusal(found, "misread")).toContain(
      "Remove or replace one of the drives",
    );
  });
});

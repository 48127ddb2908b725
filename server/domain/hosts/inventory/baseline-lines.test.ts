// A baseline compared with a host: same, different, or unknown, which never counts as same.
import { expect, it } from "vitest";
import { baselineComparison } from "@/server/domain/hosts/inventory/baseline-lines";
import type { PlatformBaseline } from "@/server/domain/hosts/inventory/platform";

const wanted: PlatformBaseline = {
  firmware: [
    { component: "BIOS", version: "2" },
    { component: "NIC", version: "1" },
  ],
  lockdown: true,
  bmc: {
    accounts: ["ops", "gone"],
    subscriptions: [],
    keys: ["A"],
    hostInterface: false,
    bootEntries: ["NIC 1"],
    secureBoot: { db: ["AA", "BB"] },
  },
};

it("each line says what is wanted, what was found, and whether it is the same", () => {
  const lines = baselineComparison(
    wanted,
    {
      firmware: [{ component: "BIOS", version: "3" }],
      platform: { lockdown: true },
      bmcSettings: {
        accounts: ["reclaim", "neighbour", "ops"],
        subscriptions: ["https://elsewhere.example"],
        keys: ["A", "B"],
        hostInterface: false,
        bootEntries: ["NIC 1"],
        secureBoot: { db: ["BB", "AA"] },
        left: [],
      },
    },
    ["reclaim", "neighbour"],
  );
  expect(lines.map(({ name, found, same }) => [name, found, same])).toEqual([
    ["firmware BIOS", "3", false],
    ["firmware NIC", "not there", false],
    ["lockdown", "on", true],
    ["BMC accounts", "reclaim, neighbour, ops", true],
    ["event subscriptions", "https://elsewhere.example; not allowed: https://elsewhere.example", false],
    ["account keys", "2; not allowed: 1", false],
    ["host interface", "off", true],
    ["boot entries", "NIC 1", true],
    ["secure boot db", "2", true],
  ]);
});

it("what the BMC did not tell is not known", () => {
  const lines = baselineComparison(
    wanted,
    { firmware: [], platform: { lockdown: null }, bmcSettings: null },
    [],
  );
  expect(lines).toHaveLength(9);
  expect(lines.every(({ found, same }) => found === null && same === null)).toBe(true);
});

it("a secure-boot entry that is gone differs, too", () =>
  expect(
    baselineComparison(
      { bmc: { accounts: ["a"], subscriptions: [], secureBoot: { db: ["AA", "BB"] } } },
      { firmware: [], platform: { lockdown: null }, bmcSettings: { secureBoot: { db: ["AA"] }, left: [] } },
      [],
    ).find(({ name }) => name === "secure boot db"),
  ).toMatchObject({ found: "1", same: false }));

it("a baseline that names nothing has no lines", () =>
  expect(
    baselineComparison({}, { firmware: [], platform: { lockdown: null }, bmcSettings: null }, []),
  ).toEqual([]));

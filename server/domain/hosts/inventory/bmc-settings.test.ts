// What is stored of a BMC for baselines, and what a person can take from it: never anything that would allow more than it names.
import { describe, expect, it } from "vitest";
import {
  bmcPartNames,
  bmcPartText,
  keptBmcSettings,
  knownBmcParts,
  withBmcParts,
} from "@/server/domain/hosts/inventory/bmc-settings";
import type { BmcPartsRead } from "@/server/domain/hosts/inventory/bmc-settings";

const read: BmcPartsRead = {
  accounts: { value: ["root", "monitor"] },
  subscriptions: { value: ["https://events.example/redfish"] },
  keys: { reason: "the BMC shows none" },
  hostInterface: { value: false },
  bootEntries: { value: ["NIC 1", "Disk"] },
  secureBoot: { value: { db: ["AA", "BB"] } },
  protocols: { value: ["HTTPS"] },
  bootOrder: { value: ["NIC 1"] },
  uefiPassword: { value: true },
  dpuMode: { reason: "not told by the BMC" },
  measurements: { value: { GPU_0: { 2: "ab" } } },
};
const found = keptBmcSettings(read);

describe("what is kept of a BMC", () => {
  it("is what it told, with the reason for the rest", () => {
    expect(found).toEqual({
      accounts: ["root", "monitor"],
      subscriptions: ["https://events.example/redfish"],
      hostInterface: false,
      bootEntries: ["NIC 1", "Disk"],
      secureBoot: { db: ["AA", "BB"] },
      protocols: ["HTTPS"],
      bootOrder: ["NIC 1"],
      uefiPassword: true,
      measurements: { GPU_0: { 2: "ab" } },
      left: ["account keys: the BMC shows none", "DPU mode: not told by the BMC"],
    });
    expect(knownBmcParts(found)).toEqual([
      ...["accounts", "hostInterface", "bootEntries", "secureBoot", "protocols", "bootOrder", "uefiPassword"],
      "measurements",
    ]);
    expect(knownBmcParts(null)).toEqual([]);
  });

  it.each([
    ["bootEntries", ["NIC 1", ""], /without|no unique name/],
    ["keys", [""], /no unique name/],
    ["secureBoot", { db: ["AA", ""] }, /no unique name/],
    ["subscriptions", ["https://user:pw@events.example"], /credential/],
    ["subscriptions", ["https://events.example/?token=x"], /credential/],
    ["accounts", [], /not even Reclaim's/],
    ["accounts", Array.from({ length: 65 }, (_, index) => `a${index}`), /too many or too long/],
  ] as const)("is not %s that are %j", (member, value, reason) => {
    const kept = keptBmcSettings({ ...read, [member]: { value } });
    expect(kept[member]).toBeUndefined();
    expect(kept.left.join("\n")).toMatch(reason);
    expect(JSON.stringify(kept)).not.toMatch(/user:pw|token=x/);
  });
});

describe("parts that a person takes", () => {
  const before = { accounts: ["root"], subscriptions: [], keys: ["ssh-ed25519 A"] };

  it("replace the SKU's, and the others stay", () => {
    expect(withBmcParts(before, found, ["bootEntries"])).toEqual({
      ok: true,
      bmc: { ...before, bootEntries: ["NIC 1", "Disk"] },
    });
    expect(withBmcParts(undefined, found, ["accounts", "hostInterface"])).toEqual({
      ok: true,
      bmc: {
        accounts: ["root", "monitor"],
        subscriptions: ["https://events.example/redfish"],
        hostInterface: false,
      },
    });
    expect(withBmcParts(before, null, [])).toEqual({ ok: true, bmc: before });
  });

  it("are refused where they are not known, and without accounts where the SKU names none", () => {
    expect(withBmcParts(before, found, ["keys"])).toEqual({ ok: false, reason: "not known: account keys" });
    expect(withBmcParts(undefined, found, ["bootEntries"])).toMatchObject({
      ok: false,
      reason: expect.stringContaining("accounts"),
    });
  });

  it("are told with what would be taken", () =>
    expect(bmcPartNames.map((part) => bmcPartText(found, part))).toEqual([
      "accounts root, monitor; subscriptions https://events.example/redfish",
      "0",
      "off",
      "NIC 1, Disk",
      "db 2",
      ...["HTTPS", "NIC 1", "set", "", "GPU_0"],
    ]));
});

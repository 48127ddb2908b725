// Which BIOS attributes are stored, and how they are compared, grouped and chosen.
import { describe, expect, it } from "vitest";
import {
  biosComparison,
  biosGroups,
  biosLimits,
  chooseBios,
  keptBios,
} from "@/server/domain/hosts/inventory/bios";

const keptNames = (...names: string[]) =>
  Object.keys(keptBios(Object.fromEntries(names.map((name) => [name, "x"]))).attributes);

describe("what is kept of a BMC's answer", () => {
  it.each([
    // Dell R750, Lenovo SR670 (captured trees), HPE and Supermicro (from their attribute registries).
    "SysPassword",
    "SHA256SetupPassword",
    "SHA256SetupPasswordSalt",
    "IscsiDev1Con1ChapSecret",
    "NvidiaNetworkAdapter_Slot5_CHAPSecret",
    "KmipPrivateKey",
    "HddUserPwd_0041",
    "TpmOwnerPin",
    "ApiToken",
  ])("%s is a secret", (name) => expect(keptNames(name)).toEqual([]));

  it.each([
    "AssetTag",
    "SystemServiceTag",
    "SerialNumber",
    "ServerAssetTag",
    "NvidiaNetworkAdapter_08C0EB59D368__Slot5_BootLUN",
    "IscsiInitiatorName",
    "SystemUuid",
    "SystemBiosVersion",
    "AttributeName@odata.type",
  ])("%s is no setting of a SKU", (name) => expect(keptNames(name)).toEqual([]));

  it.each(["LogicalProc", "SerialComm", "ExtSerialConnector", "SerialPortAddress", "KeyboardErrorReporting"])(
    "%s is kept",
    (name) => expect(keptNames(name)).toEqual([name]),
  );

  it("has texts, numbers and truth values that a baseline takes, by name", () => {
    expect(keptBios({ C: true, B: 3, A: "Enabled", N: null, L: ["x"], T: "x".repeat(2000) })).toEqual({
      attributes: { A: "Enabled", B: 3, C: true },
      over: 0,
    });
  });

  it("is capped in number and size, and says how many are over", () => {
    const many = Object.fromEntries(
      Array.from({ length: biosLimits.attributes + 5 }, (_, n) => [`A${n}`, n]),
    );
    const capped = keptBios(many);
    expect(Object.keys(capped.attributes)).toHaveLength(biosLimits.attributes);
    expect(capped.over).toBe(5);
    const large = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`A${n}`, "x".repeat(1000)]));
    const cut = keptBios(large);
    expect(JSON.stringify(cut.attributes).length).toBeLessThan(biosLimits.characters * 1.1);
    expect(cut.over).toBe(200 - Object.keys(cut.attributes).length);
    expect(cut.over).toBeGreaterThan(0);
  });
});

describe("a host against a baseline", () => {
  const wanted = { LogicalProc: "Disabled", Cores: 4, Snc: "On" };

  it("is the same where value and kind are, and not known where it tells nothing", () => {
    expect(biosComparison(wanted, { LogicalProc: "Disabled", Cores: "4" })).toEqual([
      { name: "LogicalProc", wanted: '"Disabled"', found: '"Disabled"', same: true },
      { name: "Cores", wanted: "4", found: '"4"', same: false },
      { name: "Snc", wanted: '"On"', found: null, same: null },
    ]);
    expect(biosComparison(wanted, null).map(({ same }) => same)).toEqual([null, null, null]);
    expect(biosComparison({ toString: "x" }, {})).toMatchObject([{ found: null, same: null }]);
  });
});

it("attributes stand under the vendor's prefix or their first word; single ones at the end", () => {
  expect(biosGroups(["Power_A", "Power_B", "Power_C", "AcPwr", "ProcCores", "ProcVt", "ProcX2Apic"])).toEqual(
    [
      { title: "Power", names: ["Power_A", "Power_B", "Power_C"] },
      { title: "Proc", names: ["ProcCores", "ProcVt", "ProcX2Apic"] },
      { title: "Other", names: ["AcPwr"] },
    ],
  );
});

it("names and patterns choose attributes; one that fits none is named", () => {
  const known = ["ProcCores", "ProcVt", "SysProfile", "A.B"];
  expect(chooseBios(known, ["SysProfile", "Proc*"])).toEqual({
    ok: true,
    names: ["ProcCores", "ProcVt", "SysProfile"],
  });
  expect(chooseBios(known, ["A?B"])).toEqual({ ok: false, unmatched: "A?B" });
  expect(chooseBios(known, ["A.B"])).toEqual({ ok: true, names: ["A.B"] });
  expect(chooseBios(known, ["Sys"])).toEqual({ ok: false, unmatched: "Sys" });
});

// The frozen list: the union of all who know of a device; who is not seen is missing and stays expected.
import { describe, expect, it } from "vitest";
import type { StorageDevice } from "@/server/domain/inventory/inventory";
import { deviceSetDifference, freezeDevices } from "@/server/domain/sanitization/known-devices";

const device = (serial: string, changes: Partial<StorageDevice> = {}): StorageDevice => ({ serial, model: "M", media: "nvme", transport: "nvme", capacityBytes: "1", removable: false, ...changes });
const usb = device("USB", { transport: "usb", removable: true });
const virtual = device("VIRT", { transport: "virtual" });
const names = (list: readonly { readonly serial: string }[]) => list.map((row) => row.serial);

describe("freezing", () => {
  it("takes the union, and says who knew", () => {
    const list = freezeDevices([device("A", { slot: "1" }), device("B")], [device("A", { firmware: "f" }), device("C"), device("B")], [], []);
    expect(list.expected).toEqual([device("A", { slot: "1", firmware: "f", ...{ sources: ["bmc", "agent"] } }), { ...device("C"), sources: ["agent"] }, { ...device("B"), sources: ["bmc", "agent"] }]);
    expect(list.missing).toEqual([]);
  });

  it("keeps what the agent does not see as expected and missing", () => {
    const list = freezeDevices([device("A")], [], [], []);
    expect(names(list.expected)).toEqual(["A"]);
    expect(list.missing).toEqual([{ serial: "A", model: "M", knownBy: "BMC" }]);
  });

  it("does not let another model of the same serial stand for it", () => {
    expect(names(freezeDevices([device("A")], [device("A", { model: "N" })], [], []).missing)).toEqual(["A"]);
  });

  it("misses the drives of a debt, once, unless they are there", () => {
    expect(freezeDevices([], [device("A")], ["A", "Z"], []).missing).toEqual([{ serial: "Z", model: "", knownBy: "sanitization debt" }]);
  });

  it("leaves removable and virtual media out, with the reason, once", () => {
    const list = freezeDevices([usb, virtual], [usb, virtual, device("A")], [], []);
    expect(names(list.expected)).toEqual(["A"]);
    expect(list.excluded).toEqual([{ serial: "USB", model: "M", reason: "removable medium" }, { serial: "VIRT", model: "M", reason: "virtual medium of the BMC" }]);
    expect(freezeDevices([usb], [], [], []).excluded).toHaveLength(1);
  });

  it("does not let an agent call a known drive removable", () => {
    const list = freezeDevices([device("A")], [device("A", { removable: true })], [], []);
    expect(names(list.missing)).toEqual(["A"]);
    expect(names(list.expected)).toEqual(["A"]);
  });

  describe("a drive behind a controller that hides it", () => {
    const hidden = device("H", { media: "ssd", transport: "sata" });

    it("is expected of the BMC, and nobody else is asked for it", () => {
      const list = freezeDevices([device("A"), hidden], [device("A")], ["H"], ["H"]);
      expect(list.expected).toEqual([{ ...device("A"), sources: ["bmc", "agent"] }, { ...hidden, sources: ["bmc"], outOfBand: true }]);
      expect(list.missing).toEqual([]);
    });

    it.each<[string, readonly StorageDevice[], readonly StorageDevice[], readonly string[], readonly string[]]>([
      ["that is named and that the BMC does not list is missing, where a debt names it", [device("A")], [device("A")], ["H"], ["H"]],
      ["that nobody names is missing", [device("A"), hidden], [device("A")], [], []],
      ["does not hide another drive beside it", [device("H2"), hidden], [], ["H"], ["H2"]],
    ])("%s", (_what, bmc, agent, debts, named) => {
      const list = freezeDevices(bmc, agent, debts, named);
      expect(names(list.missing)).toEqual(["H"]);
      expect(list.expected.filter(({ serial, outOfBand }) => serial === "H" && outOfBand === true)).toEqual([]);
    });

    it("that the agent sees all the same is the agent's", () => {
      const list = freezeDevices([hidden], [hidden], [], ["H"]);
      expect(list.expected).toEqual([{ ...hidden, sources: ["bmc", "agent"] }]);
    });

    it("does not stand for a drive of the same serial that only the agent lists", () => {
      expect(freezeDevices([], [hidden], [], ["H"]).expected).toEqual([{ ...hidden, sources: ["agent"] }]);
    });

    it("is left out where it is removable, as everywhere", () => {
      expect(freezeDevices([usb], [], [], ["USB"])).toMatchObject({ expected: [], excluded: [{ serial: "USB" }], missing: [] });
    });
  });

  it("does not count a debt's drive as there because it is left out", () => {
    expect(names(freezeDevices([], [usb], ["USB"], []).missing)).toEqual(["USB"]);
  });
});

describe("the difference of two sets", () => {
  it.each([
    ["is none for equal sets in another order", ["A", "B"], ["B", "A"], null],
    ["is none for empty sets", [], [], null],
    ["names what is gone", ["A", "B"], ["B"], "treated and no longer found: A"],
    ["names what is new", ["A"], ["A", "C"], "found and never treated: C"],
    ["names both", ["A"], ["C"], "treated and no longer found: A; found and never treated: C"],
  ])("%s", (_what, treated, found, words) => {
    expect(deviceSetDifference(treated.map((serial) => device(serial)), found.map((serial) => device(serial)))).toBe(words);
  });

  it("is one when the model is another", () => {
    expect(deviceSetDifference([device("A")], [device("A", { model: "N" })])).toMatch(/no longer found: A; found and never treated: A/);
  });
});

// The frozen list: the union of all sources that know a device. A device that is not seen is missing and stays expected.
import { describe, expect, it } from "vitest";
import { unknownPlace } from "@/server/domain/hosts/inventory/inventory";
import type { StorageDevice, UnnamedDevice } from "@/server/domain/hosts/inventory/inventory";
import { unanswerable } from "@/server/domain/cleaning/sanitization/dispositions";
import {
  deviceSetDifference,
  freezeDevices,
  unresolved,
} from "@/server/domain/cleaning/sanitization/known-devices";
import { device } from "@/server/domain/cleaning/sanitization/testing/device-results";

const usb = device("USB", { transport: "usb", removable: true });
const rules = { rules: [{ model: "M", reason: "holds the hypervisor" }] };
const virtual = device("VIRT", { transport: "virtual" });
const names = (list: readonly { readonly serial: string }[]) => list.map((row) => row.serial);

describe("freezing", () => {
  it("takes the union, and says who knew", () => {
    const list = freezeDevices(
      [device("A", { slot: "1" }), device("B")],
      [device("A", { firmware: "f" }), device("C"), device("B")],
      [],
      [],
    );
    expect(list.expected).toEqual([
      device("A", { slot: "1", firmware: "f", ...{ sources: ["bmc", "agent"] } }),
      { ...device("C"), sources: ["agent"] },
      { ...device("B"), sources: ["bmc", "agent"] },
    ]);
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
    expect(freezeDevices([], [device("A")], ["A", "Z"], []).missing).toEqual([
      { serial: "Z", model: "", knownBy: "sanitization debt" },
    ]);
  });

  it("expects removable and USB media, and leaves the BMC's own out", () => {
    const stick = device("STICK", { transport: "usb" });
    const list = freezeDevices(
      [usb, virtual],
      [usb, stick, virtual, device("A", { removable: true })],
      [],
      [],
    );
    expect(names(list.expected)).toEqual(["USB", "STICK", "A"]);
    expect(list.excluded).toEqual([{ serial: "VIRT", model: "M", reason: "virtual medium of the BMC" }]);
  });

  it("leaves media out that a rule of the site excludes, with its reason, once", () => {
    const list = freezeDevices([usb, virtual], [usb, virtual, device("A")], [], [], rules);
    expect(names(list.expected)).toEqual(["A"]);
    expect(list.excluded).toEqual([
      { serial: "USB", model: "M", reason: "excluded by the site's policy: holds the hypervisor" },
      { serial: "VIRT", model: "M", reason: "virtual medium of the BMC" },
    ]);
    expect(freezeDevices([usb], [], [], [], rules).excluded).toHaveLength(1);
    expect(
      names(
        freezeDevices([device("N"), device("O", { model: "O", transport: "usb" })], [], [], [], rules)
          .expected,
      ),
    ).toEqual(["N", "O"]);
    expect(
      names(
        freezeDevices([device("O", { model: "O", transport: "usb" })], [], [], [], {
          rules: [{ reason: "all of them" }],
        }).excluded,
      ),
    ).toEqual(["O"]);
  });

  it("does not let an agent call a known drive removable", () => {
    const list = freezeDevices([device("A")], [device("A", { removable: true })], [], [], rules);
    expect(names(list.missing)).toEqual(["A"]);
    expect(names(list.expected)).toEqual(["A"]);
  });

  it("misses what an earlier reading of the BMC listed, and keeps it expected", () => {
    const list = freezeDevices([device("A")], [device("A"), device("C")], [], [], {
      earlier: [device("A"), device("B"), device("C"), virtual],
    });
    expect(list.missing).toEqual([{ serial: "B", model: "M", knownBy: "an earlier reading of the BMC" }]);
    expect(names(list.expected)).toEqual(["A", "C", "B"]);
  });

  it("hands on what cannot be resolved, and adds drives of one serial number", () => {
    const open = unresolved({
      source: "bmc",
      place: "p",
      slot: "3",
      serial: null,
      model: null,
      reason: "Drive in slot 3 has no serial number.",
    });
    const twins = [device("A", { slot: "1" }), device("A", { slot: "2", model: "N" })];
    const list = freezeDevices(
      [...twins, device("B", { slot: "3" }), device("B", { slot: "3" })],
      [device("C"), device("C")],
      [],
      [],
      { unresolved: [open] },
    );
    expect(list.unresolved?.map(({ source, serial, place }) => [source, serial, place])).toEqual([
      ["bmc", null, "p"],
      ["bmc", "A", "M in 1; N in 2"],
      ["agent", "C", "M; M"],
    ]);
    expect(list.unresolved?.[1]?.reason).toBe(
      "The BMC lists 2 drives with the serial number A (M in 1; N in 2): a result for one would count for the other. Correct the serial number or remove one of the drives, then read the inventory again.",
    );
    expect(new Set(list.unresolved?.map(({ key }) => key)).size).toBe(3);
    expect(freezeDevices(twins.toReversed(), [], [], []).unresolved?.[0]?.key).toBe(
      list.unresolved?.[1]?.key,
    );
    expect(unresolved({ ...open, model: "M" }).key).not.toBe(open.key);
  });

  describe("a drive behind a controller that hides it", () => {
    const hidden = device("H", { media: "ssd", transport: "sata" });

    it("is expected of the BMC, and nobody else is asked for it", () => {
      const list = freezeDevices([device("A"), hidden], [device("A")], ["H"], ["H"]);
      expect(list.expected).toEqual([
        { ...device("A"), sources: ["bmc", "agent"] },
        { ...hidden, sources: ["bmc"], outOfBand: true },
      ]);
      expect(list.missing).toEqual([]);
    });

    it.each<
      [string, readonly StorageDevice[], readonly StorageDevice[], readonly string[], readonly string[]]
    >([
      [
        "that is named and that the BMC does not list is missing, where a debt names it",
        [device("A")],
        [device("A")],
        ["H"],
        ["H"],
      ],
      ["that nobody names is missing", [device("A"), hidden], [device("A")], [], []],
      ["does not hide another drive beside it", [device("H2"), hidden], [], ["H"], ["H2"]],
    ])("%s", (_what, bmc, agent, debts, named) => {
      const list = freezeDevices(bmc, agent, debts, named);
      expect(names(list.missing)).toEqual(["H"]);
      expect(list.expected.filter(({ serial, outOfBand }) => serial === "H" && outOfBand === true)).toEqual(
        [],
      );
    });

    it("that the agent sees all the same is the agent's", () => {
      const list = freezeDevices([hidden], [hidden], [], ["H"]);
      expect(list.expected).toEqual([{ ...hidden, sources: ["bmc", "agent"] }]);
    });

    it("does not stand for a drive of the same serial that only the agent lists", () => {
      expect(freezeDevices([], [hidden], [], ["H"]).expected).toEqual([{ ...hidden, sources: ["agent"] }]);
    });

    it("is left out where a rule excludes it, as everywhere", () => {
      expect(freezeDevices([usb], [], [], ["USB"], rules)).toMatchObject({
        expected: [],
        excluded: [{ serial: "USB" }],
        missing: [],
      });
    });
  });

  it("does not count a debt's drive as there because it is left out", () => {
    expect(names(freezeDevices([], [usb], ["USB"], [], rules).missing)).toEqual(["USB"]);
  });
});

describe("the difference of two sets", () => {
  it.each([
    ["is none for equal sets in another order", ["A", "B"], ["B", "A"], null],
    ["is none for empty sets", [], [], null],
    ["names what is gone", ["A", "B"], ["B"], "processed but no longer found: A"],
    ["names what is new", ["A"], ["A", "C"], "found but never processed: C"],
    ["names both", ["A"], ["C"], "processed but no longer found: A; found but never processed: C"],
  ])("%s", (_what, treated, found, words) => {
    expect(
      deviceSetDifference(
        treated.map((serial) => device(serial)),
        found.map((serial) => device(serial)),
      ),
    ).toBe(words);
  });

  it("is one when the model is another", () => {
    expect(deviceSetDifference([device("A")], [device("A", { model: "N" })])).toMatch(
      /no longer found: A; found but never processed: A/,
    );
  });
});

describe("drives that the agent cannot name", () => {
  const nameless: UnnamedDevice = {
    place: "pci-0000:00:17.0-ata-3",
    slot: "3",
    serial: "",
    model: "PM893",
    media: "ssd",
    transport: "sata",
    capacityBytes: "480103981056",
    removable: false,
  };

  it("are entries that block, with what a person can do, and expect nothing of any step", () => {
    const list = freezeDevices([], [device("A")], [], [], { unnamed: [nameless] });
    expect(names(list.expected)).toEqual(["A"]);
    expect(list.unresolved).toEqual([
      expect.objectContaining({
        source: "agent",
        serial: null,
        place: nameless.place,
        slot: "3",
        model: "PM893",
        reason:
          "The agent sees a drive of model PM893 without a serial number at pci-0000:00:17.0-ata-3 (3) (ssd, sata, 480103981056 bytes): no step can erase it with proof. Replace it or remove it, then restart the plan; or record it as misread.",
      }),
    ]);
    const [entry] = list.unresolved ?? [];
    expect(entry === undefined ? "" : unanswerable(entry)).toBeNull();
  });

  it("block with a name, too, where no step erases their kind", () => {
    const card = { ...nameless, serial: "0x1234", place: "pci-0000:00:1a.0, eMMC or SD card" };
    const { expected, unresolved: entries = [] } = freezeDevices([], [], [], [], { unnamed: [card] });
    expect(expected).toEqual([]);
    expect(entries[0]?.reason).toContain(
      "sees a drive of model PM893 with serial number 0x1234 at pci-0000:00:1a.0, eMMC or SD card (3)",
    );
  });

  it("have the same key in every boot, and another one where another drive is in the place", () => {
    const keyOf = (changes: Partial<UnnamedDevice>) =>
      freezeDevices([], [], [], [], { unnamed: [{ ...nameless, ...changes }] }).unresolved?.[0]?.key;
    expect(keyOf({})).toBe(keyOf({}));
    for (const changes of [{ capacityBytes: "1" }, { model: "" }, { serial: "S", model: "" }, { place: "p" }])
      expect(keyOf(changes)).not.toBe(keyOf({}));
  });

  it.each([
    ["at an unknown port", [{ ...nameless, place: unknownPlace }]],
    ["of which two are told to be at one port", [nameless, { ...nameless, model: "" }]],
  ])("%s are answered for by nothing", (_what, unnamed) => {
    const { unresolved: entries = [] } = freezeDevices([], [], [], [], { unnamed });
    expect(entries).toHaveLength(unnamed.length);
    for (const entry of entries)
      expect(unanswerable(entry)).toMatch(/then restart the plan\. No disposition covers this\./);
  });

  it("that are left out by nature or by rule are shown as left out", () => {
    const virtual: UnnamedDevice = { ...nameless, transport: "virtual" };
    const stick: UnnamedDevice = { ...nameless, place: "usb-1", transport: "usb", model: "M" };
    const list = freezeDevices([], [], [], [], { ...rules, unnamed: [virtual, stick] });
    expect(list.unresolved).toBeUndefined();
    expect(list.excluded).toEqual([
      { serial: nameless.place, model: "PM893", reason: "virtual medium of the BMC" },
      { serial: "usb-1", model: "M", reason: "excluded by the site's policy: holds the hypervisor" },
    ]);
    expect(freezeDevices([], [], [], [], { unnamed: [stick] }).unresolved).toHaveLength(1);
  });
});

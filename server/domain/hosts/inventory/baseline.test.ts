// What a baseline takes from a reference host, and what it leaves out.
import { describe, expect, it } from "vitest";
import {
  baselineSource,
  biosUnknown,
  captureBaseline,
  chosenBios,
  bmcUnknown,
  withCaptured,
} from "@/server/domain/hosts/inventory/baseline";
import { platformBaseline } from "@/server/domain/hosts/inventory/platform";

const row = (component: string, version: string) => ({ component, version });

describe("a baseline of a reference host", () => {
  it("has the version of each component, and lockdown where the BMC has one", () => {
    const captured = captureBaseline({
      firmware: [row("BMC", "7.10"), row("BIOS", "2.1"), row("BIOS", "2.1")],
      platform: { lockdown: true },
      bios: { LogicalProc: "Disabled" },
      bmcSettings: { accounts: ["root"], subscriptions: [], left: ["account keys: the BMC shows none"] },
    });
    expect(captured).toEqual({
      baseline: { firmware: [row("BIOS", "2.1"), row("BMC", "7.10")], lockdown: true },
      left: ["account keys: the BMC shows none"],
    });
    expect(platformBaseline.parse(captured.baseline)).toEqual(captured.baseline);
  });

  it("leaves out what no comparison could tell apart, and says so", () => {
    const { baseline, left } = captureBaseline({
      firmware: [row("NIC", "1"), row("NIC", "2"), row("", "3"), row("PSU", "")],
      platform: { lockdown: null },
      bios: null,
      bmcSettings: null,
    });
    expect(baseline).toEqual({});
    expect(left).toEqual([
      ": no comparable name or version",
      "NIC: listed with versions 1, 2",
      "PSU: no comparable name or version",
      biosUnknown,
      bmcUnknown,
    ]);
  });

  it("has at most as many components as a baseline may", () => {
    const firmware = Array.from({ length: 300 }, (_, index) => row(`C${index}`, "1"));
    const { baseline, left } = captureBaseline({
      firmware,
      platform: { lockdown: null },
      bios: null,
      bmcSettings: null,
    });
    expect(platformBaseline.safeParse(baseline).success).toBe(true);
    expect(left[0]).toBe("44 more components: a baseline has 256 at most");
  });

  it("is empty where the BMC told nothing", () => {
    expect(captureBaseline(baselineSource.parse({ storage: [] })).baseline).toEqual({});
  });

  it("has the BIOS attributes that were chosen, and says which are not known", () => {
    const bios = { LogicalProc: "Disabled", SysProfile: "Custom" };
    expect(chosenBios({ bios }, ["SysProfile"])).toEqual({ bios: { SysProfile: "Custom" }, unknown: [] });
    expect(chosenBios({ bios }, ["SysProfile", "toString"])).toMatchObject({ unknown: ["toString"] });
    expect(chosenBios({ bios: null }, ["SysProfile"])).toEqual({ bios: {}, unknown: ["SysProfile"] });
  });

  it("is put into one that is there: what was not captured stays", () => {
    const before = { bios: { A: 1, B: 2 }, lockdown: false };
    expect(withCaptured(before, { bios: { B: 3, C: 4 }, lockdown: true })).toEqual({
      bios: { A: 1, B: 3, C: 4 },
      lockdown: true,
    });
    expect(withCaptured(before, { lockdown: true })).toEqual({ bios: { A: 1, B: 2 }, lockdown: true });
    // Read when the host was verified, before its baseline locked it.
    expect(withCaptured({ lockdown: true }, { lockdown: false })).toEqual({ lockdown: true });
    expect(withCaptured(undefined, {})).toEqual({});
  });
});

// What a baseline takes from a reference host, and what it leaves out.
import { describe, expect, it } from "vitest";
import { baselineSource, captureBaseline, notInInventory } from "@/server/domain/inventory/baseline";
import { platformBaseline } from "@/server/domain/inventory/platform";

const byHand = notInInventory.map((part) => `${part}: no inventory has them`);
const row = (component: string, version: string) => ({ component, version });

describe("a baseline of a reference host", () => {
  it("has the version of each component, and lockdown where the BMC has one", () => {
    const captured = captureBaseline({
      firmware: [row("BMC", "7.10"), row("BIOS", "2.1"), row("BIOS", "2.1")],
      platform: { lockdown: true },
    });
    expect(captured).toEqual({
      baseline: { firmware: [row("BIOS", "2.1"), row("BMC", "7.10")], lockdown: true },
      left: byHand,
    });
    expect(platformBaseline.parse(captured.baseline)).toEqual(captured.baseline);
  });

  it("leaves out what no comparison could tell apart, and says so", () => {
    const { baseline, left } = captureBaseline({
      firmware: [row("NIC", "1"), row("NIC", "2"), row("", "3"), row("PSU", "")],
      platform: { lockdown: null },
    });
    expect(baseline).toEqual({});
    expect(left).toEqual([
      ": no name or version that can be compared",
      "NIC: listed with versions 1, 2",
      "PSU: no name or version that can be compared",
      ...byHand,
    ]);
  });

  it("has at most as many components as a baseline may", () => {
    const firmware = Array.from({ length: 300 }, (_, index) => row(`C${index}`, "1"));
    const { baseline, left } = captureBaseline({ firmware, platform: { lockdown: null } });
    expect(platformBaseline.safeParse(baseline).success).toBe(true);
    expect(left[0]).toBe("44 more components: a baseline has 256 at most");
  });

  it("is empty where the BMC told nothing", () => {
    expect(captureBaseline(baselineSource.parse({ storage: [] })).baseline).toEqual({});
  });
});

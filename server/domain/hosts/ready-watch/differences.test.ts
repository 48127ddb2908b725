// What ends the proof of a host that waits in Ready, and what does not.
import { describe, expect, it } from "vitest";
import { judgeReady } from "@/server/domain/hosts/ready-watch/baseline";
import type { WatchedHost } from "@/server/domain/hosts/ready-watch/baseline";
import { watchOf } from "@/server/domain/hosts/ready-watch/reading";
import type { ReadyReading } from "@/server/domain/hosts/ready-watch/reading";

const minute = 60_000;
const readySinceMs = Date.UTC(2026, 10, 1, 12);
const at = (ms: number): string => new Date(ms).toISOString();
const drive = (serial: string) => ({ serial, model: "P5520" });

const reading: ReadyReading = {
  power: "on",
  drives: [drive("A"), drive("B")],
  unnamed: [],
  resetMark: at(readySinceMs + minute),
  bmcTime: at(readySinceMs + 60 * minute),
  firmware: [{ component: "BIOS", version: "1.0" }],
  intrusion: "Normal",
};
const host: WatchedHost = {
  last: reading,
  readySinceMs,
  agentRestarts: true,
  orderedMark: at(readySinceMs - 30 * minute),
  orderedReadAt: at(readySinceMs - 30 * minute),
  inventory: { drives: reading.drives, unnamed: [] },
  elsewhere: [],
};
const readAtMs = readySinceMs + 60 * minute;
const judge = (after: Partial<ReadyReading>, before: Partial<WatchedHost> = {}) =>
  judgeReady({ ...host, ...before }, { ...reading, ...after }, readAtMs);

describe("a later reading", () => {
  it("is the same if nothing changed", () => {
    expect(judge({})).toEqual({ kind: "same" });
    expect(judge({ resetMark: at(readySinceMs + minute + 3_000) })).toEqual({ kind: "same" });
  });

  it("is the same where an earlier release gave the same components other names", () => {
    const port = "Broadcom Gigabit Ethernet BCM5720";
    const ports = (names: readonly string[], last = "21.80.9") => ({
      firmware: names.map((name, index) => ({
        component: `${port}${name}`,
        version: index === 0 ? "21.80.9" : last,
      })),
    });
    const before = { last: { ...reading, ...ports([" - D0:94:66:00:00:01", " - D0:94:66:00:00:02"]) } };
    const places = [" (NIC.Embedded.1-1-1)", " (NIC.Embedded.2-1-1)"];
    expect(judge(ports(places), before)).toEqual({ kind: "same" });
    expect(judge(ports(places, "22.0"), before).kind).toBe("doubt");
    expect(judge(ports([""]), before).kind).toBe("look");
    const images = (active: string, backup: string) => ({
      firmware: [
        { component: "BMC image (Active)", version: active },
        { component: "BMC image (Backup)", version: backup },
      ],
    });
    const swapped = { last: { ...reading, ...images("2.0", "1.9") } };
    expect(judge(images("2.0", "1.9"), swapped)).toEqual({ kind: "same" });
    expect(judge(images("1.9", "2.0"), swapped).kind).toBe("doubt");
  });

  it.each<[string, Partial<ReadyReading>, RegExp]>([
    ["a swapped drive", { drives: [drive("A"), drive("C")] }, /lists drive C.*no longer lists drive B/],
    ["a drive that was added", { drives: [drive("A"), drive("B"), drive("C")] }, /lists drive C/],
    ["a reset", { resetMark: at(readySinceMs + 40 * minute) }, /last reset moved/],
    ["a clock that went back", { resetMark: at(readySinceMs - 40 * minute) }, /last reset moved/],
    ["other firmware", { firmware: [{ component: "BIOS", version: "1.1" }] }, /BIOS changed from 1.0 to 1.1/],
    ["an opened chassis", { intrusion: "HardwareIntrusion" }, /chassis reports HardwareIntrusion/],
  ])("puts the host in doubt after %s", (_, after, why) => {
    expect(judge(after)).toEqual({ kind: "doubt", why: expect.stringMatching(why) });
  });

  it.each<[string, Partial<ReadyReading>]>([
    ["a drive is not listed", { drives: [drive("A")] }],
    ["an entry has no serial number", { unnamed: ["bay 3"] }],
    ["a component is not listed", { firmware: [{ component: "BMC", version: "1" }] }],
  ])("is repeated if %s, because a machine that is starting may look like that", (_, after) => {
    expect(judge(after).kind).toBe("look");
  });

  it.each<[string, Partial<ReadyReading>, RegExp]>([
    ["no drive is listed", { drives: null }, /lists no drives/],
    ["no reset time is reported", { resetMark: null }, /no longer reports when the host was last reset/],
    ["no firmware is listed", { firmware: null }, /no longer lists its firmware/],
    ["the sensor is not reported", { intrusion: null }, /no longer reports whether the chassis was opened/],
  ])("is neither the same nor a change if %s: the part cannot be read", (_, after, why) => {
    expect(judge(after)).toEqual({ kind: "unread", why: expect.stringMatching(why) });
    expect(judge({ ...after, unnamed: ["bay 3"] }).kind).toBe("look");
    const other =
      "firmware" in after
        ? { intrusion: "HardwareIntrusion" }
        : { firmware: [{ component: "BIOS", version: "2" }] };
    expect(judge({ ...after, ...other }).kind).toBe("doubt");
  });

  it("does not compare what the BMC did not offer before", () => {
    const last = { ...reading, firmware: null, intrusion: "HardwareIntrusion", resetMark: null };
    expect(judge({ intrusion: "HardwareIntrusion" }, { last })).toEqual({ kind: "same" });
  });
});

describe("the first reading", () => {
  it("compares the drives with the inventory of the reclamation", () => {
    expect(judge({}, { last: null })).toEqual({ kind: "same" });
    expect(judge({ drives: [drive("A"), drive("C")] }, { last: null }).kind).toBe("doubt");
  });

  it("is neither the same nor a change where no drives are recorded", () => {
    const none = { last: null, inventory: null };
    const unknown = { kind: "unknown", why: expect.stringMatching(/no list of the drives/) };
    expect(judge({}, none)).toEqual(unknown);
    expect(judge({ resetMark: null }, none)).toMatchObject(unknown);
    expect(judge({ resetMark: at(readySinceMs + 30 * minute) }, none).kind).toBe("doubt");
  });

  it("takes one reset for the restart of the agent, if it is dated right after the host became Ready", () => {
    expect(judge({}, { last: null }).kind).toBe("same");
    expect(judge({ resetMark: at(readySinceMs + 30 * minute) }, { last: null }).kind).toBe("doubt");
    expect(judge({ bmcTime: null }, { last: null }).kind).toBe("doubt");
    expect(judge({ bmcTime: at(readySinceMs) }, { last: null }).kind).toBe("doubt");
    // Our clock was set back meanwhile, by which the host has only just become Ready.
    const late = { resetMark: at(readySinceMs + 80 * minute), bmcTime: at(readySinceMs + 135 * minute) };
    expect(judge(late, { last: null }).kind).toBe("doubt");
    expect(judge(late, { last: null, orderedReadAt: null }).kind).toBe("same");
    expect(judge({ bmcTime: null, resetMark: null }, { last: null, orderedMark: null }).kind).toBe("same");
    // A BMC without a clock, whose last restart was proven by off and on: the first reset time that is read is where watching begins.
    expect(judge({ bmcTime: null }, { last: null, orderedMark: null }).kind).toBe("same");
  });

  it("takes none for it while the host waits for a repair, because its agent goes on", () => {
    expect(judge({}, { last: null, agentRestarts: false })).toEqual({
      kind: "doubt",
      why: expect.stringMatching(/last reset moved/),
    });
    expect(judge({ resetMark: host.orderedMark }, { last: null, agentRestarts: false }).kind).toBe("same");
    expect(judge({}, { last: null, orderedMark: null, agentRestarts: false }).kind).toBe("same");
  });

  it("dates it by the BMC's own clock, wherever that stands", () => {
    const wrong = { resetMark: "1970-01-01T00:10:00Z", bmcTime: "1970-01-01T01:09:00Z" };
    expect(judge(wrong, { last: null, orderedMark: null }).kind).toBe("same");
    expect(judge({ ...wrong, bmcTime: "1970-01-01T00:20:00Z" }, { last: null, orderedMark: null }).kind).toBe(
      "doubt",
    );
  });

  it("leaves the restart of the agent to a later one, and takes no second reset for it", () => {
    const last = { ...reading, resetMark: host.orderedMark };
    expect(judge({}, { last }).kind).toBe("same");
    expect(judge({ resetMark: at(readySinceMs + 3 * minute) }).kind).toBe("doubt");
  });
});

it("a drive that belongs elsewhere puts the host in doubt", () => {
  expect(judge({}, { elsewhere: [{ serial: "A", why: "held", host: "x" }] })).toEqual({
    kind: "doubt",
    why: "drive A belongs to host x, which a tenant has",
  });
});

it("says what is watched, and why the rest is not", () => {
  expect(watchOf(reading)).toEqual({ watched: ["drives", "reset", "firmware", "intrusion"], notWatched: [] });
  expect(watchOf({ ...reading, resetMark: null, intrusion: "HardwareIntrusion" })).toEqual({
    watched: ["drives", "firmware"],
    notWatched: [
      { part: "reset", why: "not offered by this BMC" },
      {
        part: "intrusion",
        why: "the sensor already reads HardwareIntrusion; reset it at the BMC",
      },
    ],
  });
});

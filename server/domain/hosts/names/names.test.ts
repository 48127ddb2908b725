// Which names of a machine count, and which a person may confirm.
import { describe, expect, it } from "vitest";
import { isBound, namesDigest, pendingNames, standingOf } from "@/server/domain/hosts/names/names";
import type { NameKind, NameSource, ToldName } from "@/server/domain/hosts/names/names";

const uuid = "5f0f6d3a-6a3a-4b0e-9a53-0a64b9a2f002";
const other = "11f0c0de-6a3a-4b0e-9a53-0a64b9a2f009";
const usb = "02:00:00:00:00:0a";
const own = { serial: "S-1", systemUuid: uuid, macs: ["02:00:00:00:00:01", usb], sharedMacs: [usb] };
const told = (
  source: NameSource,
  kind: NameKind,
  value: string,
  { at = 2, confirmed = false } = {},
): ToldName => ({
  source,
  kind,
  value,
  lastSeenAt: new Date(at),
  confirmedAt: confirmed ? new Date(9) : null,
});
const pendingOf = (...names: readonly ToldName[]) =>
  pendingNames(own, names).map(({ source, names: each, agrees }) => [
    source,
    each.map(({ value }) => value),
    agrees.map(({ value }) => value),
  ]);

it.each<[NameKind, string, string]>([
  ["serial", "S-1", "own"],
  ["uuid", uuid, "own"],
  ["uuid", "3a6d0f5f-3a6a-0e4b-9a53-0a64b9a2f002", "own"],
  ["mac", "02:00:00:00:00:01", "own"],
  ["mac", "02:00:00:00:00:02", "added"],
  ["mac", usb, "shared"],
  ["serial", "s-1", "differs"],
  ["serial", "To be filled by O.E.M.", "placeholder"],
  ["uuid", "03000200-0400-0500-0006-000700080009", "placeholder"],
  ["uuid", other, "differs"],
])("%s %s is %s", (kind, value, standing) => {
  expect(standingOf(own, [], { kind, value, source: "bmc" })).toBe(standing);
});

describe("a confirmed name", () => {
  const names = [told("agent", "serial", "S-2", { confirmed: true })];
  it.each([
    ["bmc", "bmc", "confirmed"],
    ["bmc", "agent", "confirmed"],
    ["bmc", "firmware", "confirmed"],
    ["agent", "agent", "confirmed"],
    // What an agent told counts for no BMC.
    ["agent", "bmc", "differs"],
  ] as const)("that the %s told is, told by the %s: %s", (confirmed, teller, standing) =>
    expect(
      standingOf(own, [told(confirmed, "serial", "S-2", { confirmed: true })], {
        ...{ source: teller, kind: "serial", value: "S-2" },
      }),
    ).toBe(standing),
  );
  it("of an agent may be confirmed once more where the BMC tells it", () =>
    expect(pendingNames(own, [...names, told("bmc", "serial", "S-2")]).map(({ source }) => source)).toEqual([
      "bmc",
    ]));
  it("of another kind does not", () => {
    expect(standingOf(own, names, { kind: "uuid", value: "S-2", source: "agent" })).toBe("placeholder");
  });
});

describe("pending", () => {
  it("is what a source told last, beside what agrees", () => {
    expect(
      pendingOf(
        told("agent", "serial", "OLD", { at: 1 }),
        told("agent", "serial", "S-2"),
        told("agent", "uuid", uuid),
        told("agent", "mac", "02:00:00:00:00:01"),
        told("agent", "mac", "02:00:00:00:00:07"),
      ),
    ).toEqual([["agent", ["S-2"], [uuid, "02:00:00:00:00:01"]]]);
  });
  it("is nothing that a source told before it told the host's own names", () => {
    expect(pendingOf(told("bmc", "serial", "S-2", { at: 1 }), told("bmc", "serial", "S-1"))).toEqual([]);
  });
  it("takes no agreement from an earlier time", () => {
    expect(pendingOf(told("bmc", "uuid", uuid, { at: 1 }), told("bmc", "serial", "S-2"))).toEqual([
      ["bmc", ["S-2"], []],
    ]);
  });
  it("does not agree by a MAC address that another host has, too", () => {
    expect(pendingOf(told("bmc", "serial", "S-2"), told("bmc", "mac", usb))).toEqual([["bmc", ["S-2"], []]]);
  });
  it("is never a placeholder, nor what firmware tells a boot server", () => {
    expect(pendingOf(told("agent", "serial", "Default string"), told("firmware", "uuid", other))).toEqual([]);
  });
});

describe("bound to the host", () => {
  const mac = (source: NameSource) => told(source, "mac", "02:00:00:00:00:01");
  it.each<[string, readonly ToldName[], boolean]>([
    ["a BMC by one of the host's MAC addresses", [told("bmc", "serial", "S-2"), mac("bmc")], true],
    [
      "an agent by none, which whoever knows it can tell",
      [told("agent", "serial", "S-2"), mac("agent")],
      false,
    ],
    ["an agent by the host's UUID", [told("agent", "serial", "S-2"), told("agent", "uuid", uuid)], true],
    [
      "an agent by a serial that was confirmed",
      [
        told("bmc", "serial", "S-2", { confirmed: true }),
        ...[told("agent", "serial", "S-2"), told("agent", "uuid", other)],
      ],
      true,
    ],
    ["nobody by nothing", [told("bmc", "serial", "S-2"), told("bmc", "mac", usb)], false],
  ])("is %s", (_what, names, bound) => {
    expect(pendingNames(own, names).map(isBound)).toEqual([bound]);
  });
});

it("binds a confirmation to these names, in any order", () => {
  const [one, two] = [told("bmc", "serial", "S-2"), told("bmc", "uuid", other)];
  const digest = (...names: readonly ToldName[]) => namesDigest("h", pendingNames(own, names));
  expect(digest(one, two)).toBe(digest(two, one));
  expect(digest(one)).not.toBe(digest(one, two));
  expect(digest(one)).not.toBe(digest(one, told("bmc", "mac", "02:00:00:00:00:01")));
});

// A platform compared with its baseline: each kind of difference is seen, and what could not be read is never as wanted.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { judgePlatform, nothingRead, queryOf } from "@/server/domain/hosts/platform/judge";
import type { PlatformBaseline } from "@/server/domain/hosts/inventory/platform";
import type { ComponentRead, PlatformPart, PlatformReading } from "@/server/domain/hosts/platform/reading";
import { clean } from "@/server/domain/reclamations/gates/testing/evidence";

/** A baseline that names everything, and a host that is like it. */
const named: PlatformBaseline = {
  bios: { Sriov: "Enabled", Threads: 2 },
  firmware: [{ component: "BIOS", version: "1.8.2" }],
  lockdown: true,
  bmc: {
    accounts: ["monitor"],
    subscriptions: ["https://events.example"],
    keys: ["ssh-ed25519 ours"],
    hostInterface: false,
    bootEntries: ["PXE", "ubuntu"],
    secureBoot: { db: ["a", "b"] },
    protocols: ["HTTPS", "SSH"],
    bootOrder: ["PXE"],
    uefiPassword: true,
    dpuMode: "DpuMode",
    measurements: { GPU_0: { 1: "0a", 2: "ab" }, GPU_1: { 2: "ab" } },
  },
};
const like: PlatformReading = {
  firmware: {
    value: [
      { component: "BIOS", version: "1.8.2" },
      { component: "PSU", version: "1" },
    ],
  },
  bios: { value: { Sriov: "Enabled", Threads: 2 } },
  lockdown: { value: true },
  accounts: { value: [] },
  keys: { value: ["ssh-ed25519 ours"] },
  subscriptions: { value: ["https://events.example"] },
  media: { value: [] },
  hostInterface: { value: false },
  bootEntries: { value: [{ name: "ubuntu", own: false, toAddress: false }] },
  secureBoot: { value: { db: ["b", "a"] } },
  protocols: { value: ["SSH", "HTTPS"] },
  bootOrder: { value: ["PXE", "ubuntu"] },
  uefiPassword: { value: true },
  dpuMode: { value: "DpuMode" },
  measurements: {
    value: { GPU_0: { values: { 1: "0a", 2: "ab", 5: "its own" } }, GPU_1: { values: { 2: "ab" } } },
  },
  tpm: { value: true },
};
const measuring = (first: ComponentRead): Partial<PlatformReading> => ({
  measurements: { value: { GPU_0: first, GPU_1: { values: { 2: "ab" } } } },
});
const wrong = (baseline: PlatformBaseline, reading: PlatformReading) =>
  judgePlatform(baseline, reading)
    .filter(({ verdict }) => verdict === "different" || verdict === "unknown")
    .map(({ name, verdict, found }) => `${name} ${verdict}: ${found}`);

it.each([
  ["named", named, like],
  ["not named", {}, clean],
])("a host that is as wanted, where everything is %s, has no open item", (_what, baseline, reading) =>
  expect(wrong(baseline, reading)).toEqual([]),
);

describe("one changed item is the only one that is open, where it is named", () => {
  it.each<[string, Partial<PlatformReading>]>([
    ['BIOS Sriov different: "Disabled"', { bios: { value: { Sriov: "Disabled", Threads: 2 } } }],
    ['BIOS Threads different: "2"', { bios: { value: { Sriov: "Enabled", Threads: "2" } } }],
    ["firmware BIOS different: 1.9.0", { firmware: { value: [{ component: "BIOS", version: "1.9.0" }] } }],
    ["firmware BIOS different: not listed", { firmware: { value: [] } }],
    ["lockdown different: off", { lockdown: { value: false } }],
    ["accounts different: not allowed: eve", { accounts: { value: ["monitor", "eve"] } }],
    ["account keys different: not allowed: 1 key (b5c1fb2efc6d)", { keys: { value: ["evil"] } }],
    [
      "event subscriptions different: not allowed: https://evil.example",
      { subscriptions: { value: ["https://u:secret@evil.example/secret?key=secret"] } },
    ],
    ["virtual media different: not allowed: evil.iso", { media: { value: ["evil.iso"] } }],
    ["host interface different: on", { hostInterface: { value: true } }],
    [
      "boot entries different: not allowed: evil",
      { bootEntries: { value: [{ name: "evil", own: true, toAddress: false }] } },
    ],
    ["secure boot db different: 1 key (ca978112ca1b)", { secureBoot: { value: { db: ["a"] } } }],
    ["secure boot db unknown: the BMC does not show it", { secureBoot: { value: {} } }],
    ["network protocols different: HTTPS, SSH, Telnet", { protocols: { value: ["HTTPS", "SSH", "Telnet"] } }],
    ["network protocols different: SSH", { protocols: { value: ["SSH"] } }],
    ["boot order different: ubuntu, PXE", { bootOrder: { value: ["ubuntu", "PXE"] } }],
    ["UEFI password different: not set", { uefiPassword: { value: false } }],
    ["UEFI password unknown: not told by the BMC", { uefiPassword: { absent: "not told by the BMC" } }],
    ["DPU mode different: NicMode", { dpuMode: { value: "NicMode" } }],
    ["measurements GPU_0 different: 2 ac", measuring({ values: { 1: "0a", 2: "ac" } })],
    ["measurements GPU_0 different: 1 none", measuring({ values: { 2: "ab" } })],
    ["measurements GPU_0 unknown: not signed", measuring({ unknown: "not signed" })],
    [
      "measurements GPU_0 unknown: the BMC does not list it",
      { measurements: { value: { GPU_1: { values: { 2: "ab" } } } } },
    ],
  ])("%s", (text, change) => expect(wrong(named, { ...like, ...change })).toEqual([text]));
});

describe("what is wanted of every host", () => {
  it.each<[string, Partial<PlatformReading>]>([
    ["accounts different: not allowed: eve", { accounts: { value: ["eve"] } }],
    ["account keys different: not allowed: 1 key (b5c1fb2efc6d)", { keys: { value: ["evil"] } }],
    ["event subscriptions different: not allowed: (not an address)", { subscriptions: { value: ["x"] } }],
    ["virtual media different: not allowed: evil.iso", { media: { value: ["evil.iso"] } }],
    [
      "boot entries different: not allowed: ubuntu",
      { bootEntries: { value: [{ name: "ubuntu", own: false, toAddress: false }] } },
    ],
    [
      "secure boot db different: 2 keys (88c3e778a6c3), vendor 1 key (ca978112ca1b)",
      { secureBoot: { value: { db: ["a", "evil"], dbDefault: ["a"] } } },
    ],
  ])("%s", (text, change) => expect(wrong({}, { ...clean, ...change })).toEqual([text]));

  it("keys that cannot be compared with the vendor's are unknown, and the reason says what to do", () => {
    expect(wrong({}, { ...clean, secureBoot: { value: { db: [], KEK: [], PK: [] } } })).toEqual(
      ["PK", "KEK", "db"].map((name) =>
        expect.stringMatching(new RegExp(`^secure boot ${name} unknown: .* baseline$`)),
      ),
    );
  });
});

const parts = Object.keys(nothingRead).filter((part): part is PlatformPart => part !== "tpm");

it.each(parts)("%s that could not be read is never as wanted", (part) => {
  const open = judgePlatform(named, { ...like, [part]: { unknown: "answered 503" } });
  expect(open.some(({ verdict, found }) => verdict === "unknown" && found === "answered 503")).toBe(true);
});

it.each(parts.filter((part) => part !== "media"))(
  "%s that a baseline names and the BMC no longer shows is open",
  (part) => {
    expect(wrong(named, { ...like, [part]: { absent: "the BMC shows none" } })).not.toEqual([]);
  },
);

it("nothing is asked that no item needs, and everything that one needs is", () => {
  expect(queryOf({}).parts).not.toContain("firmware");
  expect(queryOf(named)).toMatchObject({
    bios: ["Sriov", "Threads"],
    secureBoot: ["db", "PK", "PKDefault", "KEK", "KEKDefault"],
  });
  // With what the query names, no item stays unread.
  for (const baseline of [{}, named, { bios: {} }, { firmware: [] }]) {
    const { parts: asked } = queryOf(baseline);
    const read = Object.fromEntries(
      Object.entries(like).map(([part, value]) => [
        part,
        asked.includes(part) ? value : { unknown: "not read" },
      ]),
    );
    expect(
      judgePlatform(baseline, { ...nothingRead, ...read }).filter(({ found }) => found === "not read"),
    ).toEqual([]);
  }
});

it("items of one baseline have different names, whatever it names", () => {
  const word = fc.string({ minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(
      fc.record({
        bios: fc.dictionary(word, word),
        firmware: fc.uniqueArray(fc.record({ component: word, version: word }), {
          selector: ({ component }) => component,
        }),
      }),
      (baseline) => {
        const names = judgePlatform(baseline, nothingRead).map(({ name }) => name);
        expect(new Set(names).size).toBe(names.length);
      },
    ),
  );
});

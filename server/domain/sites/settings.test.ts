// Every setting of the document has exactly one field or place, and fields can parse what they show.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defaultPolicy } from "@/server/domain/cleaning/policy/policy";
import { siteDocument } from "@/server/domain/sites/document";
import { settingFields, settingPlaces, formatSetting } from "@/server/domain/sites/setting-fields";
import { durationText, readDuration, readSetting, settingText } from "@/server/domain/sites/setting-text";

const node = z.looseObject({
  properties: z.record(z.string(), z.unknown()).optional(),
  items: z.unknown().optional(),
});

const fields = settingFields.map(({ path }) => path);

/** Every setting without members, and every object that another page edits as a whole. */
function settingsOf(schema: unknown, path: string): readonly string[] {
  const { properties, items } = node.parse(schema);
  if (Object.hasOwn(settingPlaces, path) || fields.includes(path)) return [path];
  if (properties === undefined) {
    const inner = items === undefined ? undefined : node.parse(items).properties;
    return inner === undefined ? [path] : settingsOf(items, path);
  }
  return Object.entries(properties).flatMap(([name, member]) =>
    settingsOf(member, path === "" ? name : `${path}.${name}`),
  );
}
const all = settingsOf(z.toJSONSchema(siteDocument, { io: "input", unrepresentable: "any" }), "");

describe("every setting of a site document", () => {
  it("has a field, or a place where it is changed: exactly one", () => {
    expect(all.length).toBeGreaterThan(35);
    expect([...fields, ...Object.keys(settingPlaces)].sort()).toEqual([...all].sort());
  });
  it("with a field shows its default as a text that is read back as the same value", () => {
    const document: unknown = { policy: defaultPolicy() };
    for (const { path, label } of settingFields) {
      const value = path
        .split(".")
        .reduce<unknown>((at, name) => z.record(z.string(), z.unknown()).parse(at)[name], document);
      expect(readSetting(path, label, settingText(path, value)), path).toEqual({ ok: true, value });
    }
  });
  it("has words, once each", () => {
    const words = fields.map((path) => formatSetting(path.split(".")));
    expect(new Set(words).size).toBe(words.length);
    expect(formatSetting(["policy", "times", "stateMs"])).toBe("Time limits: state");
    expect(formatSetting(["tenants", "acme", "name"])).toBe("Tenant acme name");
  });
});

describe("a duration", () => {
  it("is read as it is shown", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 ** 11 }), (ms) => {
        expect(readDuration(durationText(ms))).toBe(ms);
      }),
    );
  });
  it.each([
    ["30 min", 1_800_000],
    ["1 h 30 min", 5_400_000],
    ["7d", 604_800_000],
    ["1.5 h", 5_400_000],
    ["250 ms", 250],
    ["", undefined],
    ["30", undefined],
    ["soon", undefined],
    ["-1 s", undefined],
    ["1 s and more", undefined],
    ["0.0001 s", undefined],
  ])("%j is %j", (text, ms) => expect(readDuration(text)).toBe(ms));
});

it.each([
  ["policy.times.stateMs", "0 ms", "State: enter a duration with its unit, from 1 ms, such as 30 min"],
  ["policy.times.bmcTries", "0", "State: enter a whole number from 1"],
  ["policy.attempts.agent", "21", "State: enter a whole number from 1 to 20"],
  ["policy.brake.percent", "0", "State: enter a number above 0 to 100"],
  ["policy.attempts.agent", "many", "State: enter a whole number from 1 to 20"],
])("%s does not take %j", (path, text, complaint) =>
  expect(readSetting(path, "State", text)).toEqual({ ok: false, complaint }),
);
describe("rules about media", () => {
  const path = "policy.sanitization.excludedMedia";
  it("are read as they are shown", () => {
    const rules = [{ model: "SanDisk Ultra", reason: "recovery = ours" }, { reason: "never a tenant's" }];
    const text = "SanDisk Ultra = recovery = ours\n* = never a tenant's";
    expect(settingText(path, rules)).toBe(text);
    expect(readSetting(path, "Media", text)).toEqual({ ok: true, value: rules });
  });
  it("that are none are left out of the document", () =>
    expect([settingText(path, undefined), readSetting(path, "Media", " ")]).toEqual([
      "",
      { ok: true, value: undefined },
    ]));
  it.each(["SanDisk", "SanDisk =", "= reason"])("are not %j", (text) =>
    expect(readSetting(path, "Media", text)).toMatchObject({ ok: false }),
  );
});
it("a list has one entry per line", () =>
  expect(readSetting("policy.validationTests", "Tests", " a \n\nb\n")).toEqual({
    ok: true,
    value: ["a", "b"],
  }));

// JSON patch as Ironic accepts it, by tables.
import { describe, expect, it } from "vitest";
import { jsonPatch, patched, rootsOf } from "@/server/surfaces/machine/ironic/wire/json-patch";

const document = { name: null, properties: { a: 1, list: [1, 2], "x/y": 1 }, extra: {}, driver: "redfish" };
const rules = { roots: new Set(["name", "properties", "extra", "driver"]), mandatory: ["driver"] };
const apply = (...operations: unknown[]) => patched(document, jsonPatch.parse(operations), rules);

describe("a patch", () => {
  it.each([
    ["adds a member", [{ op: "add", path: "/extra/k", value: { v: 1 } }], { extra: { k: { v: 1 } } }],
    [
      "adds over what is there",
      [{ op: "add", path: "/properties/a", value: 2 }],
      { properties: { ...document.properties, a: 2 } },
    ],
    [
      "adds to a list, in place and at its end",
      [
        { op: "add", path: "/properties/list/0", value: 0 },
        { op: "add", path: "/properties/list/-", value: 3 },
      ],
      { properties: { ...document.properties, list: [0, 1, 2, 3] } },
    ],
    ["replaces a root", [{ op: "replace", path: "/name", value: "n" }], { name: "n" }],
    [
      "removes with a value of null, as the client sends it",
      [{ op: "remove", path: "/properties/a", value: null }],
      { properties: { list: [1, 2], "x/y": 1 } },
    ],
    [
      "reads escaped names",
      [{ op: "replace", path: "/properties/x~1y", value: 2 }],
      { properties: { ...document.properties, "x/y": 2 } },
    ],
    [
      "goes in order",
      [
        { op: "add", path: "/extra/k", value: {} },
        { op: "add", path: "/extra/k/l", value: 1 },
        { op: "remove", path: "/properties/a" },
      ],
      { extra: { k: { l: 1 } }, properties: { list: [1, 2], "x/y": 1 } },
    ],
  ])("%s", (_what, operations, change) => expect(apply(...operations)).toEqual({ ...document, ...change }));

  it("leaves a removed root out, and the document as it was", () => {
    const before = structuredClone(document);
    expect(
      apply({ op: "remove", path: "/name" }, { op: "add", path: "/properties/list/-", value: 9 }),
    ).not.toHaveProperty("name");
    expect(document).toEqual(before);
  });

  it.each([
    [
      "an unknown root",
      { op: "add", path: "/colour", value: 1 },
      /^Cannot patch \/colour\. Only the following can be updated: driver, extra, name, properties$/,
    ],
    ["a root that is inherited", { op: "add", path: "/toString", value: 1 }, /^Cannot patch/],
    ["a mandatory root that is removed", { op: "remove", path: "/driver" }, /mandatory/],
    ["what is not there", { op: "remove", path: "/extra/k" }, /there is no \/extra\/k$/],
    [
      "what is inherited",
      { op: "replace", path: "/extra/toString/name", value: 1 },
      /there is no \/extra\/toString$/,
    ],
    ["a member of a text", { op: "add", path: "/driver/x", value: 1 }, /there is no \/driver$/],
    [
      "a place beyond the end of a list",
      { op: "add", path: "/properties/list/9", value: 1 },
      /Couldn't apply patch/,
    ],
    ["no place of a list", { op: "remove", path: "/properties/list/x" }, /Couldn't apply patch/],
  ])("refuses %s", (_what, operation, message) => expect(() => apply(operation)).toThrow(message));

  it.each([
    "name",
    "",
    "/",
    "//a",
    "/extra/",
    "/extra/__proto__/a",
    "/constructor/prototype",
    "/extra/prototype",
  ])("takes %o for no path", (path) => {
    expect(() => rootsOf([{ op: "add", path, value: 1 }])).toThrow(/is not a path/);
  });

  it("reaches no prototype", () => {
    for (const path of [
      "/extra/__proto__/p",
      "/extra/constructor/prototype/p",
      "/extra/toString/p",
      "/extra/valueOf/p",
    ])
      expect(() => apply({ op: "add", path, value: 1 })).toThrow();
    expect(Reflect.get({}, "p")).toBeUndefined();
    expect(Reflect.get(Object.prototype.toString, "p")).toBeUndefined();
  });

  it.each([
    [{ op: "test", path: "/name", value: null }],
    [{ op: "copy", from: "/name", path: "/extra" }],
    [{ op: "add", path: "/name" }],
    [{ op: "add", path: "/name", value: 1, more: 1 }],
    [{ op: "remove" }],
    ["add"],
  ])("does not parse %j", (operation) => {
    expect(jsonPatch.safeParse([operation]).success).toBe(false);
  });
});

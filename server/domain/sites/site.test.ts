// Site documents: what is rejected and where, what differs, and that the schema covers everything.
import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import { stringify } from "yaml";
import { defaultPolicy } from "@/server/domain/cleaning/policy/policy";
import { skuComponents } from "@/server/domain/hosts/inventory/testing/sku-components";
import { completed, normalForm, siteDocument } from "@/server/domain/sites/document";
import type { SiteDocument } from "@/server/domain/sites/document";
import { formatChange, revisionOf, siteDifference, withChanges } from "@/server/domain/sites/difference";
import { siteJsonSchema } from "@/server/domain/sites/json-schema";
import { parseSiteDocument } from "@/server/domain/sites/parse-document";

const least = "format: 1\nsite: a\n";
const components = skuComponents;

function parsed(text: string): SiteDocument {
  const result = parseSiteDocument(text);
  if (!result.ok) throw new Error(JSON.stringify(result.faults));
  return result.document;
}
const faults = (text: string) => {
  const result = parseSiteDocument(text);
  return result.ok ? [] : result.faults.map((f) => `${f.line}:${f.column} ${f.path}: ${f.message}`);
};

/** Of each property; random ones, so few in `npm test` are others each time. */
const numRuns = inject("draw") === undefined ? 100 : 25;

describe("the text of a document", () => {
  it("needs little: the policy has its defaults", () =>
    expect(parsed(least)).toEqual({
      format: 1,
      site: "a",
      bmcTrust: "pinOrAuthority",
      policy: defaultPolicy(),
      priorities: {},
    }));
  it("changes of the policy what it names, at every depth", () =>
    expect(
      parsed(`${least}policy: {times: {stateMs: 60000}, sanitization: {minimum: {hdd: clear}}}`).policy,
    ).toEqual({
      ...defaultPolicy(),
      times: { ...defaultPolicy().times, stateMs: 60_000 },
      sanitization: {
        ...defaultPolicy().sanitization,
        minimum: { ...defaultPolicy().sanitization.minimum, hdd: "clear" },
      },
    }));
  it("may be JSON", () => expect(parsed('{"format":1,"site":"a"}').site).toBe("a"));
  it.each([
    ["", ["1:1 : must be an object, not null"]],
    ["format: 1", ["1:1 site: is required"]],
    ["format: 2\nsite: a", ["1:1 format: must be 1, not 2"]],
    [
      `${least}colour: red`,
      [
        "3:1 colour: there is no such setting; there are format, site, revision, location, networkController, bmcCredentials, bmcTrust, authorities, policy, priorities, agentImage, skus, and tenants",
      ],
    ],
    [
      `${least}demo: true`,
      [
        "3:1 demo: there is no such setting; there are format, site, revision, location, networkController, bmcCredentials, bmcTrust, authorities, policy, priorities, agentImage, skus, and tenants",
      ],
    ],
    [
      `${least}policy:\n  times:\n    stateMs: soon\n    stateM: 1`,
      [
        "5:5 policy.times.stateMs: must be a number, not text",
        expect.stringMatching(
          /^6:5 policy.times.stateM: there is no such setting; there are eraseStepMs, .*, and stateMs$/,
        ),
      ],
    ],
    [
      `${least}policy:\n  sanitization:\n    minimum: {nvme: gone, usb: clear}`,
      [
        '5:15 policy.sanitization.minimum.nvme: must be "none", "clear", or "purge", not "gone"',
        expect.stringMatching(
          /^5:27 policy.sanitization.minimum.usb: there is no such setting; there are nvme, /,
        ),
      ],
    ],
    [`${least}site: b`, ["3:1 : Map keys must be unique"]],
    [
      `${least}priorities:\n  erase_nvme: 3`,
      ["4:3 priorities.erase_nvme: must be interface.step, such as deploy.erase_nvme"],
    ],
    [`${least}skus:\n  - name: x`, ["4:5 skus.0.components: is required"]],
    [
      `${least}tenants:\n  - {org: acme, name: Acme}\n  - {org: acme, name: Other}`,
      ["5:6 tenants.1.org: acme is in the list twice"],
    ],
    [
      `${least}skus:\n  - name: x\n    components: {manufacturer: a, product: b, cpus: {count: 1, model: c}, memoryBytes: 5, storage: [], infiniband: 0}`,
      ["5:75 skus.0.components.memoryBytes: must be text, not a number: put it in quotes"],
    ],
    [
      `${least}networkController:\n  url: ftp://x\n  token: hunter2`,
      [
        "4:3 networkController.url: must be an http or https address",
        "5:3 networkController.token: must be an object, not text",
      ],
    ],
    [
      `${least}networkController:\n  url: https://x\n  token: {fromEnv: A, stored: true}`,
      ["5:3 networkController.token: must name one of fromEnv, fromFile and stored"],
    ],
    [`${least}---\n${least}`, [expect.stringContaining("multiple documents")]],
    ["a: [1,", [expect.stringMatching(/^1:/)]],
  ])("%j has these faults", (text, expected) => expect(faults(text)).toEqual(expected));
  it("never makes the parser throw, nor a fault without a place", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.jsonValue().map((value) => stringify(value)),
          fc.string().map((text) => least + text),
        ),
        (text) => {
          const result = parseSiteDocument(text);
          expect(result.ok || result.faults.length > 0).toBe(true);
          if (!result.ok)
            for (const { line, column } of result.faults) expect(Math.min(line, column)).toBeGreaterThan(0);
        },
      ),
      { numRuns },
    );
  });
  it("cannot be blown up by aliases", () => {
    const levels = Array.from(
      { length: 12 },
      (_, i) => `a${i + 1}: &a${i + 1} [${Array(10).fill(`*a${i}`).join(", ")}]`,
    );
    expect(faults(["a0: &a0 [x]", ...levels].join("\n"))[0]).toContain("alias");
  });
});

const word = fc.stringMatching(/^[A-Za-z_][\w-]{0,8}$/);
const priorities = fc.dictionary(
  fc.constantFrom("deploy.erase_nvme", "bios.a", "raid.b", "power.reboot"),
  fc.integer({ min: 0, max: 1000 }),
);
const anyPolicy = fc
  .record({
    stateMs: fc.integer({ min: 1 }),
    nvme: fc.constantFrom("clear", "purge"),
    excluded: fc.boolean(),
  })
  .map(({ stateMs, nvme, excluded }) => {
    const policy = defaultPolicy();
    return {
      ...policy,
      times: { ...policy.times, stateMs },
      sanitization: {
        ...policy.sanitization,
        minimum: { ...policy.sanitization.minimum, nvme },
        ...(excluded ? { excludedMedia: [{ reason: "a key" }] } : {}),
      },
    };
  });
const anySku = fc.record({
  name: fc.oneof(word, fc.constantFrom("__proto__", "constructor", "a.b")),
  priorities,
  components: fc
    .record({
      infiniband: fc.integer({ min: 0, max: 9 }),
      bios: fc.option(fc.dictionary(word, fc.oneof(word, fc.boolean()))),
    })
    .map(({ infiniband, bios }) => ({
      ...components,
      infiniband,
      ...(bios === null ? {} : { baseline: { bios } }),
    })),
});
const anyTenant = fc.record({
  org: fc.oneof(word, fc.constant("__proto__")),
  name: word,
  networkAllocation: fc.boolean(),
  targetedInstanceCreation: fc.boolean(),
  instanceQuota: fc.option(fc.integer({ min: 0, max: 99 })),
});
const anyDocument: fc.Arbitrary<SiteDocument> = fc
  .record(
    {
      format: fc.constant(1),
      site: fc.constant("a"),
      policy: anyPolicy,
      priorities,
      skus: fc.uniqueArray(anySku, { selector: ({ name }) => name, maxLength: 4 }),
      tenants: fc.uniqueArray(anyTenant, { selector: ({ org }) => org, maxLength: 4 }),
      networkController: fc.record({
        url: word.map((host) => `https://${host.toLowerCase().replaceAll("_", "x")}.test`),
        token: fc.constant({ fromEnv: "T" }),
      }),
      agentImage: fc.record({
        version: fc.constantFrom("1.5.0", "1.6.0"),
        url: fc.constant("https://images.test"),
      }),
    },
    { requiredKeys: ["format", "site", "policy", "priorities"] },
  )
  .map((document) => siteDocument.parse(document));

describe("the difference of two documents", () => {
  it("makes the one of the other, is empty for the same, and reads as lines", () => {
    fc.assert(
      fc.property(anyDocument, anyDocument, (a, b) => {
        const changes = siteDifference(a, b);
        expect(withChanges(a, changes)).toEqual(normalForm(b));
        expect(siteDifference(a, a)).toEqual([]);
        expect(changes.length === 0).toBe(revisionOf(a) === revisionOf(b));
        for (const change of changes) expect(formatChange(change)).toMatch(/^[^\n]+: /);
      }),
      { numRuns },
    );
  });
  it("is not the order of lists, nor where a secret comes from", () => {
    fc.assert(
      fc.property(anyDocument, (a) => {
        const turned: SiteDocument = {
          ...a,
          ...(a.skus === undefined ? {} : { skus: a.skus.toReversed() }),
          ...(a.tenants === undefined ? {} : { tenants: a.tenants.toReversed() }),
          ...(a.networkController === undefined
            ? {}
            : { networkController: { ...a.networkController, token: { stored: true } } }),
        };
        expect(siteDifference(a, turned)).toEqual([]);
        expect(revisionOf(a)).toBe(revisionOf(turned));
      }),
      { numRuns },
    );
  });
  it("survives the way through a file", () => {
    fc.assert(
      fc.property(anyDocument, (a) => {
        expect(siteDifference(a, parsed(stringify(a)))).toEqual([]);
      }),
      { numRuns },
    );
  });
  it("is told in words", () => {
    const before = parsed(`${least}tenants: [{org: acme, name: Acme}]`);
    const after = parsed(
      `${least}policy: {times: {stateMs: 5}}\ntenants: [{org: acme, name: Acme, instanceQuota: 3}, {org: vela, name: Vela}]`,
    );
    expect(siteDifference(before, after).map(formatChange)).toEqual([
      "policy.times.stateMs: 1800000 → 5",
      "tenants.acme.instanceQuota: null → 3",
      'tenants.vela: added {"name":"Vela","networkAllocation":true,"targetedInstanceCreation":false,"instanceQuota":null}',
    ]);
  });
});

describe("the JSON Schema", () => {
  const objects: { readonly at: string; readonly schema: Readonly<Record<string, unknown>> }[] = [];
  const walk = (schema: unknown, at: string): void => {
    if (typeof schema !== "object" || schema === null) return;
    const entries = Object.entries(schema);
    const object = Object.fromEntries(entries);
    if (object.type === "object") objects.push({ at, schema: object });
    for (const [key, value] of entries) walk(value, `${at}/${key}`);
  };
  walk(siteJsonSchema(), "");
  it("knows no object that takes unknown members: what has no effect is a fault", () => {
    expect(objects.length).toBeGreaterThan(15);
    expect(objects.filter(({ schema }) => schema.additionalProperties === undefined)).toEqual([]);
    expect(
      objects.filter(
        ({ schema }) => schema.properties !== undefined && schema.additionalProperties !== false,
      ),
    ).toEqual([]);
  });
  it("has every member of the policy, and requires none of them", () => {
    const policy = objects.find(({ at }) => at === "/properties/policy")?.schema;
    expect(Object.keys(policy?.properties ?? {}).sort()).toEqual(Object.keys(defaultPolicy()).sort());
    expect(
      objects.filter(
        ({ at, schema }) =>
          at.startsWith("/properties/policy/properties") &&
          !at.includes("items") &&
          schema.required !== undefined,
      ),
    ).toEqual([]);
  });
  it("is JSON", () => expect(JSON.parse(JSON.stringify(siteJsonSchema()))).toEqual(siteJsonSchema()));
});

it("a document that is no object is completed by nothing", () =>
  expect([completed(null), completed([1])]).toEqual([null, [1]]));

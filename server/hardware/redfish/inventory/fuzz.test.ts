// The reader of inventories over trees with values of wrong type, missing, huge and looping: it never crashes, always ends, and says what it leaves out.
import fc from "fast-check";
import { expect, it } from "vitest";
import { isObject } from "@/server/domain/json";
import { typeOf } from "@/server/hardware/redfish/testing/setup";
import {
  MemoryClient,
  memoryTarget,
  placeOf,
  smallTree,
  storagePath,
  systemPath,
} from "@/server/hardware/redfish/testing/memory-tree";

const paths = [...smallTree().keys()];
/** A list has at most 2,000 members, each of which may be read more than once. */
const mostReads = 30_000;

/** What is done to one value of one resource. `at` and `which` are taken modulo how many there are. */
const change = fc.record({
  resource: fc.nat(paths.length - 1),
  at: fc.nat(1_000),
  which: fc.nat(1_000),
  how: fc.constantFrom(
    ...(["type", "type", "missing", "loop", "loop", "huge", "next", "gone", "whole", "members"] as const),
  ),
});
type Change = typeof change extends fc.Arbitrary<infer Of> ? Of : never;

/** Values of every wrong type. */
const wrong: readonly unknown[] = [
  ...[null, true, 0, -1, 1.5, 1e308, "", "x", "\u0000", [], {}, [null], [[]], [{}], { "@odata.id": 7 }],
  ...[
    { "@odata.id": "" },
    { "@odata.id": "http://[" },
    { "@odata.id": "//evil.example/x" },
    "02:00:00:00:00:ff",
  ],
];

const nested = (levels: number): unknown =>
  Array.from({ length: levels }).reduce<unknown>((inside) => ({ Members: [inside] }), {});
const huge: readonly (() => unknown)[] = [
  () => "x".repeat(100_000),
  () => Array.from({ length: 3_000 }, (_, at) => ({ "@odata.id": `/redfish/v1/Nowhere/${at}` })),
  () => Array.from({ length: 3_000 }, () => ({ "@odata.id": systemPath })),
  () => nested(500),
  () => Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`Key${at}`, at])),
];

/** Every place of a value below a resource. */
function placesIn(
  value: unknown,
  before: readonly (string | number)[] = [],
): (readonly (string | number)[])[] {
  const inside: readonly (readonly [string | number, unknown])[] = Array.isArray(value)
    ? value.slice(0, 8).map((item: unknown, at) => [at, item] as const)
    : isObject(value)
      ? Object.entries(value).slice(0, 40)
      : [];
  return inside.flatMap(([key, item]) => [[...before, key], ...placesIn(item, [...before, key])]);
}

const missing = Symbol("missing");

function withValue(value: unknown, [key, ...rest]: readonly (string | number)[], put: unknown): unknown {
  if (key === undefined) return put;
  if (Array.isArray(value))
    return value.flatMap((item: unknown, at) => {
      const changed = at === key ? withValue(item, rest, put) : item;
      return changed === missing ? [] : [changed];
    });
  const members: Record<string, unknown> = isObject(value) ? { ...value } : {};
  const changed = withValue(members[key], rest, put);
  if (changed === missing) delete members[key];
  else members[key] = changed;
  return members;
}

function changed(
  tree: ReadonlyMap<string, unknown>,
  { resource, at, which, how }: Change,
): Map<string, unknown> {
  const all = new Map(tree);
  const path = paths[resource] ?? "";
  const body = all.get(path);
  const loop = { "@odata.id": paths[which % paths.length] };
  if (how === "gone") return (all.delete(path), all);
  if (how === "whole") return all.set(path, wrong[which % wrong.length]);
  if (how === "next") return all.set(path, withValue(body, ["Members@odata.nextLink"], loop["@odata.id"]));
  if (how === "members")
    return all.set(path, withValue(body, [which % 2 === 0 ? "Members" : "Drives"], wrong[at % wrong.length]));
  const places = placesIn(body);
  const place = places[at % Math.max(1, places.length)];
  if (place === undefined) return all;
  const put =
    how === "missing"
      ? missing
      : how === "loop"
        ? loop
        : how === "huge"
          ? huge[which % huge.length]?.()
          : wrong[which % wrong.length];
  return all.set(path, withValue(body, place, put));
}

const linkOf = (value: unknown): string | null => {
  const at = isObject(value) ? value["@odata.id"] : undefined;
  const url = typeof at === "string" && at !== "" ? URL.parse(at, "http://bmc.invalid") : null;
  return url === null ? null : placeOf(url.pathname);
};

/** What is listed at a place of a tree; null: its list is none, or is not whole. */
function listed(body: unknown, name: "Members" | "Drives"): readonly string[] | null {
  const {
    [name]: items,
    [`${name}@odata.count`]: count,
    [`${name}@odata.nextLink`]: next,
  } = isObject(body) ? body : {};
  if (!Array.isArray(items) || next != null || (count != null && count !== items.length)) return null;
  const links = items.map(linkOf);
  return links.every((link) => link !== null) ? links : null;
}

/** The drives to which a tree leads, and whether each list on the way is whole: what is not said may only be what no list names. */
function drivesIn(tree: ReadonlyMap<string, unknown>): {
  readonly paths: readonly string[];
  readonly whole: boolean;
} {
  const system = tree.get(systemPath);
  const storage = isObject(system) ? linkOf(system["Storage"]) : null;
  const units = storage === null ? null : listed(tree.get(storage), "Members");
  const lists = (units ?? []).map((unit) => listed(tree.get(unit), "Drives"));
  return { paths: lists.flatMap((list) => list ?? []), whole: units !== null && !lists.includes(null) };
}

const original = smallTree();

async function read(changes: readonly Change[]): Promise<void> {
  const tree = changes.reduce<ReadonlyMap<string, unknown>>(changed, original);
  const client = new MemoryClient(tree, mostReads);
  const type = typeOf(client, "redfish");
  const answer = await type.inventory.collect(memoryTarget, { timeoutMs: 600_000 });
  if (!answer.ok) {
    expect(answer.error.message).not.toBe("");
    return;
  }
  const { inventory, leftOut } = answer.value;
  // Only if the system is still the one whose storage the test knows.
  if (inventory.system.serial !== "SN-1") return;
  const { paths: there, whole } = drivesIn(tree);
  const said = JSON.stringify([inventory.unresolved, leftOut]);
  if (!whole) expect(inventory.unresolved, said).not.toEqual([]);
  // A link may have been changed to one that leads to an empty list: then there are none.
  const isNone = whole && there.length === 0;
  if (inventory.storage.length === 0 && !isNone) expect(inventory.unresolved, said).not.toEqual([]);
  const serials = inventory.storage.map(({ serial }) => serial);
  for (const path of there.filter((each) => each.startsWith(storagePath))) {
    const body = tree.get(path);
    if (!isObject(body)) continue;
    const { SerialNumber: serial, Status: status } = body;
    if (isObject(status) && status["State"] === "Absent") continue;
    const isNamed = typeof serial === "string" && serials.includes(serial.trim());
    expect(isNamed || said.includes(path), `${path} is neither listed nor said: ${said}`).toBe(true);
  }
  for (const [path, body] of original)
    if (path.startsWith(`${systemPath}/EthernetInterfaces/`) && tree.get(path) === body) {
      const all = isObject(tree.get(systemPath))
        ? listed(tree.get(`${systemPath}/EthernetInterfaces`), "Members")
        : null;
      const isListed = tree.get(systemPath) === original.get(systemPath) && all?.includes(path) === true;
      if (isListed) expect(inventory.macs).toContain(body["MACAddress"]);
    }
}

const fuzz = (parameters: { readonly numRuns: number; readonly seed?: number }) =>
  fc.assert(fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 5 }), read), parameters);

it("reads the machine as it is", async () => {
  const client = new MemoryClient(original, mostReads);
  const answer = await typeOf(client, "redfish").inventory.collect(memoryTarget, { timeoutMs: 60_000 });
  expect(answer).toMatchObject({
    ok: true,
    value: {
      inventory: {
        system: { serial: "SN-1" },
        storage: [{ serial: "DRIVE-0" }, { serial: "DRIVE-1" }, { serial: "DRIVE-2" }],
        macs: ["02:00:00:00:00:01", "02:00:00:00:00:02"],
        unresolved: [],
      },
    },
  });
  expect(client.reads).toBeLessThan(100);
});

it("never crashes, always ends, and says what it leaves out", () => fuzz({ numRuns: 300, seed: 1 }));

it("does so for 100,000 trees", { tags: "all", timeout: 1_800_000 }, () => fuzz({ numRuns: 100_000 }));

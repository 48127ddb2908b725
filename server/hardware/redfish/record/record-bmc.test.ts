// Recordings of captured machines: nothing that identifies them is in them, and the checks find the same.
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkAddress, checkTree } from "@/server/hardware/redfish/check/check-place";
import { treeCheckNames } from "@/server/domain/hardware/bmc-report";
import { recordBmc, type Recording } from "@/server/hardware/redfish/record/record-bmc";
import { message, send, TreeBmc, trees, type TreeName } from "@/server/hardware/redfish/testing/tree-bmc";
import { readCapture } from "@/server/simulator/trees/read-capture";

const { signal } = new AbortController();
const ended: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const end of ended) await end();
});

interface Recorded {
  readonly bmc: TreeBmc;
  readonly folder: string;
  readonly recording: Recording;
}

const addressOf = (bmc: TreeBmc) => ({
  address: bmc.address,
  username: "root",
  password: bmc.password,
  certificate: null,
  authorities: null,
  system: null,
});

async function start(tree: TreeName): Promise<{ bmc: TreeBmc; folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), "record-"));
  const bmc = await TreeBmc.start(tree);
  ended.push(
    () => bmc.stop(),
    () => rm(folder, { recursive: true }),
  );
  return { bmc, folder };
}

async function recorded(tree: TreeName, change: (bmc: TreeBmc) => void = () => {}): Promise<Recorded> {
  const { bmc, folder } = await start(tree);
  change(bmc);
  const recording = await recordBmc(addressOf(bmc), folder, signal);
  if ("refusal" in recording) throw new Error(recording.refusal);
  return { bmc, folder, recording };
}

async function filesIn(folder: string): Promise<ReadonlyMap<string, string>> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const all = new Map<string, string>();
  for (const entry of found.filter((item) => item.isFile())) {
    const path = join(entry.parentPath, entry.name);
    all.set(path.slice(folder.length), await readFile(path, "utf8"));
  }
  return all;
}

/** Every value that a property of this name has anywhere in the capture. */
function valuesOf(tree: TreeName, properties: RegExp): ReadonlySet<string> {
  const values = new Set<string>();
  const visit = (value: unknown, property: string): void => {
    if (typeof value === "string" && properties.test(property)) values.add(value);
    if (typeof value === "object" && value !== null)
      for (const [member, inner] of Object.entries(value))
        visit(inner, Array.isArray(value) ? property : member);
  };
  for (const [path, text] of readCapture(trees[tree]))
    if (path.endsWith(".json")) visit(JSON.parse(text), "");
  return values;
}

/** As the captures have them, found by a plain rule of its own: what a reader of the folder could look for. */
const names =
  /^(SerialNumber|.*ServiceTag|UUID|.*MACAddress|HostName|FQDN|DurableName|ExpressServiceCode|BoardSerialNumber|.*DNSRacName)$/;
const without = (text: string) => text.replaceAll(/[:-]/g, "").toLowerCase();
const isName = (value: string) =>
  without(value).length >= 6 && !/^[0f:. -]*$/i.test(value) && /\d/.test(value);

describe.each(["dell", "lenovo"] as const)("a recording of a captured %s", (tree) => {
  let made: Recorded;
  let lines: readonly string[] = [];
  let kept: ReadonlyMap<string, string>;
  const at = (path: string) => JSON.parse(kept.get(`${path}/index.json`) ?? "{}") as Record<string, unknown>;
  beforeAll(async () => {
    made = await recorded(tree);
    lines = made.bmc.takeLines();
    kept = await filesIn(made.folder);
  });

  it("has none of the machine's names, in no content and no path, with whichever separators", () => {
    const known = [...valuesOf(tree, names), made.bmc.password, "token-1"].filter((value) => isName(value));
    expect(known.length).toBeGreaterThan(20);
    expect(kept.size).toBeGreaterThan(300);
    const all = without([...kept].flat().join("\n"));
    expect(known.filter((value) => all.includes(without(value)))).toEqual([]);
    const users = [...valuesOf(tree, /^UserName$/)].filter((user) => user !== "");
    expect(users.filter((user) => all.includes(`"username" "${user.toLowerCase()}"`))).toEqual([]);
    const addresses = [...valuesOf(tree, /^(Address|Gateway)$/)].filter((ip) => ip.startsWith("10."));
    expect(addresses).not.toEqual([]);
    expect(addresses.filter((ip) => all.includes(ip))).toEqual([]);
  });

  it("is checked with the same result", async () => {
    const before = await checkAddress(addressOf(made.bmc), signal);
    const after = await checkTree(made.folder, null, signal);
    const statuses = (report: typeof after) =>
      (report?.checks ?? [])
        .filter(({ check }) => treeCheckNames.includes(check))
        .map(({ check, status }) => [check, status]);
    expect(statuses(after)).toEqual(statuses(before));
    expect(after?.verdict).toBe("works");
  });

  it("keeps what the BMC can do: models, versions, actions and the form of what is replaced", () => {
    const { replaced, missing, brokeOff } = made.recording;
    expect(brokeOff).toBeNull();
    const system = at(made.bmc.systemPath);
    const captured = made.bmc.contentOf(made.bmc.systemPath);
    for (const property of ["Manufacturer", "Model", "BiosVersion", "Actions"])
      expect(system[property]).toEqual(captured[property]);
    const form = (value: unknown) => String(value).replaceAll(/[A-Z]/g, "A").replaceAll(/\d/g, "0");
    expect(form(system["SerialNumber"])).toBe(form(captured["SerialNumber"]));
    expect(system["UUID"]).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(replaced.find(({ kind }) => kind === "mac")?.count).toBeGreaterThan(3);
    // The capture has links that lead nowhere, and a list whose second page is its first, and each is told.
    for (const { path, why } of missing) {
      expect(path).toMatch(/^\/redfish\/v1/);
      expect(why).toMatch(/404|names a page again that was read/);
    }
  });

  it("deletes the session that it opened, asks in reads alone, and never for sessions or log entries", () => {
    expect(made.bmc.sessions.size).toBe(0);
    expect(lines.filter((line) => !line.startsWith("GET "))).toEqual([
      "POST /redfish/v1/SessionService/Sessions",
      expect.stringMatching(/^DELETE \/redfish\/v1\/SessionService\/Sessions\//),
    ]);
    expect(lines.filter((line) => /^GET .*(\/Sessions|\/Entries)/.test(line))).toEqual([]);
    expect(made.recording.leftOut.map(({ what }) => what)).toEqual(
      expect.arrayContaining(["sessions", "log entries"]),
    );
    expect(made.bmc.atATime.most).toBeLessThanOrEqual(2);
  });
});

it("of a BMC that does not let us in writes nothing, and gives its words", async () => {
  const { bmc, folder } = await start("lenovo");
  const refused = await recordBmc({ ...addressOf(bmc), password: "wrong" }, folder, signal);
  expect(refused).toMatchObject({ refusal: expect.stringContaining("401") });
  expect((await filesIn(folder)).size).toBe(0);
});

it("says what the BMC did not give, and has a list with all its pages as one", async () => {
  const place = "/redfish/v1/Systems/1/Storage";
  const { folder, recording } = await recorded("lenovo", (bmc) => {
    const whole = bmc.contentOf(place);
    const members = whole["Members"] as unknown[];
    bmc.replaced.set(place, {
      ...whole,
      Members: members.slice(0, 1),
      "Members@odata.nextLink": `${place}/more`,
    });
    bmc.replaced.set(`${place}/more`, { Members: members.slice(1) });
    bmc.fault = ({ path }, response) => {
      if (path !== "/redfish/v1/Systems/1/Bios") return false;
      send(response, 500, message("Base.1.8.InternalError", "no"));
      return true;
    };
  });
  expect(recording.missing).toContainEqual({
    path: "/redfish/v1/Systems/1/Bios",
    why: expect.stringContaining("500"),
  });
  const text = (await filesIn(folder)).get(`${place}/index.json`) ?? "{}";
  const list = JSON.parse(text) as Record<string, unknown>;
  expect(list["Members"]).toHaveLength(Number(list["Members@odata.count"]));
  expect(list).not.toHaveProperty("Members@odata.nextLink");
});

it("says that it broke off when the BMC stops answering", async () => {
  const { recording } = await recorded("lenovo", (bmc) => {
    bmc.fault = ({ path }, response) => {
      if (!path.startsWith("/redfish/v1/Chassis")) return false;
      response.destroy();
      return true;
    };
  });
  expect(recording.brokeOff).toBe("the BMC stopped answering");
});

it.each([
  [
    "a page without members",
    (bmc: TreeBmc, place: string) => bmc.replaced.set(`${place}/more`, { Name: "nothing" }),
    /a page of its members is missing: it has no members/,
  ],
  [
    "pages in a circle",
    (bmc: TreeBmc, place: string) =>
      bmc.replaced.set(`${place}/more`, { Members: [], "Members@odata.nextLink": `${place}/more` }),
    /a page of its members is missing: it names a page again/,
  ],
  [
    "a second page that leads back to the first",
    (bmc: TreeBmc, place: string) =>
      bmc.replaced.set(`${place}/more`, { Members: [], "Members@odata.nextLink": `${place}/` }),
    /a page of its members is missing: it names a page again/,
  ],
  [
    "pages without end",
    (bmc: TreeBmc, place: string) => {
      for (let page = 0; page < 40; page += 1)
        bmc.replaced.set(`${place}/more${page === 0 ? "" : page}`, {
          Members: [],
          "Members@odata.nextLink": `${place}/more${page + 1}`,
        });
    },
    /a page of its members is missing: it has more than 32 pages/,
  ],
])("says that a list with %s is not whole", async (_what, change, why) => {
  const place = "/redfish/v1/Systems/1/Storage";
  let members = 0;
  const { folder, recording } = await recorded("lenovo", (bmc) => {
    const whole = bmc.contentOf(place);
    members = (whole["Members"] as unknown[]).length;
    bmc.replaced.set(place, { ...whole, "Members@odata.nextLink": `${place}/more` });
    change(bmc, place);
  });
  const text = (await filesIn(folder)).get(`${place}/index.json`) ?? "{}";
  expect((JSON.parse(text) as Record<string, unknown>)["Members"]).toHaveLength(members);
  expect(recording.missing).toContainEqual({ path: place, why: expect.stringMatching(why) });
});

it("says that a resource with too many levels is not in it", async () => {
  const place = "/redfish/v1/Systems/1/Bios";
  const { recording, folder } = await recorded("lenovo", (bmc) => {
    let deep: Record<string, unknown> = {};
    for (let level = 0; level < 200; level += 1) deep = { Oem: deep };
    bmc.replaced.set(place, deep);
  });
  expect(recording.missing).toContainEqual({ path: place, why: "it has more than 100 levels" });
  expect((await filesIn(folder)).has(`${place}/index.json`)).toBe(false);
});

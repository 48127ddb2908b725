// Reading drives with `$expand`: the same facts as one by one, with fewer requests, and fallbacks for BMCs that do it badly.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RedfishClient } from "@/server/hardware/redfish/client/client";
import { clientForTests, discoveredTarget, typeOf, within } from "@/server/hardware/redfish/testing/setup";
import { message, send, TreeBmc, type TreeName } from "@/server/hardware/redfish/testing/tree-bmc";

let bmc: TreeBmc;
let client: RedfishClient;

async function start(tree: TreeName, expands = true): Promise<void> {
  bmc = await TreeBmc.start(tree);
  bmc.expands = expands;
  // Its time is part of the reading: readings a second apart would differ by it.
  bmc.date = "Wed, 12 Jun 2024 08:00:00 GMT";
  client = clientForTests().client;
}

async function end(): Promise<void> {
  await bmc.stop();
  await client.close();
}

/** The drives as the BMC reports them after discovery, and the requests that this took. */
async function storage() {
  const target = await discoveredTarget(bmc, client);
  const result = await typeOf(client, "redfish").inventory.storage(target, within);
  return { result, lines: bmc.takeLines(), target };
}

afterEach(end);

describe("drives with their controllers in one answer", () => {
  const [dell, lenovo] = ["/redfish/v1/Systems/System.Embedded.1/Storage", "/redfish/v1/Systems/1/Storage"];

  it.each([
    ["dell", [`GET ${dell}?$expand=.($levels=1)`, `GET ${dell}/CPU.1?$expand=.($levels=1)`]],
    ["lenovo", [`GET ${lenovo}?$expand=.($levels=2)`]],
  ] as const)("are the same as one by one, of the %s machine", async (tree, lines) => {
    await start(tree, false);
    const alone = await storage();
    await end();
    await start(tree);
    const together = await storage();
    expect(alone.result.ok && alone.result.value.storage.length).toBeGreaterThan(1);
    expect(together.result).toEqual(alone.result);
    expect(together.lines).toEqual(lines);
    expect(alone.lines.every((line) => !line.includes("?"))).toBe(true);
  });

  it("are asked for so by a client that has not seen the service root, once", async () => {
    await start("lenovo");
    const { target } = await storage();
    const other = clientForTests().client;
    const { inventory } = typeOf(other, "redfish");
    await inventory.storage(target, within);
    expect(bmc.takeLines()).toContain("GET /redfish/v1/");
    await inventory.storage(target, within);
    expect(bmc.takeLines()).toEqual([`GET ${lenovo}?$expand=.($levels=2)`]);
    await other.close();
  });
});

describe("the system of a reading of drives", () => {
  beforeEach(() => start("lenovo"));

  it("is read anew when the last look is old", async () => {
    const fixture = clientForTests();
    const target = await discoveredTarget(bmc, fixture.client);
    fixture.jump(11_000);
    expect((await typeOf(fixture.client, "redfish").inventory.storage(target, within)).ok).toBe(true);
    expect(bmc.takeLines()[0]).toBe("GET /redfish/v1/Systems/1");
    await fixture.client.close();
  });
});

describe("a BMC that expands badly", () => {
  const list = "/redfish/v1/Systems/1/Storage";
  const unit = `${list}/Direct_Attached_NVMe`;
  const drive = `${unit}/Drives/Drive.Bay_1`;
  const links = [{ "@odata.id": unit }];
  const driveLinks = [0, 1].map((bay) => ({ "@odata.id": `${unit}/Drives/Drive.Bay_${bay}` }));

  beforeEach(() => start("lenovo"));

  const answers = (status: number, body: Record<string, unknown> | string): void => {
    bmc.fault = ({ path }, response) => path.includes("$expand") && (send(response, status, body), true);
  };

  const bothDrives = async () => {
    const { result, lines } = await storage();
    expect(result.ok && result.value.storage).toHaveLength(2);
    expect(result.ok && result.value.unresolved).toEqual([]);
    return lines;
  };

  it.each<[string, number, Record<string, unknown> | string]>([
    ["refuses it", 501, message("Base.1.12.QueryNotSupported", "No.")],
    ["refuses the levels", 400, ""],
    ["fails at it", 500, ""],
    ["sends junk", 200, "<html>"],
    ["sends links only", 200, { Members: links, "Members@odata.count": 1 }],
    [
      "does not say how many members there are",
      200,
      { Members: [{ ...links[0], Id: "x", Drives: [], "Drives@odata.count": 0 }] },
    ],
    ["sends fewer members than it counts", 200, { Members: [], "Members@odata.count": 1 }],
    [
      "sends a member without its drives",
      200,
      { Members: [{ ...links[0], Id: "x" }], "Members@odata.count": 1 },
    ],
    [
      "sends a member that does not say how many drives it has",
      200,
      { Members: [{ ...links[0], Id: "x", Drives: [] }], "Members@odata.count": 1 },
    ],
    [
      "sends the drives' links only",
      200,
      {
        Members: [{ ...links[0], Id: "x", Drives: driveLinks, "Drives@odata.count": 2 }],
        "Members@odata.count": 1,
      },
    ],
    [
      "sends half of each drive",
      200,
      {
        Members: [
          {
            ...links[0],
            Id: "x",
            Drives: driveLinks.map((link) => ({ ...link, Id: "d", SerialNumber: "D" })),
            "Drives@odata.count": 2,
          },
        ],
        "Members@odata.count": 1,
      },
    ],
    [
      "sends an error in a drive's place",
      200,
      {
        Members: [
          {
            ...links[0],
            Id: "x",
            Drives: driveLinks.map((link) => ({ ...link, ...message("Base.1.12.InternalError", "x") })),
            "Drives@odata.count": 2,
          },
        ],
        "Members@odata.count": 1,
      },
    ],
  ])("and %s is read one by one", async (_what, status, body) => {
    answers(status, body);
    expect(await bothDrives()).toContain(`GET ${drive}`);
  });

  it("is not asked so again", async () => {
    answers(501, "");
    const { target } = await storage();
    await typeOf(client, "redfish").inventory.storage(target, within);
    expect(bmc.takeLines().filter((line) => line.includes("$expand"))).toEqual([]);
  });

  it("and sends fewer drives than it counts is not believed", async () => {
    answers(200, {
      Members: [{ ...links[0], Id: "x", Drives: driveLinks.slice(1), "Drives@odata.count": 2 }],
      "Members@odata.count": 1,
    });
    expect((await storage()).result).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining("reports 2 drives but lists 1") },
    });
  });

  it("and falls silent over it is asked one by one the next time", async () => {
    const target = await discoveredTarget(bmc, client);
    bmc.fault = ({ path }, response) => path.includes("$expand") && (response.socket?.destroy(), true);
    const { inventory } = typeOf(client, "redfish");
    expect(await inventory.storage(target, within)).toMatchObject({
      ok: false,
      error: { kind: "unreachable" },
    });
    expect(await inventory.storage(target, within)).toMatchObject({ ok: true, value: { storage: [{}, {}] } });
  });

  it("follows the pages of an expanded list", async () => {
    const next = `${list}?$expand=.($levels=2)&$skip=1`;
    const member = { ...links[0], Id: "x", Drives: [], "Drives@odata.count": 0 };
    bmc.replaced.set(`${list}/second`, {});
    bmc.fault = ({ path }, response) => {
      if (path === next)
        send(response, 200, {
          Members: [{ ...member, "@odata.id": `${list}/second` }],
          "Members@odata.count": 2,
        });
      else if (path.includes("$expand"))
        send(response, 200, { Members: [member], "Members@odata.count": 2, "Members@odata.nextLink": next });
      else return false;
      return true;
    };
    const { result, lines } = await storage();
    expect(result).toMatchObject({ ok: true, value: { storage: [], unresolved: [] } });
    // Whether the machine was on, because there is no drive.
    expect(lines).toEqual([`GET ${list}?$expand=.($levels=2)`, `GET ${next}`, "GET /redfish/v1/Systems/1"]);
  });
});

describe("a BMC that expands collections only", () => {
  it("is asked for each drive by itself, and not for the controller twice the next time", async () => {
    await start("dell");
    const unit = "/redfish/v1/Systems/System.Embedded.1/Storage/CPU.1";
    bmc.fault = ({ path }, response) => path.startsWith(`${unit}?`) && (send(response, 400), true);
    const first = await storage();
    expect(first.result).toMatchObject({ ok: true, value: { storage: [{}, {}, {}] } });
    await typeOf(client, "redfish").inventory.storage(first.target, within);
    const again = bmc.takeLines();
    expect(again.filter((line) => line.startsWith(`GET ${unit}/Drives/`))).toHaveLength(3);
    expect(again.filter((line) => line.includes(`${unit}?`))).toEqual([]);
  });
});

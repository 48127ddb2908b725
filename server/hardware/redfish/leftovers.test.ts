// A part of a BMC that cannot be read is listed as a leftover, and hides no other.
import { expect, it } from "vitest";
import { clientForTests, discoveredTarget, typeOf, within } from "@/server/hardware/redfish/testing/setup";
import { TreeBmc, type Fault, type TreeName } from "@/server/hardware/redfish/testing/tree-bmc";
import type { BmcTarget, LeftoversInterface } from "@/server/hardware/interfaces";

const typeNames = { dell: "idrac", lenovo: "xclarity" } as const;

/** Runs `work` against a BMC with this fault, after it was discovered. */
async function on<T>(
  tree: TreeName,
  fault: Fault | null,
  work: (leftovers: LeftoversInterface, target: BmcTarget, bmc: TreeBmc) => Promise<T>,
): Promise<T> {
  const bmc = await TreeBmc.start(tree);
  const { client } = clientForTests({ limits: { retryWaitsMs: [] } });
  try {
    const target = await discoveredTarget(bmc, client);
    bmc.fault = fault;
    const { leftovers } = typeOf(client, typeNames[tree]);
    if (leftovers === undefined) throw new Error("it has no leftovers");
    return await work(leftovers, target, bmc);
  } finally {
    await client.close();
    await bmc.stop();
  }
}
const answering =
  (status: number, at: string, of: string | null = null): Fault =>
  ({ method, path }, response) => {
    if (!path.includes(at) || (of !== null && method !== of)) return false;
    response.writeHead(status).end();
    return true;
  };
const permitted = { ...within, permit: async () => true };

it("accounts that the BMC does not show are unreadable, with its answer; other parts are read all the same", async () => {
  const bmc = await TreeBmc.start("lenovo");
  const { client } = clientForTests({ limits: { retryWaitsMs: [] } });
  try {
    const target = await discoveredTarget(bmc, client);
    bmc.fault = ({ path }, response) => {
      if (!path.includes("/AccountService/Accounts")) return false;
      response.writeHead(403).end();
      return true;
    };
    const found = await typeOf(client, "xclarity").leftovers?.look(target, within);
    if (found?.ok !== true) throw new Error("the other parts were not read");
    const unreadable = found.value.filter(({ outcome }) => outcome === "unreadable");
    expect(unreadable).toContainEqual(
      expect.objectContaining({
        kind: "account",
        what: "accounts",
        message: expect.stringContaining("403"),
      }),
    );
    expect(unreadable).toContainEqual(expect.objectContaining({ what: "account keys" }));
    expect(found.value.some(({ kind }) => kind === "bootEntry")).toBe(true);
  } finally {
    await client.close();
    await bmc.stop();
  }
});

it("a BMC that fails altogether tells of nothing", async () => {
  const bmc = await TreeBmc.start("lenovo");
  const { client } = clientForTests({ limits: { retryWaitsMs: [] } });
  try {
    const target = await discoveredTarget(bmc, client);
    bmc.fault = (_request, response) => {
      response.writeHead(503).end();
      return true;
    };
    expect(await typeOf(client, "xclarity").leftovers?.look(target, within)).toMatchObject({ ok: false });
  } finally {
    await client.close();
    await bmc.stop();
  }
});

it.each([403, 404, 500])(
  "our own account of a BMC that answers %i to its accounts is unreadable",
  async (status) => {
    const own = await on("lenovo", answering(status, "/AccountService/Accounts"), (leftovers, target) =>
      leftovers.removeOwnAccount(target, false, permitted),
    );
    expect(own).toMatchObject({ ok: true, value: [{ kind: "ownAccount", outcome: "unreadable" }] });
  },
);

it("our own account that the BMC does not list, though we signed in by it, is not removed", async () => {
  const own = await on("lenovo", null, (leftovers, target, bmc) => {
    bmc.replaced.set("/redfish/v1/AccountService/Accounts", { Members: [], "Members@odata.count": 0 });
    return leftovers.removeOwnAccount(target, false, permitted);
  });
  expect(own).toMatchObject({ ok: true, value: [{ kind: "ownAccount", outcome: "unreadable" }] });
});

it.each([
  ["dell", /^boot entry .*(ubuntu|Linux|PCIe SSD)/, /^boot entry HTTP Device/],
  ["lenovo", /^boot entry ubuntu/, /^boot entry (CD_DVDRom|HardDisk|Network|USBStorage)/],
] as const)(
  "boot entries of a %s BMC that deletes none: an installed system's stand",
  async (tree, theirs, own) => {
    const after = await on(tree, answering(405, "/BootOptions/", "DELETE"), (leftovers, target) =>
      leftovers.remove(target, permitted),
    );
    if (!after.ok) throw new Error(after.error.message);
    const entries = after.value.filter(({ kind }) => kind === "bootEntry");
    expect(new Set(entries.map(({ what }) => what)).size).toBe(entries.length);
    for (const { what, outcome, message } of entries)
      expect([what, outcome, message]).toEqual(
        own.test(what)
          ? [what, "kept", expect.stringContaining("firmware")]
          : [expect.stringMatching(theirs), "refused", expect.stringContaining("405")],
      );
    expect(entries.some(({ outcome }) => outcome === "kept")).toBe(true);
    expect(entries.some(({ outcome }) => outcome === "refused")).toBe(true);
  },
);

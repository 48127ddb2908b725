// Which BMCs may be contacted, and how connections to them end.
import { describe, expect, it } from "vitest";
import { bmcForEachTest, discoveredTarget, targetAt, within } from "@/server/hardware/redfish/testing/setup";
import type { TreeBmc } from "@/server/hardware/redfish/testing/tree-bmc";

let bmc: TreeBmc;
const { make, power } = bmcForEachTest("lenovo", (started) => (bmc = started));

const system = "/redfish/v1/Systems/1";

describe("a BMC", () => {
  it.each([
    ["ftp://10.0.0.1", "not an http or https address"],
    ["nonsense", "not an http or https address"],
    ["http://root:calvin@127.0.0.1", "nothing else"],
    ["https://10.0.0.1/redfish", "nothing else"],
    ["https://10.0.0.1", "10.0.0.1 is in no network of the server's setting RECLAIM_BMC_NETWORKS"],
    ["https://169.254.169.254", "link-local"],
    ["https://0x0a000001", "10.0.0.1 is in no network"],
    ["https://[fe80::1]", "link-local"],
  ])("at %s is refused", async (address, reason) => {
    const { client, seen } = make();
    const result = await power(client).read(targetAt(bmc, null, { address }), within);
    expect(result).toMatchObject({ ok: false, error: { kind: "refused", unknownOutcome: false } });
    if (!result.ok) expect(result.error.message).toContain(reason);
    expect(seen).toEqual([]);
  });

  it("whose name leads elsewhere is refused before anything is sent", async () => {
    const { client } = make({
      networks: ["10.0.0.0/8"],
      resolveName: async () => [{ address: "127.0.0.1", family: 4 }],
    });
    const result = await power(client).read(
      targetAt(bmc, null, { address: bmc.address.replace("http:", "https:") }),
      within,
    );
    expect(result).toMatchObject({ ok: false, error: { kind: "refused", unknownOutcome: false } });
    if (!result.ok) expect(result.error.message).toContain("127.0.0.1 is loopback");
    expect(bmc.takeLines()).toEqual([]);
  });

  it("is reached at the address that was checked, though the name changes its mind", async () => {
    let asked = 0;
    // The second lookup would return another machine. The same connection must never ask for it.
    const resolveName = async () => [
      { address: (asked += 1) === 1 ? "127.0.0.1" : "169.254.169.254", family: 4 },
    ];
    const { client } = make({ resolveName });
    expect(
      (
        await power(client).read(
          targetAt(bmc, null, { address: bmc.address.replace("bmc-under-test.localhost", "bmc.example") }),
          within,
        )
      ).ok,
    ).toBe(true);
    expect(asked).toBe(1);
  });

  it.each([
    ["nowhere", ["loopback"], "http://127.0.0.1:1", "must begin with https:"],
    ["loopback", ["10.0.0.0/8"], "http://10.0.0.1", "only there http without TLS is allowed"],
  ] as const)("with http %s, networks %j, at %s is refused", async (http, networks, address, reason) => {
    const { client } = make({ http, networks });
    const result = await power(client).read(targetAt(bmc, null, { address }), within);
    expect(result).toMatchObject({ ok: false, error: { kind: "refused" } });
    if (!result.ok) expect(result.error.message).toContain(reason);
  });
});

describe("pools", () => {
  it("are closed when idle, and the session outlives them", async () => {
    const { client, jump } = make({ limits: { poolIdleMs: 40 } });
    const target = await discoveredTarget(bmc, client);
    expect(client.openPools).toBe(1);
    jump(100);
    await expect.poll(() => client.openPools).toBe(0);
    expect((await power(client).read(target, within)).ok).toBe(true);
    expect(bmc.takeLines()).toEqual([`GET ${system}`]);
  });

  it("beyond the limit are closed, least recently used first", async () => {
    const { client } = make({ limits: { maxPools: 3 } });
    const links = (await discoveredTarget(bmc, make().client)).links;
    for (let host = 0; host < 10; host += 1) {
      const address = bmc.address.replace("bmc-under-test", `bmc-${host}`);
      expect(
        (await power(client).read(targetAt(bmc, links, { hostId: `host-${host}`, address }), within)).ok,
      ).toBe(true);
    }
    expect(client.openPools).toBe(3);
  });
});

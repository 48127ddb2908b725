// Boot windows over real HTTP: who gets our image and token, and that nobody else learns anything.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addHost, bootTokenOf, fingerprint, openWindow, post, registerBodyOf, send, startMachineServer, type MachineFixture, type TestHost } from "@/server/surfaces/machine/testing/machine-fixture";

let fixture: MachineFixture;
beforeAll(async () => {
  fixture = await startMachineServer();
});
afterAll(() => fixture.close());

const script = async (query: string) => (await send(fixture, "GET", `/boot/ipxe?${query}`)).text;
const unknown = `uuid=${randomUUID()}`;

async function waiting(minutes = 30): Promise<TestHost> {
  const host = await addHost(fixture);
  await openWindow(fixture, host, minutes);
  return host;
}

describe("the boot script", () => {
  it("is our image while the window is open, asked by UUID or MAC", async () => {
    const host = await waiting();
    for (const query of [`uuid=${host.systemUuid}`, `mac=${host.mac}`, `mac=${host.mac.replaceAll(":", "-").toUpperCase()}`, `uuid=${host.systemUuid.toUpperCase()}&mac=${host.mac}`]) {
      expect(await script(query)).toBe("#!ipxe\nkernel http://images.test/agent/vmlinuz initrd=initrd.img reclaim.server=http://reclaim.test\ninitrd http://images.test/agent/initrd.img\nboot\n");
    }
  });

  it("is the disk, in the same words, for a host that is not ours, not waited for, too late, or through", async () => {
    const idle = await addHost(fixture);
    const late = await waiting(-1);
    const replaced = await waiting();
    await fixture.query("UPDATE host_run SET boot_epoch = boot_epoch + 1 WHERE host_id = $1", [replaced.id]);
    const through = await waiting();
    await post(fixture, "/agent/v1/register", await bootTokenOf(fixture, through), registerBodyOf(through));
    const answers = await Promise.all([unknown, ...[idle, late, replaced, through].map((host) => `uuid=${host.systemUuid}`), "mac=02:aa:aa:aa:aa:aa"].map(script));
    expect(new Set(answers)).toEqual(new Set(["#!ipxe\n# boot from disk\nexit 0\n"]));
  });

  it.each(["", "uuid=abc", "mac=xyz", "mac=02:00:00", "uuid=%00", "other=1"])("refuses ?%s", async (query) => {
    expect(await send(fixture, "GET", `/boot/ipxe?${query}`)).toMatchObject({ status: 400, body: { code: "invalid" } });
  });

  it("is the disk for a request from outside the site's provisioning networks", async () => {
    const elsewhere = await startMachineServer({ provisioningNetworks: ["10.20.0.0/16", "fd00::/8"] });
    try {
      const host = await addHost(elsewhere);
      await openWindow(elsewhere, host);
      expect((await send(elsewhere, "GET", `/boot/ipxe?uuid=${host.systemUuid}`)).text).toContain("boot from disk");
      expect((await send(elsewhere, "GET", `/boot/token?uuid=${host.systemUuid}`)).status).toBe(404);
    } finally {
      await elsewhere.close();
    }
  });
});

describe("the boot token", () => {
  it("is the same in one window, also for two at once, and another in the next", async () => {
    const host = await waiting();
    const tokens = await Promise.all([1, 2, 3].map(() => bootTokenOf(fixture, host)));
    expect(new Set(tokens).size).toBe(1);
    await openWindow(fixture, host);
    expect(await bootTokenOf(fixture, host)).not.toBe(tokens[0]);
  });

  it("is in the database neither readable nor movable", async () => {
    const [one, other] = [await waiting(), await waiting()];
    const token = await bootTokenOf(fixture, one);
    const [row] = await fixture.query<{ token_box: Buffer }>("SELECT token_box FROM boot_window WHERE host_id = $1", [one.id]);
    expect(row?.token_box.includes(Buffer.from(token))).toBe(false);
    await fixture.query("UPDATE boot_window SET token_box = $2 WHERE host_id = $1", [other.id, row?.token_box]);
    const moved = await send(fixture, "GET", `/boot/token?uuid=${other.systemUuid}`);
    expect(moved).toMatchObject({ status: 500, body: { code: "internal" } });
    expect(moved.text).not.toContain(token);
  });

  it("is refused alike for unknown hosts and closed windows", async () => {
    const [idle, late] = [await addHost(fixture), await waiting(-1)];
    const before = await fingerprint(fixture);
    const answers = await Promise.all([unknown, `uuid=${idle.systemUuid}`, `uuid=${late.systemUuid}`].map((query) => send(fixture, "GET", `/boot/token?${query}`)));
    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { code: "noBootWindow" } });
    expect(new Set(answers.map(({ body: { requestId: _, ...rest } }) => JSON.stringify(rest))).size).toBe(1);
    expect(await fingerprint(fixture)).toBe(before);
  });
});

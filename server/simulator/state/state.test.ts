// A simulated fleet that is restarted: what its hardware keeps, and how it handles files that are torn, damaged or another fleet's.
import { readFileSync } from "node:fs";
import { request } from "undici";
import { describe, expect, it, vi } from "vitest";
import { DiskDrive } from "@/server/simulator/drives/disk-drive";
import { pick } from "@/server/domain/pick";
import type { SimulatedHost } from "@/server/simulator/host/simulated-host";
import { networkToken, type TestFleet } from "@/server/simulator/testing/fleet";
import { until } from "@/server/simulator/testing/protocol-server";
import { nvme, stateBench } from "@/server/simulator/testing/state-bench";

const state = stateBench();
const { start, stop } = state;

function disk(host: SimulatedHost, place = 2): DiskDrive {
  const drive = host.drives[place];
  if (!(drive instanceof DiskDrive)) throw new Error("not a disk");
  return drive;
}

async function platformOf(fleet: TestFleet, host: SimulatedHost): Promise<string[]> {
  const paths = [
    "AccountService/Accounts",
    "Systems/System.Embedded.1/Bios/Settings",
    "Managers/iDRAC.Embedded.1/VirtualMedia/RemovableDisk",
    "Managers/iDRAC.Embedded.1/Oem/Dell/DellAttributes/iDRAC.Embedded.1",
    "Managers/iDRAC.Embedded.1/Oem/Dell/Jobs",
    "AccountService/Accounts/5",
  ];
  return Promise.all(
    paths.map(async (path) => (await fleet.redfish(host, "GET", `/redfish/v1/${path}`)).text),
  );
}

const bytesOf = (host: SimulatedHost): string[] =>
  host.drives.flatMap((drive) =>
    drive
      .contents()
      .map((content) => Array.from({ length: 40 }, (_, block) => content.read(block).toString("hex")).join()),
  );

const shown = (host: SimulatedHost) => ({
  ...pick(host, [
    "power",
    "override",
    "network",
    "memoryOverwrite",
    "faults",
    "lastResetAt",
    "infinibandSettings",
  ]),
  drives: host.drives.map((drive) => ({
    identity: drive.identity,
    faults: drive.faults,
    last: drive.lastErase(),
    tenant: drive.holdsTenantData,
  })),
});

describe("after a restart", () => {
  it("drives have the same bytes: a tenant's, those written, and those left by each erase", async () => {
    const first = await start();
    const [dell, lenovo, generic] = [first.host("dell"), first.host("lenovo"), first.host("generic")];
    expect(nvme(dell).write(1, 7, Buffer.alloc(512, 9))).toBe(true);
    nvme(dell, 1).sanitize(4);
    nvme(dell, 2).sanitize(2);
    for (const drive of lenovo.drives) drive.fillWithTenantData();
    nvme(generic).format(1, 1);
    nvme(generic).remove(2);
    nvme(generic).attach(Number(nvme(generic).create(1_000, 1)));
    expect(nvme(generic).write(2, 3, Buffer.alloc(4096, 5))).toBe(true);
    disk(generic).password = "secret";
    disk(generic, 3).erase("crypto");
    const before = first.simulator.hosts.map((host) => ({ ...shown(host), bytes: bytesOf(host) }));
    await stop(first);
    const second = await start();
    expect(second.simulator.hosts.map((host) => ({ ...shown(host), bytes: bytesOf(host) }))).toEqual(before);
    expect(second.host("dell").drives.map((drive) => drive.holdsTenantData)).toEqual([true, false, false]);
    const again = second.host("generic");
    expect(
      nvme(again).namespaces.map(({ id, blocks, attached, content }) => [
        id,
        blocks,
        attached,
        content.blockBytes,
      ]),
    ).toEqual(
      nvme(generic).namespaces.map(({ id, blocks, attached, content }) => [
        id,
        blocks,
        attached,
        content.blockBytes,
      ]),
    );
    expect(nvme(again).read(2, 3)?.equals(Buffer.alloc(4096, 5))).toBe(true);
    expect(disk(again).password).toBe("secret");
    // An erased drive must next draw a key that it has not used.
    const old = bytesOf(second.host("dell"))[1];
    nvme(second.host("dell"), 1).sanitize(4);
    nvme(second.host("dell"), 1).lastErase();
    expect(bytesOf(second.host("dell"))[1]).not.toBe(old);
  });

  it("a host is as the agent, the BMC and the site left it, and no agent runs", async () => {
    const first = await start();
    const host = first.host("dell");
    first.server.plan(
      { step: "erase_nvme", devices: ({ storage }) => storage },
      { step: "verify_mem_overwrite" },
    );
    first.bootAgent(host);
    await until("both results", () => first.server.results.length === 2);
    host.setOverride({ target: "Pxe", enabled: "Once", mode: "UEFI" });
    host.script({
      agent: { oldVersion: true },
      drives: {
        [host.drives[0]?.identity.serial ?? ""]: { failErase: true },
        [host.drives[2]?.identity.serial ?? ""]: { replace: true },
      },
    });
    const off = first.host("lenovo");
    off.reset("ForceOff");
    await until("off", () => off.power === "Off");
    const before = [shown(host), shown(off)];
    await stop(first);
    const second = await start();
    expect([shown(second.host("dell")), shown(second.host("lenovo"))]).toEqual(before);
    expect([
      second.host("dell").running,
      second.host("lenovo").running,
      second.host("generic").running,
    ]).toEqual(["idle", "nothing", "tenant"]);
    expect(second.host("dell").drives.map((drive) => drive.holdsTenantData)).toEqual([false, false, true]);
    second.host("dell").clearFaults();
    second.bootAgent(second.host("dell"));
    await until("the agent", () => second.server.registered.length === 1);
  });

  it("a BMC has its accounts, media, lockdown, pending settings and waiting jobs, and carries them out", async () => {
    const first = await start();
    const dell = first.host("dell");
    await first.control("POST", `/hosts/${dell.blueprint.serial}/bmc-intrusion`, {
      account: "tenant",
      medium: "http://evil.example/a.iso",
    });
    const bios = "/redfish/v1/Systems/System.Embedded.1/Bios";
    const ordered = await first.redfish(dell, "PATCH", `${bios}/Settings`, {
      body: { Attributes: { LogicalProc: "Disabled" } },
    });
    const attributes = "/redfish/v1/Managers/iDRAC.Embedded.1/Oem/Dell/DellAttributes/iDRAC.Embedded.1";
    expect(
      (
        await first.redfish(dell, "PATCH", attributes, {
          body: { Attributes: { "Lockdown.1.SystemLockdown": "Enabled" } },
        })
      ).status,
    ).toBe(204);
    const before = await platformOf(first, dell);
    expect(before.join()).toContain('"UserName":"tenant"');
    await stop(first);
    const second = await start();
    const again = second.host("dell");
    expect(await platformOf(second, again)).toEqual(before);
    second.server.windowOpen = false;
    again.reset("ForceRestart");
    await vi.waitFor(
      async () =>
        expect((await second.redfish(again, "GET", String(ordered.headers["location"]))).text).toContain(
          '"TaskState":"Completed"',
        ),
      { timeout: 120_000 },
    );
    expect((await second.redfish(again, "GET", bios)).text).toContain('"LogicalProc":"Disabled"');
  });

  it("a sanitize goes on where it was, not counting the time between", async () => {
    // 120 s of hardware at speed 20: 6 s
    const first = await start({ speed: 20 });
    nvme(first.host("dell")).sanitize(4);
    await until("half of it", () => nvme(first.host("dell")).lastErase().progress > 0.4);
    await stop(first);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const second = await start({ speed: 1 });
    const drive = nvme(second.host("dell"));
    expect(drive.lastErase()).toMatchObject({ state: "running", kind: "crypto", code: 4 });
    // The stored value is a moment old, in whole milliseconds.
    expect(drive.lastErase().progress).toBeGreaterThan(0.35);
    expect(drive.lastErase().progress).toBeLessThan(0.9);
    expect(drive.holdsTenantData).toBe(true);
    await stop(second);
    const third = await start({ speed: 1_000 });
    await until("the end", () => nvme(third.host("dell")).lastErase().state === "completed");
    expect(nvme(third.host("dell")).holdsTenantData).toBe(false);
  });

  it("the network controller knows its versions, and goes on with what was not acknowledged", async () => {
    const put = async (fleet: TestFleet, version: number) => {
      const interfaces = [...fleet.host("dell").blueprint.networkInterfaces];
      const answer = await request(
        `http://127.0.0.1:${fleet.simulator.port}/network-controller/hosts/host-1/network`,
        {
          method: "PUT",
          headers: { authorization: `Bearer ${networkToken}`, "content-type": "application/json" },
          body: JSON.stringify({
            host: "host-1",
            version,
            network: "quarantine",
            tenant: null,
            interfaces,
            extensionServices: false,
          }),
        },
      );
      await answer.body.dump();
      return answer.statusCode;
    };
    const first = await start();
    first.server.refuseAcknowledgements = 1_000;
    expect(await put(first, 5)).toBe(202);
    await until("it", () => first.host("dell").network === "quarantine");
    await stop(first);
    const second = await start();
    expect(second.host("dell").network).toBe("quarantine");
    await until("both", () => second.server.acknowledgements.length === 2);
    expect(await put(second, 4)).toBe(409);
    await until("the file", () => readFileSync(state.file, "utf8").includes('"pending":[]'));
    await stop(second);
    const third = await start();
    expect(await put(third, 4)).toBe(409);
    expect(third.server.acknowledgements).toEqual([]);
  });
});

// Firmware that behaves unusually but within the protocol, and how our side handles it.
import { expect, it } from "vitest";
import type { BmcTarget, SystemReading } from "@/server/hardware/interfaces";
import { RedfishClient } from "@/server/hardware/redfish/client/client";
import { typeOf, within } from "@/server/hardware/redfish/testing/setup";
import { stepBench } from "@/server/simulator/testing/step-bench";

const bench = stepBench();
const permitted = { ...within, permit: async () => true };

/** The generic machine with its quirks, and a client whose waits take real time. */
async function withQuirk(quirk: string, powerReadBackMs = 60_000, httpBootUri: string | null = null) {
  const { fleet } = bench;
  const host = fleet.host("generic");
  const { serial } = host.blueprint;
  await fleet.control("POST", `/hosts/${serial}/faults`, { quirks: [quirk] });
  const client = new RedfishClient({
    networks: ["loopback"],
    httpBootUri,
    limits: { powerReadBackMs, lookWaitsMs: [50] },
  });
  const target: BmcTarget = {
    hostId: serial,
    address: `http://bmc-${serial.toLowerCase()}.localhost:${fleet.simulator.port}`,
    username: "reclaim",
    password: "of-all-bmcs",
    links: null,
    powerState: null,
  };
  return { host, client, target, type: typeOf(client, "redfish") };
}

it("a power-off is waited for as long as the BMC's own task of it runs, and no longer", async () => {
  // The task takes 3 s; without it the wait would end after 1.5 s.
  await bench.restart({ speed: 100 });
  const { host, client, target, type } = await withQuirk("slowOff", 1_500);
  const began = performance.now();
  expect(await type.power.reset(target, "forceOff", permitted)).toMatchObject({
    ok: true,
    value: { power: "off" },
  });
  expect(performance.now() - began).toBeGreaterThan(2_000);
  host.reset("On");
  await expect.poll(() => host.power, { timeout: 10_000 }).toBe("On");
  await bench.fleet.control("POST", `/hosts/${host.blueprint.serial}/faults`, { jobs: { fails: 1 } });
  const failed = await type.power.reset(target, "forceOff", permitted);
  expect(failed).toMatchObject({ ok: false, error: { kind: "failed", unknownOutcome: true } });
  if (!failed.ok) expect(failed.error.message).toMatch(/its task Power Off: Exception/);
  await client.close();
});

it("ports that the adapters of the chassis alone tell are found", async () => {
  const { host, client, target, type } = await withQuirk("chassisPorts");
  const found = await type.inventory.collect(target, within);
  if (!found.ok) throw new Error(found.error.message);
  expect([...found.value.inventory.macs].sort()).toEqual(host.blueprint.nics.map(({ mac }) => mac).sort());
  await client.close();
});

it("a system that does not tell how it boots is refused in words that say so", async () => {
  const { client, target, type } = await withQuirk("noBoot");
  const found = await type.inventory.discover(target, within);
  expect(found).toMatchObject({ ok: false, error: { kind: "unsupported" } });
  if (!found.ok)
    expect(found.error.message).toMatch(
      /^the BMC has no system that can be restarted and booted: \S+ has no Boot$/,
    );
  await client.close();
});

type Quirky = Awaited<ReturnType<typeof withQuirk>>;

/** Where the host boots from after a restart: one that boots from the network asks how. */
const restartOf =
  ({ host, target, type }: Pick<Quirky, "host" | "target" | "type">) =>
  async (before: SystemReading): Promise<"disk" | "network"> => {
    const asked = () => bench.fleet.server.requests.filter((line) => line.includes("/boot/ipxe")).length;
    const count = asked();
    const wanted = { before, powerCycle: false, offAndOn: false };
    expect(await type.power.restart(target, wanted, permitted)).toMatchObject({ ok: true });
    await expect.poll(() => host.running, { timeout: 10_000 }).toMatch(/^(idle|tenant)$/);
    return asked() > count ? "network" : "disk";
  };

it("a BMC that takes no boot source boots from the network by a BIOS attribute, until it is removed", async () => {
  const uri = "http://hosts.reclaim.test/ipxe.efi";
  const { host, client, target, type } = await withQuirk("bootsByAttribute", 60_000, uri);
  const restarted = restartOf({ host, target, type });
  // The second time it is the way that this BMC accepted, and already in effect.
  for (const _time of ["first", "second"]) {
    const set = await type.management.setBootOnce(target, "uefiHttp", within);
    if (!set.ok) throw new Error(set.error.message);
    expect(set.value.bootOverride).toEqual({ source: "uefiHttp", enabled: true, continuous: true });
    expect(await restarted(set.value)).toBe("network");
  }
  const cleared = await type.management.setBootOnce(target, "none", within);
  if (!cleared.ok) throw new Error(cleared.error.message);
  expect(cleared.value.bootOverride).toMatchObject({ enabled: false });
  expect(await restarted(cleared.value)).toBe("disk");
  await client.close();
});

it("an address that another process put into the BIOS is removed by one that knows a boot source that the BMC took, too", async () => {
  const uri = "http://hosts.reclaim.test/ipxe.efi";
  const { host, client, target, type } = await withQuirk("bootsByAttribute", 60_000, uri);
  const quirks = (names: readonly string[]) =>
    bench.fleet.control("POST", `/hosts/${host.blueprint.serial}/faults`, { quirks: names });
  const other = new RedfishClient({ networks: ["loopback"], httpBootUri: uri });
  const { management } = typeOf(other, "redfish");
  await quirks([]);
  const taken = await management.setBootOnce(target, "pxe", within);
  if (!taken.ok) throw new Error(taken.error.message);
  await restartOf({ host, target, type })(taken.value);
  await quirks(["bootsByAttribute"]);
  expect(await type.management.setBootOnce(target, "uefiHttp", within)).toMatchObject({ ok: true });
  const cleared = await management.setBootOnce(target, "none", within);
  if (!cleared.ok) throw new Error(cleared.error.message);
  expect(await restartOf({ host, target, type })(cleared.value)).toBe("disk");
  await Promise.all([client.close(), other.close()]);
});

it("a BMC that takes no boot source says which BIOS attribute would do, if no boot program is configured", async () => {
  const { client, target, type } = await withQuirk("bootsByAttribute");
  const set = await type.management.setBootOnce(target, "uefiHttp", within);
  expect(set).toMatchObject({ ok: false, error: { kind: "unsupported" } });
  if (!set.ok) expect(set.error.message).toContain("the BIOS has UrlBootFile, which Reclaim sets only if");
  await client.close();
});

it("a BMC that sets the boot mode back with each change of the boot source is told the mode", async () => {
  const { host, client, target, type } = await withQuirk("dropsMode");
  const read = await type.power.read(target, within);
  expect(read.ok && host.override.mode).toBe("UEFI");
  for (const source of ["pxe", "none", "pxe"] as const) {
    expect(await type.management.setBootOnce(target, source, within)).toMatchObject({ ok: true });
    expect(host.override).toMatchObject({ target: source === "pxe" ? "Pxe" : "None", mode: "UEFI" });
  }
  await client.close();
});

it("a BMC that answers 412 to a change without a version gets one, and at once from then on", async () => {
  const { host, client, target, type } = await withQuirk("demandsTag");
  for (const source of ["pxe", "none", "pxe"] as const)
    expect(await type.management.setBootOnce(target, source, within)).toMatchObject({ ok: true });
  expect(host.override.target).toBe("Pxe");
  await client.close();
});

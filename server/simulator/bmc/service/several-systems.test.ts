// Several machines behind one Redfish service, as our side finds, distinguishes and changes them.
import { describe, expect, it } from "vitest";
import { foldLogs, logReport } from "@/server/domain/repair/health/bmc/log";
import { bmcReport } from "@/server/domain/repair/health/bmc/report";
import type { BmcTarget } from "@/server/hardware/interfaces";
import type { RedfishClient } from "@/server/hardware/redfish/client/client";
import { clientForTests, typeOf, within } from "@/server/hardware/redfish/testing/setup";
import { sleep } from "@/server/simulator/hardware-time";
import type { SimulatedHost } from "@/server/simulator/host/simulated-host";
import type { FleetOptions } from "@/server/simulator/testing/fleet";
import { stepBench } from "@/server/simulator/testing/step-bench";

const bench = stepBench();
const permitted = { ...within, permit: async () => true };

/** Two machines behind the service of the first, and a client of ours. */
async function together(options: FleetOptions = {}) {
  await bench.restart({ hosts: 10, ...options });
  const { fleet } = bench;
  const hosts = fleet.simulator.hosts.filter(({ blueprint }) => blueprint.vendor === "generic");
  const joined = await fleet.control(
    "POST",
    "/services",
    hosts.map(({ blueprint }) => blueprint.serial),
  );
  expect(joined.status).toBe(200);
  const [one, two] = hosts;
  if (one === undefined || two === undefined) throw new Error("the fleet has two generic hosts");
  const { client } = clientForTests();
  const type = typeOf(client, "redfish");
  const target = (host: SimulatedHost, change: Partial<BmcTarget> = {}): BmcTarget => ({
    hostId: host.blueprint.serial,
    address: `http://bmc-${one.blueprint.serial.toLowerCase()}.localhost:${fleet.simulator.port}`,
    username: "reclaim",
    password: "of-all-bmcs",
    links: null,
    powerState: null,
    ...change,
  });
  const verified = async (host: SimulatedHost): Promise<BmcTarget> => {
    const { serial, uuid: systemUuid } = host.blueprint;
    const named = target(host, { system: { path: pathOf(host), systemUuid: null, serial: null } });
    const found = await type.inventory.discover(named, within);
    if (!found.ok) throw new Error(found.error.message);
    return { ...named, links: found.value.links, identity: { serial, systemUuid } };
  };
  return { client, type, one, two, target, verified };
}

const idOf = ({ blueprint }: SimulatedHost): string => blueprint.serial.toLowerCase();
const pathOf = (host: SimulatedHost): string => `/redfish/v1/Systems/${idOf(host)}`;

const neighbour = (username: string) => ({ name: "two", username, verified: true });

const ended = async (client: RedfishClient): Promise<void> => client.close();

describe("a service with the systems of two machines", () => {
  it("reports the health of each by its own chassis and logs", async () => {
    const { client, type, one, two, verified } = await together();
    const since = new Date(Date.now() - 100_000).toISOString();
    one.script({ health: { fan: 0, leak: "Warning", log: { first: 1, entries: 100, since } } });
    const found = async (host: SimulatedHost) => {
      const read = await type.health?.read(await verified(host), {}, within);
      if (read?.ok !== true) throw new Error(read?.error.message);
      expect(read.value.system.serial).toBe(host.blueprint.serial);
      const logs = logReport(foldLogs({}, read.value.logs, Date.now()));
      return [...bmcReport(read.value.health, null, 0).alerts, ...logs.alerts].map(({ id }) => id);
    };
    expect(await found(one)).toEqual(["BmcLeakDetection", "BmcSensor", "BmcEventLog"]);
    expect(await found(two)).toEqual([]);
    await ended(client);
  });

  it("is read for each by its own system, and not at all where nobody says which", async () => {
    const { client, type, one, two, target, verified } = await together();
    for (const host of [one, two]) {
      const found = await type.inventory.collect(await verified(host), within);
      if (!found.ok) throw new Error(found.error.message);
      const { system, storage, macs } = found.value.inventory;
      expect([system.serial, system.uuid]).toEqual([host.blueprint.serial, host.blueprint.uuid]);
      expect(storage.map(({ serial }) => serial).sort()).toEqual(
        host.drives.map(({ identity }) => identity.serial).sort(),
      );
      expect([...macs].sort()).toEqual(host.blueprint.nics.map(({ mac }) => mac).sort());
    }
    const unnamed = await type.inventory.discover(target(one), within);
    expect(unnamed).toMatchObject({ ok: false, error: { kind: "unsupported" } });
    if (!unnamed.ok)
      for (const host of [one, two])
        expect(unnamed.error.message).toContain(
          `${pathOf(host)} (serial ${host.blueprint.serial}, system UUID ${host.blueprint.uuid})`,
        );
    await ended(client);
  });

  it("is changed for one machine and not for the other, with one session, also at the same time", async () => {
    const { client, type, one, two, verified } = await together();
    const [first, second] = [await verified(one), await verified(two)];
    const all = await Promise.all(
      Array.from({ length: 6 }, async (_, turn) => {
        const storage = await type.inventory.storage(turn % 2 === 0 ? first : second, within);
        return storage.ok ? storage.value.system.serial : storage.error.message;
      }),
    );
    expect(all).toEqual([0, 1, 2].flatMap(() => [one.blueprint.serial, two.blueprint.serial]));
    expect((await type.power.reset(second, "forceOff", permitted)).ok).toBe(true);
    expect([one.power, two.power]).toEqual(["On", "Off"]);
    // Paths of the other machine behind the same address: nothing is changed there.
    const mixed = { ...first, links: second.links };
    expect(await type.power.reset(mixed, "forceOff", permitted)).toMatchObject({
      ok: false,
      error: { kind: "otherHost" },
    });
    expect(one.power).toBe("On");
    const sessions = async () =>
      JSON.parse(
        (await bench.fleet.redfish(one, "GET", "/redfish/v1/SessionService/Sessions")).text,
      ) as object;
    expect(await sessions()).toMatchObject({ "Members@odata.count": 1 });
    await client.endSessions(new Set([first.hostId]));
    expect(await sessions()).toMatchObject({ "Members@odata.count": 1 });
    await client.endSessions(new Set([second.hostId]));
    expect(await sessions()).toMatchObject({ "Members@odata.count": 0 });
    await ended(client);
  });

  it("keeps its accounts when one of them leaves, and loses what is that one's own", async () => {
    const { client, type, one, two, verified } = await together();
    const { leftovers } = type;
    if (leftovers === undefined) throw new Error("redfish has leftovers");
    const first = { ...(await verified(one)), neighbours: [neighbour("reclaim")] };
    await bench.fleet.control("POST", `/hosts/${one.blueprint.serial}/bmc-intrusion`, { account: "other" });
    const removed = await leftovers.remove(first, permitted);
    const message = "the same BMC serves two";
    for (const kind of ["account", "accountKey", "eventSubscription", "virtualMedium"])
      expect(removed.ok && removed.value.find((row) => row.kind === kind)).toMatchObject({
        outcome: "kept",
        message,
      });
    expect(await leftovers.removeOwnAccount(first, false, permitted)).toMatchObject({
      ok: true,
      value: [{ kind: "ownAccount", outcome: "kept", message }],
    });
    expect((await type.power.read(await verified(two), within)).ok).toBe(true);
    // The last one removes them.
    const last = await leftovers.remove(await verified(two), permitted);
    expect(last.ok && last.value.filter(({ kind }) => kind === "account")).toEqual([]);
    expect(await leftovers.removeOwnAccount(await verified(two), false, permitted)).toMatchObject({
      ok: true,
      value: [{ outcome: "removed" }],
    });
    await ended(client);
  });

  it("loses the accounts that a tenant left, and not the one by which another host is signed in", async () => {
    const { client, type, one, verified } = await together();
    for (const account of ["neighbour", "tenant"])
      await bench.fleet.control("POST", `/hosts/${one.blueprint.serial}/bmc-intrusion`, { account });
    const target = { ...(await verified(one)), neighbours: [neighbour("neighbour")] };
    const read = await type.inventory.collect(target, within);
    if (!read.ok) throw new Error(read.error.message);
    const { platform } = read.value.inventory;
    const known = { platform, baseline: { bmc: { accounts: [], subscriptions: [] } } };
    const step = type.steps.get("management.verify_bmc_baseline");
    expect(await step?.begin({ target, args: {}, known }, permitted)).toMatchObject({
      ok: true,
      value: { kind: "done", message: "removed account tenant" },
    });
    // Somebody entered this address for another host too, so nobody knows whose the account is.
    const entered = { ...target, neighbours: [{ ...neighbour("neighbour"), verified: false }] };
    const held = await step?.begin({ target: entered, args: {}, known }, permitted);
    expect(held).toMatchObject({ ok: true, value: { kind: "failed" } });
    expect(JSON.stringify(held)).toContain(
      "not removed: account neighbour (two at the same address was never",
    );
    expect(await step?.begin({ target, args: {}, known }, permitted)).toMatchObject({
      value: { kind: "done", message: "the BMC matches the baseline" },
    });
    await ended(client);
  });

  it("keeps what is the service's while a baseline of one of them is compared, and is not proven", async () => {
    const { client, type, one, verified } = await together();
    const left = { subscription: "https://other.example", medium: "http://other.example/a.iso", key: "ours" };
    await bench.fleet.control("POST", `/hosts/${one.blueprint.serial}/bmc-intrusion`, left);
    const alone = await verified(one);
    const read = await type.inventory.collect(alone, within);
    if (!read.ok) throw new Error(read.error.message);
    const { platform } = read.value.inventory;
    const bmc = { accounts: ["operator"], subscriptions: [], keys: [] };
    const step = type.steps.get("management.verify_bmc_baseline");
    const serves = { known: "two", untold: "/redfish/v1/Systems/" };
    for (const [target, words] of [
      [{ ...alone, neighbours: [neighbour("reclaim")] }, serves.known],
      [alone, serves.untold],
    ] as const) {
      const call = { target, args: {}, known: { platform, baseline: { bmc } } };
      for (const found of [await step?.begin(call, permitted), await step?.check(call, null, permitted)]) {
        expect(found).toMatchObject({ ok: true, value: { kind: "failed" } });
        for (const what of [left.subscription, left.medium, "key left"])
          expect(JSON.stringify(found)).toContain(`${what}`);
        expect(JSON.stringify(found)).toContain(`(the same BMC serves ${words}`);
      }
    }
    await ended(client);
  });

  it("is no reason to leave anything behind where somebody only entered another host", async () => {
    const { client, type, one, verified } = await together();
    const first = { ...(await verified(one)), neighbours: [{ ...neighbour("reclaim"), verified: false }] };
    const looked = await type.leftovers?.look(first, within);
    const message = expect.stringContaining("two at the same address was never verified");
    for (const kind of ["account", "accountKey", "eventSubscription", "virtualMedium"])
      expect(looked?.ok === true && looked.value.find((row) => row.kind === kind)).toMatchObject({
        outcome: "unreadable",
        message,
      });
    expect(await type.leftovers?.removeOwnAccount(first, false, permitted)).toMatchObject({
      value: [{ kind: "ownAccount", outcome: "unreadable", message }],
    });
    await ended(client);
  });

  it("has the firmware of each: only the host's own is read, compared and updated", async () => {
    const { client, type, one, two, verified } = await together({ speed: 300 });
    const target = await verified(two);
    const bios = (host: SimulatedHost) => `${idOf(host)}-bios`;
    const read = await type.inventory.collect(target, within);
    if (!read.ok) throw new Error(read.error.message);
    const { platform, firmware } = read.value.inventory;
    const [{ version } = { version: "" }] = firmware;
    expect(firmware).toEqual([{ component: "BIOS", version }]);
    expect(read.value.leftOut).toContainEqual(
      expect.stringContaining(`firmware: BMC (bmc), BIOS (${bios(one)}): the service has several systems`),
    );
    const compared = (component: string) => {
      const known = { platform, baseline: { firmware: [{ component, version }] } };
      return type.steps.get("firmware.verify_baseline")?.begin({ target, args: {}, known }, permitted);
    };
    const updated = (component: string) => {
      const settings = [{ component, url: "http://images.example/bios-9.9.9", checksum: "a".repeat(64) }];
      const call = { target, args: { settings }, known: { platform, baseline: null } };
      return type.steps.get("firmware.update")?.begin(call, permitted);
    };
    const message = expect.stringContaining("is not linked to this system");
    const notOwn = { ok: true, value: { kind: "failed", message } };
    // The first machine's firmware says nothing about the second, and nothing is sent there.
    for (const component of [`BIOS (${bios(one)})`, "BMC"]) {
      expect(await compared(component)).toMatchObject(notOwn);
      expect(await updated(component)).toMatchObject(notOwn);
    }
    expect(await compared("BIOS")).toMatchObject({ ok: true, value: { kind: "done" } });
    const ordered = async (id: string) => {
      const path = `/redfish/v1/UpdateService/FirmwareInventory/${id}`;
      const body = { ImageURI: "http://images.example/1.1.1", TransferProtocol: "HTTP", Targets: [path] };
      const action = "/redfish/v1/UpdateService/Actions/UpdateService.SimpleUpdate";
      expect((await bench.fleet.redfish(one, "POST", action, { body })).status).toBe(202);
    };
    const isWaitedFor = (progress: unknown) => JSON.stringify(progress).includes('"other":true');
    // An update in progress may be the first machine's: it is waited for, and then the second machine's is started.
    // It hangs, so that it is in progress however slow this machine is, until its state says otherwise.
    one.script({ jobs: { hangs: true } });
    await ordered("bmc");
    one.script({ jobs: null });
    let progress = await updated("BIOS");
    expect(isWaitedFor(progress)).toBe(true);
    for (const job of one.platform.jobs.list()) job.state = "completed";
    // An update that waits for the first machine's restart holds up nobody.
    await ordered(bios(one));
    const step = type.steps.get("firmware.update");
    while (progress?.ok === true && progress.value.kind === "running" && isWaitedFor(progress)) {
      await sleep(50);
      const settings = [
        { component: "BIOS", url: "http://images.example/bios-9.9.9", checksum: "a".repeat(64) },
      ];
      const call = { target, args: { settings }, known: { platform, baseline: null } };
      progress = await step?.check(call, progress.value.handle, permitted);
    }
    expect(progress).toMatchObject({
      ok: true,
      value: { handle: { task: `/redfish/v1/TaskService/Tasks/${idOf(two)}-1` } },
    });
    await ended(client);
  });
});

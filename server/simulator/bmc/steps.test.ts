// The controller's clean steps against simulated BMCs over HTTP: done, already as wanted, refused, failed, not as wanted, and stopped half-way.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { noPlatformFacts, type PlatformBaseline } from "@/server/domain/inventory/platform";
import { sentTask } from "@/server/hardware/redfish/steps/tasks";
import { personalities } from "@/server/simulator/bmc/personality";
import { startFleet, type TestFleet } from "@/server/simulator/testing/fleet";
import { workerOn, type Worker } from "@/server/simulator/testing/steps";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

// Unpacked once: that is what takes time.
const kinds = personalities();
let fleet: TestFleet;
const workers: Worker[] = [];

beforeEach(async () => {
  fleet = await startFleet({ kinds });
  fleet.server.windowOpen = false;
});
afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.close();
  await fleet.close();
});

async function on(vendor: string): Promise<Worker> {
  const worker = await workerOn(fleet, fleet.host(vendor));
  workers.push(worker);
  return worker;
}

const done = (message: RegExp) => ({
  ok: true,
  value: { kind: "done", message: expect.stringMatching(message) },
});
const failed = (message: RegExp) => ({
  ok: true,
  value: { kind: "failed", message: expect.stringMatching(message) },
});
const error = (kind: string, message: RegExp) => ({
  ok: false,
  error: { kind, message: expect.stringMatching(message) },
});
const vendors = ["dell", "lenovo", "generic"] as const;

describe.each(vendors)("management.verify_bmc_baseline of a %s host", (vendor) => {
  const own = { dell: ["root"], lenovo: ["USERID", "Egxadmin", "dcops"], generic: ["operator"] }[vendor];
  const baseline: PlatformBaseline = {
    bmc: { accounts: own, subscriptions: ["https://events.example/in", "127.0.0.1"] },
  };

  it("removes what a tenant left, and finds nothing the second time", async () => {
    const worker = await on(vendor);
    await fleet.control("POST", `/hosts/${worker.host.blueprint.serial}/bmc-intrusion`, {
      account: "tenant",
      subscription: "https://evil.example",
      medium: "http://evil.example/a.iso",
    });
    const removed = await worker.run("management.verify_bmc_baseline", { baseline });
    expect(removed).toMatchObject(
      done(
        /^removed account tenant, event subscription to https:\/\/evil.example, virtual medium http:\/\/evil.example\/a.iso$/,
      ),
    );
    expect(worker.changes()).toHaveLength(3);
    expect(await worker.run("management.verify_bmc_baseline", { baseline })).toMatchObject(
      done(/as the baseline wants/),
    );
    expect(worker.changes()).toEqual([]);
  });

  it("does not take an answer for a removal", async () => {
    const worker = await on(vendor);
    await fleet.control("POST", `/hosts/${worker.host.blueprint.serial}/bmc-intrusion`, {
      account: "tenant",
    });
    worker.host.script({ bmc: { mode: "acceptAndIgnore" } });
    expect(await worker.run("management.verify_bmc_baseline", { baseline })).toMatchObject(
      failed(/still there: account tenant/),
    );
  });

  it("sends nothing after the permit is refused, and goes on from there", async () => {
    const worker = await on(vendor);
    await fleet.control("POST", `/hosts/${worker.host.blueprint.serial}/bmc-intrusion`, {
      account: "tenant",
      medium: "http://evil.example/a.iso",
    });
    let permits = 1;
    expect(
      await worker.begin("management.verify_bmc_baseline", { baseline, permit: async () => permits-- > 0 }),
    ).toMatchObject(error("refused", /the permit for it was refused/));
    expect(worker.changes()).toHaveLength(1);
    expect(await worker.run("management.verify_bmc_baseline", { baseline })).toMatchObject(
      done(/^removed virtual medium/),
    );
  });
});

describe("below the operating system", () => {
  const dellMenu = [
    "PCIe SSD in Slot 2 in Bay 1: EFI Fixed Disk Boot Device 1",
    "HTTP Device 1: NIC in Slot 5 Port 1",
  ];
  const lenovoMenu = ["HardDisk", "Network", "CD_DVDRom", "USBStorage", "ubuntu"];
  const bmcOf = { dell: ["root"], lenovo: ["USERID", "Egxadmin", "dcops"], generic: ["operator"] } as const;
  const wants = (
    vendor: keyof typeof bmcOf,
    more: Partial<NonNullable<PlatformBaseline["bmc"]>>,
  ): { readonly baseline: PlatformBaseline } => ({
    baseline: { bmc: { accounts: [...bmcOf[vendor]], subscriptions: ["127.0.0.1"], ...more } },
  });
  const intrude = (worker: Worker, left: object) =>
    fleet.control("POST", `/hosts/${worker.host.blueprint.serial}/bmc-intrusion`, left);

  it("a key of an account is removed, also of our own, and one that is wanted stays", async () => {
    const worker = await on("generic");
    await intrude(worker, { key: "ssh-ed25519 AAAA evil" });
    await intrude(worker, { key: "ssh-ed25519 BBBB ours" });
    const options = wants("generic", { keys: ["ssh-ed25519 BBBB ours"] });
    expect(await worker.run("management.verify_bmc_baseline", options)).toMatchObject(
      done(/^removed key left of account reclaim$/),
    );
    expect(worker.changes()).toHaveLength(1);
    expect(await worker.run("management.verify_bmc_baseline", options)).toMatchObject(
      done(/as the baseline wants it$/),
    );
  });

  it.each(["dell", "lenovo"] as const)("the host interface of a %s host is switched off", async (vendor) => {
    const worker = await on(vendor);
    await intrude(worker, { hostInterface: true });
    expect(
      await worker.run("management.verify_bmc_baseline", wants(vendor, { hostInterface: false })),
    ).toMatchObject(done(/^removed host interface \S+ enabled$/));
    expect(worker.changes()).toEqual([expect.stringMatching(/^PATCH .*HostInterfaces/)]);
    expect(
      await worker.run("management.verify_bmc_baseline", wants(vendor, { hostInterface: false })),
    ).toMatchObject(done(/as the baseline wants it$/));
  });

  it("boot entries of last systems go: what cannot be deleted is disabled", async () => {
    const worker = await on("dell");
    await intrude(worker, { bootEntry: "evil" });
    expect(
      await worker.run("management.verify_bmc_baseline", wants("dell", { bootEntries: dellMenu })),
    ).toMatchObject(done(/^removed (boot entry Unavailable: (Linux Default|ubuntu), ){3}boot entry evil$/));
    expect(worker.changes().map((line) => line.split(" ")[0])).toEqual([
      "DELETE",
      "PATCH",
      "DELETE",
      "PATCH",
      "DELETE",
      "PATCH",
      "DELETE",
    ]);
    expect(
      await worker.run("management.verify_bmc_baseline", wants("dell", { bootEntries: dellMenu })),
    ).toMatchObject(done(/as the baseline wants it$/));
    expect(worker.changes()).toEqual([]);
  });

  it("an entry that answers and stays is a failure", async () => {
    const worker = await on("lenovo");
    await intrude(worker, { bootEntry: "evil" });
    worker.host.script({ bmc: { mode: "acceptAndIgnore" } });
    expect(
      await worker.run("management.verify_bmc_baseline", wants("lenovo", { bootEntries: lenovoMenu })),
    ).toMatchObject(failed(/still there: boot entry evil$/));
  });

  it("a foreign signature in a secure-boot database is removed; one that is wanted and gone fails, and so does a database that is not there", async () => {
    const worker = await on("dell");
    await intrude(worker, { certificate: "EVIL" });
    expect(
      await worker.run("management.verify_bmc_baseline", wants("dell", { secureBoot: { db: [] } })),
    ).toMatchObject(done(/^removed signature left-\d+ in secure-boot database db$/));
    worker.changes();
    expect(
      await worker.run("management.verify_bmc_baseline", wants("dell", { secureBoot: { db: ["OURS"] } })),
    ).toMatchObject(failed(/^secure-boot database db lacks OURS$/));
    expect(
      await worker.run("management.verify_bmc_baseline", wants("dell", { secureBoot: { dbr: [] } })),
    ).toMatchObject(failed(/no secure-boot database dbr/));
    expect(worker.changes()).toEqual([]);
  });

  it("a part that the BMC does not show is left out with its reason, and one that the baseline does not name is not looked at", async () => {
    const worker = await on("generic");
    const all = { keys: [], hostInterface: false, bootEntries: [], secureBoot: { db: [] } };
    expect(await worker.run("management.verify_bmc_baseline", wants("generic", all))).toMatchObject(
      done(
        /as the baseline wants it; left out host interface: [^;]*; left out boot entries: [^;]*; left out secure-boot databases: [^;]*$/,
      ),
    );
    expect(
      await (await on("lenovo")).run("management.verify_bmc_baseline", wants("lenovo", { keys: [] })),
    ).toMatchObject(done(/left out keys: no account shows any$/));
    const dell = await on("dell");
    await intrude(dell, { bootEntry: "evil", certificate: "EVIL", hostInterface: true });
    expect(await dell.run("management.verify_bmc_baseline", wants("dell", {}))).toMatchObject(
      done(/^the BMC is as the baseline wants it$/),
    );
    expect(dell.changes()).toEqual([]);
  });
});

describe.each([
  ["dell", "LogicalProc", "Disabled"],
  ["lenovo", "Processors_IntelVirtualizationTechnology", "Enabled"],
  ["generic", "PowerProfile", "Performance"],
] as const)("BIOS settings of a %s host", (vendor, name, value) => {
  const baseline: PlatformBaseline = { bios: { [name]: value } };

  it("are pending until the restart, in force after it, and then left alone", async () => {
    const worker = await on(vendor);
    expect(await worker.begin("bios.recommit", { baseline })).toMatchObject({
      ok: true,
      value: { kind: "restart" },
    });
    expect(worker.changes()).toHaveLength(1);
    // The same again after a crash: it is pending, so nothing is sent.
    const again = await worker.run("bios.recommit", { baseline });
    expect(again).toMatchObject(done(new RegExp(`^in force after the restart: ${name} "${value}"$`)));
    expect([worker.changes(), worker.restarts]).toEqual([[], 1]);
    expect(await worker.run("bios.recommit", { baseline })).toMatchObject(done(/^in force already/));
    expect(worker.changes()).toEqual([]);
  });

  it("come from arguments, too; one that the BIOS does not have changes nothing", async () => {
    const worker = await on(vendor);
    expect(
      await worker.run("bios.apply_configuration", { args: { settings: [{ name, value }] } }),
    ).toMatchObject(done(/^in force after the restart/));
    worker.changes();
    expect(
      await worker.run("bios.apply_configuration", {
        args: {
          settings: [
            { name, value: "x" },
            { name: "NoSuch", value: 1 },
          ],
        },
      }),
    ).toMatchObject(failed(/no setting NoSuch/));
    expect(worker.changes()).toEqual([]);
  });

  it("that were answered and not taken are not pending", async () => {
    const worker = await on(vendor);
    worker.host.script({ bmc: { mode: "acceptAndIgnore" } });
    expect(await worker.run("bios.recommit", { baseline })).toMatchObject(
      failed(/was answered 204, but .* is not pending/),
    );
  });

  it("that the restart does not bring into force are a failure", async () => {
    const worker = await on(vendor);
    worker.host.platform.applyBios = () => {
      worker.host.platform.biosPending = {};
    };
    expect(await worker.run("bios.recommit", { baseline })).toMatchObject(
      failed(new RegExp(`^after the restart ${name} reads`)),
    );
  });

  it("go back to the defaults", async () => {
    const worker = await on(vendor);
    await worker.run("bios.recommit", { baseline });
    expect(await worker.run("bios.factory_reset")).toMatchObject(done(/loaded its defaults/));
    expect(worker.host.platform.bios).toEqual({});
  });
});

describe("jobs of a Dell BMC", () => {
  const baseline: PlatformBaseline = { bios: { LogicalProc: "Disabled" } };

  it("that fail end the step with the BMC's words, and the next try goes well", async () => {
    const worker = await on("dell");
    worker.host.script({ jobs: { fails: 1 } });
    expect(await worker.run("bios.recommit", { baseline })).toMatchObject(
      failed(/Configure: BIOS.Setup.1-1: Exception: Job failed/),
    );
    expect(await worker.run("bios.recommit", { baseline })).toMatchObject(done(/^in force after/));
  });

  it("that hang are under way for ever", async () => {
    const worker = await on("dell");
    worker.host.script({ jobs: { hangs: true } });
    expect(await worker.run("bios.recommit", { baseline })).toMatchObject({
      ok: true,
      value: { kind: "running", percent: 1 },
    });
  });

  it("that hang are waited for by a later step, and deleted when they do not end", async () => {
    const worker = await on("dell");
    worker.host.network = "admin";
    worker.host.tpmOwned = true;
    worker.host.script({ jobs: { hangs: true } });
    expect(await worker.run("management.clear_tpm", { baseline: {} })).toMatchObject({
      ok: true,
      value: { kind: "running" },
    });
    worker.host.script({ jobs: null });
    worker.changes();
    const joined = await worker.begin("management.clear_tpm", { baseline: {} });
    expect(joined).toMatchObject({
      ok: true,
      value: { kind: "running", message: expect.stringContaining("of an earlier attempt still runs") },
    });
    if (!joined.ok || joined.value.kind !== "running") throw new Error("it did not join");
    const { task, sentAt } = sentTask.parse(joined.value.handle);
    const earlier = (ageMs: number) => ({ task, sentAt: sentAt - ageMs, earlier: true });
    expect(await worker.check("management.clear_tpm", earlier(0))).toMatchObject({
      ok: true,
      value: { kind: "running" },
    });
    expect(worker.changes()).toEqual([]);
    expect(await worker.check("management.clear_tpm", earlier(2 * 60_000))).toMatchObject({
      ok: true,
      value: { kind: "restart" },
    });
    expect(worker.changes()).toEqual([
      expect.stringMatching(/DeleteJobQueue$/),
      expect.stringMatching(/^PATCH .*Settings$/),
    ]);
    expect(await worker.run("management.clear_tpm", { baseline: {} })).toMatchObject(
      done(/^the TPM was cleared at the restart/),
    );
    expect(worker.host.tpmOwned).toBe(false);
  });

  it("that ended meanwhile are not deleted", async () => {
    const worker = await on("dell");
    worker.host.network = "admin";
    worker.host.script({ jobs: { hangs: true } });
    await worker.run("bios.apply_configuration", {
      args: { settings: [{ name: "LogicalProc", value: "Disabled" }] },
    });
    worker.host.script({ jobs: null });
    const joined = await worker.begin("management.clear_tpm", { baseline: {} });
    if (!joined.ok || joined.value.kind !== "running") throw new Error("it did not join");
    for (const job of worker.host.platform.jobs.list()) job.state = "completed";
    worker.changes();
    expect(await worker.check("management.clear_tpm", joined.value.handle)).toMatchObject({
      ok: true,
      value: { kind: "restart" },
    });
    expect(worker.changes()).toEqual([expect.stringMatching(/^PATCH .*Settings$/)]);
  });

  it("that wait are deleted; none is not worth a request", async () => {
    const worker = await on("dell");
    expect(await worker.run("management.clear_job_queue")).toMatchObject(done(/^no job waits$/));
    expect(worker.changes()).toEqual([]);
    await worker.begin("bios.recommit", { baseline });
    expect(await worker.run("management.clear_job_queue")).toMatchObject(done(/^deleted JID_/));
    expect(worker.host.platform.jobs.list()).toEqual([]);
  });
});

describe.each(["dell", "lenovo"] as const)("management.clear_tpm of a %s host", (vendor) => {
  it("clears it at the restart", async () => {
    const worker = await on(vendor);
    // Else the tenant's system starts again, and takes the TPM.
    worker.host.network = "admin";
    worker.host.tpmOwned = true;
    expect(await worker.run("management.clear_tpm", { baseline: {} })).toMatchObject(
      done(/^the TPM was cleared at the restart/),
    );
    expect([worker.host.tpmOwned, worker.restarts]).toEqual([false, 1]);
  });

  it("is not done while the order still stands", async () => {
    const worker = await on(vendor);
    worker.host.platform.applyBios = () => undefined;
    expect(await worker.run("management.clear_tpm", { baseline: {} })).toMatchObject(
      failed(/not cleared: \w+ still reads Clear/),
    );
  });
});

describe("lockdown of a Dell BMC", () => {
  it("is switched on, read back, and left alone when it is on", async () => {
    const worker = await on("dell");
    expect(await worker.run("management.lock_bmc", { baseline: { lockdown: true } })).toMatchObject(
      done(/was switched on and reads Enabled/),
    );
    worker.changes();
    expect(await worker.run("management.lock_bmc", { baseline: { lockdown: true } })).toMatchObject(
      done(/reads Enabled already/),
    );
    expect(worker.changes()).toEqual([]);
  });

  it("that does not come on is a failure", async () => {
    const worker = await on("dell");
    worker.host.script({ bmc: { mode: "acceptAndIgnore" } });
    expect(await worker.run("management.lock_bmc", { baseline: { lockdown: true } })).toMatchObject(
      failed(/but it reads Disabled/),
    );
  });

  it("is opened for a change where the SKU wants it on, and nobody else's lock is", async () => {
    const worker = await on("dell");
    await worker.run("management.lock_bmc", { baseline: { lockdown: true } });
    expect(
      await worker.run("bios.recommit", { baseline: { bios: { LogicalProc: "Disabled" } } }),
    ).toMatchObject(error("refused", /the BMC is locked down/));
    expect(worker.changes()).toEqual([]);
    expect(
      await worker.run("bios.recommit", { baseline: { bios: { LogicalProc: "Disabled" }, lockdown: true } }),
    ).toMatchObject(done(/^in force after/));
    expect(worker.host.platform.attributes).toEqual({ "Lockdown.1.SystemLockdown": "Disabled" });
    // It is the BMC that is asked, not what was known of it before.
    await worker.run("management.lock_bmc", { baseline: { lockdown: true } });
    expect(
      await worker.run("bios.recommit", {
        baseline: { bios: { LogicalProc: "Enabled" }, lockdown: true },
        platform: noPlatformFacts,
      }),
    ).toMatchObject(done(/^in force after/));
  });
});

describe.each(vendors)("management steps of a %s host", (vendor) => {
  it("restart the BMC, and see that it did", async () => {
    const worker = await on(vendor);
    expect(await worker.run("management.reset_bmc")).toMatchObject(done(/answers again/));
    expect(worker.changes()).toEqual([expect.stringMatching(/^POST .*\/Actions\/Manager.Reset$/)]);
  });

  it("do not take an answer for a restart", async () => {
    const worker = await on(vendor);
    worker.host.script({ bmc: { mode: "acceptAndIgnore" } });
    expect(await worker.run("management.reset_bmc")).toMatchObject({ ok: true, value: { kind: "running" } });
  });

  it("reset the secure boot keys", async () => {
    const worker = await on(vendor);
    worker.host.platform.secureBootMode = "SetupMode";
    expect(await worker.run("management.reset_secure_boot_keys_to_default")).toMatchObject(
      done(/the vendor's; the mode reads UserMode/),
    );
    worker.host.platform.secureBootMode = "SetupMode";
    worker.host.script({ bmc: { mode: "acceptAndIgnore" } });
    expect(await worker.run("management.reset_secure_boot_keys_to_default")).toMatchObject(
      failed(/SetupMode/),
    );
  });

  it("set the boot mode, once", async () => {
    const worker = await on(vendor);
    expect(await worker.run("management.set_boot_mode", { args: { boot_mode: "bios" } })).toMatchObject(
      done(/was set and reads Legacy/),
    );
    worker.changes();
    expect(await worker.run("management.set_boot_mode", { args: { boot_mode: "bios" } })).toMatchObject(
      done(/Legacy already/),
    );
    expect(worker.changes()).toEqual([]);
    worker.host.script({ bmc: { mode: "acceptAndIgnore" } });
    expect(await worker.run("management.set_boot_mode", { args: { boot_mode: "uefi" } })).toMatchObject(
      failed(/the boot mode reads Legacy/),
    );
  });
});

describe("a BMC that takes its time to restart", () => {
  it("is waited for, and its silence is no failure", async () => {
    const slow = await startFleet({ kinds, speed: 20 });
    try {
      const worker = await workerOn(slow, slow.host("lenovo"));
      workers.push(worker);
      const begun = await worker.begin("management.reset_bmc");
      if (!begun.ok || begun.value.kind !== "running") throw new Error("it did not begin");
      let { handle } = begun.value;
      while (worker.host.platform.away) {
        const look = await worker.check("management.reset_bmc", handle);
        if (!worker.host.platform.away) break;
        expect(look).toMatchObject({
          ok: true,
          value: {
            kind: "running",
            handle: { wasAway: true },
            message: expect.stringContaining("does not answer yet"),
          },
        });
        if (look.ok && look.value.kind === "running") handle = look.value.handle;
      }
      expect(worker.host.platform.lastReset).not.toBeNull();
      expect(await worker.check("management.reset_bmc", handle)).toMatchObject(done(/answers again/));
    } finally {
      await slow.close();
    }
  });
});

describe("firmware", () => {
  const checksum = "a".repeat(64);
  const idrac = "Integrated Dell Remote Access Controller";
  const settings = [
    { component: idrac, url: "http://images.example/idrac-6.10.30.20.exe", checksum },
    { component: "BIOS", url: "http://images.example/bios-1.9.2.exe", checksum },
  ];

  it("is compared with the baseline, and nothing is sent", async () => {
    const worker = await on("dell");
    expect(
      await worker.run("firmware.verify_baseline", {
        baseline: { firmware: [{ component: "BIOS", version: "1.8.2" }] },
      }),
    ).toMatchObject(done(/^1 components/));
    expect(
      await worker.run("firmware.verify_baseline", {
        baseline: {
          firmware: [
            { component: "BIOS", version: "2.0" },
            { component: "GPU", version: "1" },
          ],
        },
      }),
    ).toMatchObject(failed(/^BIOS is 1.8.2, not 2.0; GPU is not there, not 1$/));
    expect(worker.changes()).toEqual([]);
  });

  it("is updated one component after the other, with a restart where one waits for it", async () => {
    const worker = await on("dell");
    expect(await worker.run("firmware.update", { args: { settings } })).toMatchObject(
      done(
        new RegExp(
          `${idrac} went from 6.00.30.00 to 6.10.30.20.*BIOS went from 1.8.2 to 1.9.2.*SHA-256 was not compared`,
        ),
      ),
    );
    expect([worker.changes().length, worker.restarts]).toEqual([2, 1]);
    expect(
      await worker.run("firmware.verify_baseline", {
        baseline: { firmware: [{ component: "BIOS", version: "1.9.2" }] },
      }),
    ).toMatchObject(done(/./));
  });

  it("stops at the first that fails, or that the BMC does not have", async () => {
    const worker = await on("dell");
    worker.host.script({ jobs: { fails: 1 } });
    expect(await worker.run("firmware.update", { args: { settings } })).toMatchObject(failed(/Job failed/));
    expect(worker.changes()).toHaveLength(1);
    expect(
      await worker.run("firmware.update", {
        args: { settings: [{ component: "GPU", url: "http://images.example/1.0", checksum }] },
      }),
    ).toMatchObject(failed(/lists no component GPU/));
  });

  it("asks the permit for every part", async () => {
    const worker = await on("dell");
    let permits = 1;
    expect(
      await worker.run("firmware.update", { args: { settings }, permit: async () => permits-- > 0 }),
    ).toMatchObject(error("refused", /the permit for it was refused/));
    expect(worker.changes()).toHaveLength(1);
  });

  it("is not ordered by a way that the BMC does not have", async () => {
    const worker = await on("lenovo");
    expect(
      await worker.run("firmware.update", {
        args: { settings: [{ component: "Firmware:UEFI", url: "http://images.example/1.0", checksum }] },
      }),
    ).toMatchObject(error("unsupported", /fetches by TFTP, SFTP, not by HTTP/));
    expect(worker.changes()).toEqual([]);
  });
});

// A baseline compared with a simulated BMC, and firmware.
import { describe, expect, it } from "vitest";
import { type PlatformBaseline } from "@/server/domain/hosts/inventory/platform";
import { done, error, failed } from "@/server/simulator/testing/outcomes";
import { stepBench } from "@/server/simulator/testing/step-bench";
import { type Worker } from "@/server/simulator/testing/steps";

const bench = stepBench();
const { on } = bench;

const vendors = ["dell", "lenovo", "generic"] as const;

describe.each(vendors)("management.verify_bmc_baseline of a %s host", (vendor) => {
  const own = { dell: ["root"], lenovo: ["USERID", "Egxadmin", "dcops"], generic: ["operator"] }[vendor];
  const baseline: PlatformBaseline = {
    bmc: { accounts: own, subscriptions: ["https://events.example/in", "127.0.0.1"] },
  };

  it("removes what a tenant left, and finds nothing the second time", async () => {
    const worker = await on(vendor);
    await bench.fleet.control("POST", `/hosts/${worker.host.blueprint.serial}/bmc-intrusion`, {
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
      done(/matches the baseline/),
    );
    expect(worker.changes()).toEqual([]);
  });

  it("does not take an answer for a removal", async () => {
    const worker = await on(vendor);
    await bench.fleet.control("POST", `/hosts/${worker.host.blueprint.serial}/bmc-intrusion`, {
      account: "tenant",
    });
    worker.host.script({ bmc: { mode: "acceptAndIgnore" } });
    expect(await worker.run("management.verify_bmc_baseline", { baseline })).toMatchObject(
      failed(/still there: account tenant/),
    );
  });

  it("sends nothing after the permit is refused, and goes on from there", async () => {
    const worker = await on(vendor);
    await bench.fleet.control("POST", `/hosts/${worker.host.blueprint.serial}/bmc-intrusion`, {
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
    bench.fleet.control("POST", `/hosts/${worker.host.blueprint.serial}/bmc-intrusion`, left);

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
      done(/matches the baseline$/),
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
    ).toMatchObject(done(/matches the baseline$/));
  });

  it("boot entries of last systems go: what cannot be deleted is disabled", async () => {
    const worker = await on("dell");
    await intrude(worker, { bootEntry: "evil" });
    expect(
      await worker.run(
        "management.verify_bmc_baseline",
        wants("dell", { bootEntries: dellMenu.slice(0, 1) }),
      ),
    ).toMatchObject(
      done(
        /^removed boot entry HTTP Device 1: NIC in Slot 5 Port 1 \(Boot0000\), (boot entry Unavailable: (Linux Default|ubuntu) \(Boot\d+\), ){3}boot entry evil \(left-1\)$/,
      ),
    );
    expect(worker.changes().map((line) => line.split(" ")[0])).toEqual([
      "DELETE",
      "PATCH",
      "DELETE",
      "DELETE",
      "DELETE",
      "DELETE",
    ]);
    expect(
      await worker.run(
        "management.verify_bmc_baseline",
        wants("dell", { bootEntries: dellMenu.slice(0, 1) }),
      ),
    ).toMatchObject(done(/matches the baseline$/));
    expect(worker.changes()).toEqual([]);
  });

  it("an entry that answers and stays is a failure", async () => {
    const worker = await on("lenovo");
    await intrude(worker, { bootEntry: "evil" });
    worker.host.script({ bmc: { mode: "acceptAndIgnore" } });
    expect(
      await worker.run("management.verify_bmc_baseline", wants("lenovo", { bootEntries: lenovoMenu })),
    ).toMatchObject(failed(/still there: boot entry evil \(left-1\)$/));
  });

  it("a foreign certificate in a secure-boot database is removed; one that is wanted and gone fails, and so does a database that is not there", async () => {
    const worker = await on("dell");
    await intrude(worker, { certificate: "EVIL" });
    expect(
      await worker.run("management.verify_bmc_baseline", wants("dell", { secureBoot: { db: [] } })),
    ).toMatchObject(done(/^removed certificate left-\d+ in secure-boot database db$/));
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
    const all = { keys: [], hostInterface: false, bootEntries: [] };
    expect(await worker.run("management.verify_bmc_baseline", wants("generic", all))).toMatchObject(
      done(/matches the baseline; left out host interface: [^;]*; left out boot entries: [^;]*$/),
    );
    expect(
      await (
        await on("lenovo")
      ).run("management.verify_bmc_baseline", wants("lenovo", { keys: [], secureBoot: { db: [] } })),
    ).toMatchObject(done(/left out keys: no account shows any; left out secure-boot databases: [^;]*$/));
    const dell = await on("dell");
    await intrude(dell, { bootEntry: "evil", certificate: "EVIL", hostInterface: true });
    expect(await dell.run("management.verify_bmc_baseline", wants("dell", {}))).toMatchObject(
      done(/^the BMC matches the baseline$/),
    );
    expect(dell.changes()).toEqual([]);
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
          `${idrac} went from 6.00.30.00 to 6.10.30.20.*BIOS went from 1.8.2 to 1.9.2.*the SHA-256 of http\\S+ was compared right before`,
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

  it("that lies about its version reads as before after an update, and hides what somebody flashed", async () => {
    const worker = await on("dell");
    const { serial } = worker.host.blueprint;
    worker.host.script({ quirks: ["lyingFirmware"] });
    await bench.fleet.control("POST", `/hosts/${serial}/bmc-intrusion`, {
      firmware: { "Installed-159-1.8.2__BIOS.Setup.1-1": "6.6.6" },
    });
    const verified = (version: string) =>
      worker.run("firmware.verify_baseline", { baseline: { firmware: [{ component: "BIOS", version }] } });
    // No version tells it, which is why docs/security.md makes no claim about it.
    expect(await verified("1.8.2")).toMatchObject(done(/^1 components/));
    expect(await worker.run("firmware.update", { args: { settings } })).toMatchObject(
      done(/BIOS reads 1\.8\.2 as before/),
    );
    expect(await verified("1.9.2")).toMatchObject(failed(/^BIOS is 1\.8\.2, not 1\.9\.2$/));
  });

  it("stops at the first that fails, or that the BMC does not have", async () => {
    const worker = await on("dell");
    worker.host.script({ jobs: { fails: 1 } });
    expect(await worker.run("firmware.update", { args: { settings } })).toMatchObject(failed(/Job failed/));
    expect(worker.changes()).toHaveLength(1);
    worker.host.script({ jobs: { fails: 1, messageId: "Update.1.0.UpdateNotApplicable" } });
    expect(await worker.run("firmware.update", { args: { settings } })).toMatchObject({
      ok: true,
      value: { kind: "failed", final: true },
    });
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

  describe("of a rollout", () => {
    const images = [
      { component: "BIOS", version: "1.9.2", url: "http://images.example/bios-1.9.2.exe", checksum },
      {
        component: idrac,
        version: "6.10.30.20",
        url: "http://images.example/idrac-6.10.30.20.exe",
        checksum,
      },
    ];
    const baseline = { firmware: images.map(({ component, version }) => ({ component, version })) };

    it("is written with the BMC first and one restart, and not again once it is at its versions", async () => {
      const worker = await on("dell");
      expect(await worker.run("firmware.apply_baseline", { baseline, images })).toMatchObject(
        done(
          new RegExp(
            `^${idrac} went from 6.00.30.00 to 6.10.30.20;.*the SHA-256 of http\\S+ was compared right before.*BIOS went from 1.8.2 to 1.9.2`,
          ),
        ),
      );
      expect([worker.changes().length, worker.restarts]).toEqual([2, 1]);
      expect(await worker.run("firmware.apply_baseline", { baseline, images })).toMatchObject(
        done(/^2 components are at their versions$/),
      );
      expect([worker.changes().length, worker.restarts]).toEqual([0, 1]);
      expect(await worker.run("firmware.apply_baseline", { baseline, images, reflash: true })).toMatchObject(
        done(/BIOS went from 1.9.2 to 1.9.2/),
      );
      expect([worker.changes().length, worker.restarts]).toEqual([2, 2]);
    });

    it("is written only where the baseline of this moment names it", async () => {
      const worker = await on("dell");
      const old = { firmware: [{ component: "BIOS", version: "1.8.2" }] };
      expect(await worker.run("firmware.apply_baseline", { baseline: old, images })).toMatchObject(
        done(/^0/),
      );
      expect(worker.changes()).toEqual([]);
    });

    it("fails with the BMC's words, and refuses a component that the BMC does not list before it writes any", async () => {
      const worker = await on("dell");
      worker.host.script({ jobs: { fails: 1 } });
      expect(await worker.run("firmware.apply_baseline", { baseline, images })).toMatchObject(
        failed(/^Integrated.*Job failed/),
      );
      expect(worker.changes()).toHaveLength(1);
      const gpu = { component: "GPU", version: "1.0", url: "http://images.example/1.0", checksum };
      const more = { firmware: [...baseline.firmware, { component: "GPU", version: "1.0" }] };
      expect(
        await worker.run("firmware.apply_baseline", { baseline: more, images: [...images, gpu] }),
      ).toMatchObject({ ok: true, value: { kind: "failed", final: true } });
      expect(worker.changes()).toEqual([]);
    });
  });
});

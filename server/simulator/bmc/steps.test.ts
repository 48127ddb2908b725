// The controller's clean steps against simulated BMCs over HTTP: done, already as wanted, refused, failed, not as wanted, and stopped half-way.
import { describe, expect, it } from "vitest";
import { type PlatformBaseline } from "@/server/domain/hosts/inventory/platform";
import { done, failed } from "@/server/simulator/testing/outcomes";
import type { Worker } from "@/server/simulator/testing/steps";
import { stepBench } from "@/server/simulator/testing/step-bench";

const bench = stepBench();
const { on } = bench;

const vendors = ["dell", "lenovo", "generic"] as const;

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
    expect(again).toMatchObject(done(new RegExp(`^in effect after the restart: ${name} "${value}"$`)));
    expect([worker.changes(), worker.restarts]).toEqual([[], 1]);
    expect(await worker.run("bios.recommit", { baseline })).toMatchObject(done(/^already in effect/));
    expect(worker.changes()).toEqual([]);
  });

  it("come from arguments, too; one that the BIOS does not have changes nothing", async () => {
    const worker = await on(vendor);
    expect(
      await worker.run("bios.apply_configuration", { args: { settings: [{ name, value }] } }),
    ).toMatchObject(done(/^in effect after the restart/));
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

describe.each(["dell", "lenovo"] as const)("management.clear_tpm of a %s host", (vendor) => {
  it("clears it at the restart", async () => {
    const worker = await on(vendor);
    // Otherwise the tenant's system starts again, and takes the TPM.
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

describe.each(vendors)("management steps of a %s host", (vendor) => {
  it("restart the BMC, and see that it did", async () => {
    const worker = await on(vendor);
    const began = await worker.begin("management.reset_bmc");
    if (!began.ok || began.value.kind !== "running") throw new Error("it did not begin");
    // The instant fleet is back before anybody looks.
    worker.host.script({ bmc: { mode: "close" } });
    const away = await worker.check("management.reset_bmc", began.value.handle);
    worker.host.script({ bmc: null });
    if (!away.ok || away.value.kind !== "running") throw new Error("it was not away");
    expect(await worker.check("management.reset_bmc", away.value.handle)).toMatchObject(
      done(/responds again/),
    );
    expect(worker.changes()).toEqual([expect.stringMatching(/^POST .*\/Actions\/Manager.Reset$/)]);
  });

  it("do not take an answer for a restart", async () => {
    const worker = await on(vendor);
    worker.host.script({ bmc: { mode: "acceptAndIgnore" } });
    expect(await worker.run("management.reset_bmc")).toMatchObject({ ok: true, value: { kind: "running" } });
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

describe("a reset of the secure-boot keys", () => {
  const step = "management.reset_secure_boot_keys_to_default";
  const named: PlatformBaseline = {
    bmc: { accounts: [], subscriptions: [], secureBoot: { PK: [], KEK: [], db: [] } },
  };
  const intrude = (worker: Worker) =>
    bench.fleet.control("POST", `/hosts/${worker.host.blueprint.serial}/bmc-intrusion`, {
      certificate: "EVIL",
    });

  it.each([
    ["the vendor's own databases", "generic", undefined],
    ["what the baseline names", "dell", named],
  ])("is proven by the databases, beside %s", async (_what, vendor, baseline) => {
    const asked = baseline === undefined ? {} : { baseline };
    const worker = await on(vendor);
    await intrude(worker);
    worker.host.platform.secureBootMode = "SetupMode";
    expect(await worker.run(step, asked)).toMatchObject(done(/the vendor's; the mode reads UserMode/));

    await intrude(worker);
    worker.host.script({ quirks: ["keepsKeys"] });
    expect(await worker.run(step, asked)).toMatchObject(failed(/db has .* differ from the vendor's/));

    worker.host.script({ quirks: null, bmc: { mode: "acceptAndIgnore" } });
    worker.host.platform.secureBootMode = "SetupMode";
    expect(await worker.run(step, asked)).toMatchObject(failed(/SetupMode/));
  });

  it.each([
    ["lenovo", /shows no secure-boot databases/],
    ["dell", /shows no PKDefault and the SKU's baseline names nothing of PK/],
  ])("that a %s could not confirm is not sent", async (vendor, words) => {
    const worker = await on(vendor);
    expect(await worker.run(step)).toMatchObject({
      ok: false,
      error: { kind: "unsupported", message: expect.stringMatching(words) },
    });
    expect(worker.changes()).toEqual([]);
  });
});

describe("a BMC that takes its time to restart", () => {
  it("is waited for, and its silence is no failure", async () => {
    await bench.restart({ speed: 20 });
    const worker = await on("lenovo");
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
          message: expect.stringContaining("does not respond yet"),
        },
      });
      if (look.ok && look.value.kind === "running") handle = look.value.handle;
    }
    expect(worker.host.platform.lastReset).not.toBeNull();
    expect(await worker.check("management.reset_bmc", handle)).toMatchObject(done(/responds again/));
  });
});

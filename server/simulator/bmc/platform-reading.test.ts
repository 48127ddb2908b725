// The platform of a host as its BMC shows it, read over Redfish from captured trees: what somebody left is seen, and what cannot be read is unknown.
import { describe, expect, it } from "vitest";
import { capturedPlatforms } from "@/prisma/seed/platforms";
import { judgePlatform, queryOf } from "@/server/domain/hosts/platform/judge";
import type { PlatformBaseline } from "@/server/domain/hosts/inventory/platform";
import type { PlatformItem } from "@/server/domain/hosts/platform/judge";
import { stepBench } from "@/server/simulator/testing/step-bench";
import type { Worker } from "@/server/simulator/testing/steps";

const bench = stepBench();

const baselines = capturedPlatforms;
type Vendor = keyof typeof baselines;

async function itemsOf(worker: Worker, baseline: PlatformBaseline): Promise<readonly PlatformItem[]> {
  const { result } = await worker.readPlatform(queryOf(baseline));
  if (!result.ok || result.value.reading == null) throw new Error(JSON.stringify(result));
  return judgePlatform(baseline, result.value.reading);
}

const open = (items: readonly PlatformItem[]) =>
  items.filter(({ verdict }) => verdict === "different" || verdict === "unknown").map(({ name }) => name);

describe.each(["dell", "lenovo", "generic"] as const)("of a %s host", (vendor: Vendor) => {
  it("is as its baseline says until somebody leaves something", async () => {
    const worker = await bench.on(vendor);
    expect(open(await itemsOf(worker, baselines[vendor]))).toEqual([]);
    await bench.fleet.control("POST", `/hosts/${worker.host.blueprint.serial}/bmc-intrusion`, {
      ...{ account: "tenant", subscription: "https://evil.example", medium: "http://evil.example/a.iso" },
      ...{ bootEntry: "evil", certificate: "EVIL", key: "ssh-ed25519 AAAA evil" },
    });
    expect(open(await itemsOf(worker, baselines[vendor])).toSorted()).toEqual(
      {
        dell: ["accounts", "boot entries", "event subscriptions", "secure boot db", "virtual media"],
        lenovo: ["accounts", "boot entries", "event subscriptions", "virtual media"],
        generic: ["account keys", "accounts", "event subscriptions", "secure boot db", "virtual media"],
      }[vendor],
    );
  });

  it("another BIOS attribute and another version are seen", async () => {
    const worker = await bench.on(vendor);
    const changed: PlatformBaseline = {
      ...baselines[vendor],
      ...(vendor === "lenovo" ? {} : { bios: { BootMode: "another" } }),
      firmware: [{ component: "nobody has it", version: "1" }],
    };
    expect(open(await itemsOf(worker, changed))).toEqual([
      "firmware nobody has it",
      ...(vendor === "lenovo" ? [] : ["BIOS BootMode"]),
    ]);
  });
});

it("a BMC that stops answering ends the reading: half a picture is none", async () => {
  const worker = await bench.on("dell");
  worker.host.script({ bmc: { mode: "close" } });
  const { result } = await worker.readPlatform(queryOf(baselines.dell));
  expect(result).toMatchObject({ ok: false, error: { kind: "unreachable" } });
});

it("what names network protocols, boot order and the UEFI password costs two requests more at most", async () => {
  for (const vendor of ["dell", "lenovo"] as const) {
    const { bmc, ...rest } = baselines[vendor];
    const short = { ...rest, bmc: { ...bmc } };
    for (const name of ["protocols", "bootOrder", "uefiPassword"] as const)
      Reflect.deleteProperty(short.bmc, name);
    const before = await (await bench.on(vendor)).readPlatform(queryOf(short));
    const after = await (await bench.on(vendor)).readPlatform(queryOf(baselines[vendor]));
    expect(after.requests.length - before.requests.length).toBeLessThanOrEqual(2);
  }
});

it("a UEFI password and a DPU's mode that a BMC does not tell are unknown, and never not set", async () => {
  const baseline = {
    bmc: { accounts: ["USERID"], subscriptions: [], uefiPassword: false, dpuMode: "DpuMode" },
  };
  const items = await itemsOf(await bench.on("lenovo"), baseline);
  for (const name of ["UEFI password", "DPU mode"])
    expect(items).toContainEqual(
      expect.objectContaining({ name, verdict: "unknown", found: "not told by the BMC" }),
    );
});

describe("the mode of a DPU", () => {
  const mode = async (worker: Worker, baseline: PlatformBaseline = baselines.dell) =>
    (await itemsOf(worker, baseline)).find(({ name }) => name === "DPU mode");
  const set = (worker: Worker, dpuMode: string) =>
    bench.fleet.control("POST", `/hosts/${worker.host.blueprint.serial}/bmc-intrusion`, { dpuMode });

  it("that somebody set to NIC mode differs on that host alone, until it is set back", async () => {
    await bench.restart({ hosts: 11, bootCards: true });
    const [changed, other] = [await bench.on("dell"), await bench.on("dellBoss")];
    const same = { name: "DPU mode", wanted: "DpuMode", found: "DpuMode", verdict: "same", named: true };
    expect([await mode(changed), await mode(other)]).toEqual([same, same]);
    await set(changed, "NicMode");
    expect(open(await itemsOf(changed, baselines.dell))).toEqual(["DPU mode"]);
    expect(await mode(changed)).toEqual({ ...same, found: "NicMode", verdict: "different" });
    expect(await mode(other)).toEqual(same);
    await set(changed, "DpuMode");
    expect(await mode(changed)).toEqual(same);
  });

  it("stays as it is when the BMC loads its defaults: it is the DPU's", async () => {
    const worker = await bench.on("dell");
    await set(worker, "NicMode");
    const { status } = await bench.fleet.redfish(
      worker.host,
      "POST",
      "/redfish/v1/Managers/iDRAC.Embedded.1/Actions/Manager.ResetToDefaults",
      { body: { ResetType: "PreserveNetworkAndUsers" } },
    );
    expect(status).toBeLessThan(300);
    expect(worker.host.platform.others).toMatchObject({
      "/redfish/v1/Systems/System.Embedded.1/Oem/Nvidia": { Mode: "NicMode" },
    });
  });

  it("is not told by a host without a DPU, and is not set there", async () => {
    const worker = await bench.on("lenovo");
    await set(worker, "NicMode");
    expect(await mode(worker, { bmc: { ...baselines.lenovo.bmc, dpuMode: "DpuMode" } })).toMatchObject({
      ...{ found: "not told by the BMC", verdict: "unknown" },
    });
  });
});

it("no path is read twice in one reading", async () => {
  for (const vendor of ["dell", "lenovo", "generic"] as const) {
    const { requests } = await (await bench.on(vendor)).readPlatform(queryOf(baselines[vendor]));
    expect(new Set(requests).size).toBe(requests.length);
  }
});

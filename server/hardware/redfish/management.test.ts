// The boot source for the next boot: budget, reading back, versions.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { BmcTarget } from "@/server/hardware/interfaces";
import { clientForTests, discoveredTarget, typeOf, within } from "./testing/setup";
import { send, TreeBmc } from "./testing/tree-bmc";

let bmc: TreeBmc;
let fixture: ReturnType<typeof clientForTests>;
let target: BmcTarget;
const system = "/redfish/v1/Systems/System.Embedded.1";

const management = () => typeOf(fixture.client, "idrac").management;
const power = () => typeOf(fixture.client, "idrac").power;

beforeEach(async () => {
  bmc = await TreeBmc.start("dell");
  fixture = clientForTests();
  target = await discoveredTarget(bmc, fixture.client);
});
afterEach(async () => {
  await bmc.stop();
  await fixture.client.close();
});

describe("setBootOnce", () => {
  it("is one PATCH and one GET", async () => {
    expect(await management().setBootOnce(target, "uefiHttp", within)).toMatchObject({ ok: true, value: { bootOverride: { source: "uefiHttp", enabled: true } } });
    expect(bmc.received[0]?.body).toBe('{"Boot":{"BootSourceOverrideEnabled":"Once","BootSourceOverrideTarget":"UefiHttp"}}');
    expect(bmc.takeLines()).toEqual([`PATCH ${system}`, `GET ${system}`]);
  });

  it("with the reset that follows and one look stays within five requests for a boot", async () => {
    expect((await management().setBootOnce(target, "pxe", within)).ok).toBe(true);
    expect((await power().reset(target, "forceRestart", within)).ok).toBe(true);
    expect((await power().read(target, within)).ok).toBe(true);
    expect(bmc.takeLines()).toHaveLength(5);
  });

  it("takes `Continuous` for `Once`, as BMCs read it back", async () => {
    bmc.onceReads = "Continuous";
    expect((await management().setBootOnce(target, "pxe", within)).ok).toBe(true);
    expect(bmc.takeLines()).toHaveLength(2);
  });

  it("takes the override away", async () => {
    bmc.boot = { BootSourceOverrideEnabled: "Once", BootSourceOverrideTarget: "Pxe" };
    expect(await management().setBootOnce(target, "none", within)).toMatchObject({ ok: true, value: { bootOverride: { source: "none", enabled: false } } });
  });

  it("detects a 204 that did nothing", async () => {
    bmc.acts = false;
    const result = await management().setBootOnce(target, "pxe", { timeoutMs: 30_000 });
    expect(result).toMatchObject({ ok: false, error: { kind: "failed", unknownOutcome: false } });
    if (!result.ok) expect(result.error.message).toMatch(/was answered 204, but after [\d.]+ s the boot override reads none, disabled$/);
    expect(bmc.takeLines().filter((line) => line.startsWith("PATCH"))).toHaveLength(1);
  });

  it("does not take another source for the wanted one", async () => {
    bmc.acts = false;
    bmc.boot = { BootSourceOverrideEnabled: "Once", BootSourceOverrideTarget: "Hdd" };
    expect(await management().setBootOnce(target, "pxe", { timeoutMs: 30_000 })).toMatchObject({ ok: false });
  });

  it("is refused where the BMC lists no such source, before anything is sent", async () => {
    const lenovo = await TreeBmc.start("lenovo");
    const other = await discoveredTarget(lenovo, fixture.client, { hostId: "host-2" });
    const result = await management().setBootOnce(other, "uefiHttp", within);
    expect(result).toMatchObject({ ok: false, error: { kind: "unsupported" } });
    if (!result.ok) expect(result.error.message).toContain("only None, Pxe");
    expect(lenovo.takeLines()).toEqual([]);
    await lenovo.stop();
  });

  it("asks the permit before each PATCH", async () => {
    expect(await management().setBootOnce(target, "pxe", { ...within, permit: async () => false })).toMatchObject({ ok: false, error: { kind: "refused" } });
    expect(bmc.takeLines()).toEqual([]);
  });

  it("that lost its answer has an unknown outcome", async () => {
    bmc.fault = ({ method }, response) => method === "PATCH" && (response.socket?.destroy(), true);
    expect(await management().setBootOnce(target, "pxe", within)).toMatchObject({ ok: false, error: { kind: "unreachable", unknownOutcome: true } });
    expect(bmc.takeLines()).toEqual([`PATCH ${system}`]);
  });

  it("that cannot be read back has an unknown outcome", async () => {
    bmc.fault = ({ method }, response) => method === "GET" && (send(response, 403), true);
    expect(await management().setBootOnce(target, "pxe", within)).toMatchObject({ ok: false, error: { kind: "refused", unknownOutcome: true } });
  });
});

describe("If-Match", () => {
  const versions = () => bmc.received.flatMap(({ method, headers }) => (method === "PATCH" ? [headers["if-match"] ?? null] : []));

  it("carries the version that the resource gave a moment ago", async () => {
    await management().setBootOnce(target, "pxe", within);
    await management().setBootOnce(target, "none", within);
    expect(versions()).toEqual(['W/"1"', 'W/"2"']);
  });

  it("that no longer matches is read anew, and the change sent once more", async () => {
    bmc.version = 9;
    expect((await management().setBootOnce(target, "pxe", within)).ok).toBe(true);
    expect(versions()).toEqual(['W/"1"', 'W/"9"']);
    expect(bmc.takeLines()).toEqual([`PATCH ${system}`, `GET ${system}`, `PATCH ${system}`, `GET ${system}`]);
  });

  it("that never matches is a refusal after the second try", async () => {
    bmc.fault = ({ method }, response) => method === "PATCH" && (send(response, 412), true);
    expect(await management().setBootOnce(target, "pxe", within)).toMatchObject({ ok: false, error: { kind: "refused", unknownOutcome: false } });
    expect(versions()).toHaveLength(2);
  });

  it("is left out when the version is old, and demanded versions are learned", async () => {
    fixture.jump(120_000);
    await management().setBootOnce(target, "pxe", within);
    expect(versions()).toEqual([null]);
    bmc.takeLines();
    bmc.requiresIfMatch = true;
    fixture.jump(120_000);
    expect((await management().setBootOnce(target, "none", within)).ok).toBe(true);
    expect(versions()).toEqual([null, 'W/"2"']);
    bmc.takeLines();
    fixture.jump(120_000);
    expect((await management().setBootOnce(target, "pxe", within)).ok).toBe(true);
    expect(bmc.takeLines()).toEqual([`GET ${system}`, `PATCH ${system}`, `GET ${system}`]);
  });
});

// The boot source for the next boot: budget, reading back, versions.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { BmcTarget } from "@/server/hardware/interfaces";
import { clientForTests, discoveredTarget, typeOf, within } from "@/server/hardware/redfish/testing/setup";
import { send, TreeBmc } from "@/server/hardware/redfish/testing/tree-bmc";

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

describe("the machine behind the address", () => {
  const mine = { serial: "CNIVC0014M0388", systemUuid: "4c4c4544-0035-3410-8050-c6c04f314733" };
  const changes = () => bmc.takeLines().filter((line) => !line.startsWith("GET "));

  it("is compared before anything is changed", async () => {
    const owned = { ...target, identity: mine };
    expect((await management().setBootOnce(owned, "pxe", within)).ok).toBe(true);
    expect((await power().reset(owned, "forceRestart", within)).ok).toBe(true);
    expect(changes()).toHaveLength(2);
  });

  it.each([
    ["serial", { ...mine, serial: "OTHER" }],
    ["system UUID", { ...mine, systemUuid: "00000000-0000-4000-8000-000000000000" }],
  ])("of another %s is left alone", async (_what, identity) => {
    const other = { ...target, identity };
    for (const result of [
      await management().setBootOnce(other, "pxe", within),
      await power().reset(other, "forceOff", within),
    ]) {
      expect(result).toMatchObject({
        ok: false,
        error: {
          kind: "otherHost",
          unknownOutcome: false,
          message: expect.stringMatching(/nothing was changed\. Correct the host's BMC address\.$/),
        },
      });
    }
    expect(changes()).toEqual([]);
  });

  it("is looked at again when the last look is old, and must be told", async () => {
    const owned = { ...target, identity: mine };
    expect((await management().setBootOnce(owned, "pxe", within)).ok).toBe(true);
    bmc.takeLines();
    fixture.jump(11_000);
    bmc.fault = ({ method, path }, response) =>
      method === "GET" && path === system && (send(response, 500), true);
    expect((await power().reset(owned, "forceOff", within)).ok).toBe(false);
    expect(changes()).toEqual([]);
  });
});

describe("a BMC that takes no boot source for one boot", () => {
  it("is not sent one, and says what it offers", async () => {
    const links = target.links === null ? null : { ...target.links, bootEnabled: ["Disabled", "Continuous"] };
    expect(await management().setBootOnce({ ...target, links }, "pxe", within)).toMatchObject({
      ok: false,
      error: {
        kind: "unsupported",
        message: expect.stringMatching(/offered as Disabled, Continuous, not as Once/),
      },
    });
    expect(bmc.takeLines()).toEqual([]);
    expect((await management().setBootOnce({ ...target, links }, "none", within)).ok).toBe(true);
  });
});

describe("setBootOnce", () => {
  it("is one PATCH and one GET", async () => {
    expect(await management().setBootOnce(target, "uefiHttp", within)).toMatchObject({
      ok: true,
      value: { bootOverride: { source: "uefiHttp", enabled: true } },
    });
    expect(bmc.received[0]?.body).toBe(
      '{"Boot":{"BootSourceOverrideEnabled":"Once","BootSourceOverrideTarget":"UefiHttp"}}',
    );
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
    expect(await management().setBootOnce(target, "none", within)).toMatchObject({
      ok: true,
      value: { bootOverride: { source: "none", enabled: false } },
    });
  });

  it("detects a 204 that did nothing", async () => {
    bmc.acts = false;
    const result = await management().setBootOnce(target, "pxe", { timeoutMs: 30_000 });
    expect(result).toMatchObject({ ok: false, error: { kind: "failed", unknownOutcome: false } });
    if (!result.ok)
      expect(result.error.message).toMatch(
        /was answered 204, but after [\d.]+ s the boot override reads none, disabled$/,
      );
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
    expect(
      await management().setBootOnce(target, "pxe", { ...within, permit: async () => false }),
    ).toMatchObject({ ok: false, error: { kind: "refused" } });
    expect(bmc.takeLines()).toEqual([]);
  });

  it("that lost its answer has an unknown outcome", async () => {
    bmc.fault = ({ method }, response) => method === "PATCH" && (response.socket?.destroy(), true);
    expect(await management().setBootOnce(target, "pxe", within)).toMatchObject({
      ok: false,
      error: { kind: "unreachable", unknownOutcome: true },
    });
    expect(bmc.takeLines()).toEqual([`PATCH ${system}`]);
  });

  it("that cannot be read back has an unknown outcome", async () => {
    bmc.fault = ({ method }, response) => method === "GET" && (send(response, 403), true);
    expect(await management().setBootOnce(target, "pxe", within)).toMatchObject({
      ok: false,
      error: { kind: "refused", unknownOutcome: true },
    });
  });
});

describe("If-Match", () => {
  const versions = () =>
    bmc.received.flatMap(({ method, headers }) => (method === "PATCH" ? [headers["if-match"] ?? null] : []));

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
    expect(await management().setBootOnce(target, "pxe", within)).toMatchObject({
      ok: false,
      error: { kind: "rejected", unknownOutcome: false },
    });
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

describe("a change that is answered with the system", () => {
  it("is read back all the same: a BMC that echoes what it was sent is not believed", async () => {
    bmc.tellsChanges = true;
    expect(await management().setBootOnce(target, "pxe", within)).toMatchObject({
      ok: true,
      value: { bootOverride: { source: "pxe", enabled: true } },
    });
    expect(bmc.takeLines().at(-1)).toMatch(/^GET /);
  });
});

// The boot source for the next boot: number of requests, read-back, versions.
import { otherByteOrder } from "@/server/domain/hosts/inventory/system-uuid";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { noPlatformFacts } from "@/server/domain/hosts/inventory/platform";
import type { BootChange } from "@/server/domain/hosts/boot-settings";
import type { BmcTarget } from "@/server/hardware/interfaces";
import { clientForTests, discoveredTarget, typeOf, within } from "@/server/hardware/redfish/testing/setup";
import { message, send, TreeBmc } from "@/server/hardware/redfish/testing/tree-bmc";

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

  it("with other names is the host's if a person confirmed both, the UUID in either byte order", async () => {
    const old = { serial: "BEFORE", systemUuid: "11f0c0de-6a3a-4b0e-9a53-0a64b9a2f009" };
    const confirmed = { serials: [mine.serial], systemUuids: [otherByteOrder(mine.systemUuid)] };
    const owned = { ...target, identity: { ...old, confirmed } };
    expect((await management().setBootOnce(owned, "pxe", within)).ok).toBe(true);
    for (const half of [
      { ...confirmed, serials: [] },
      { ...confirmed, systemUuids: [] },
    ])
      expect(
        await management().setBootOnce({ ...owned, identity: { ...old, confirmed: half } }, "pxe", within),
      ).toMatchObject({ ok: false, error: { kind: "otherHost" } });
  });

  it("that tells no serial is the host's by its UUID, where the BMC told none when it was read", async () => {
    const content = bmc.contentOf(system);
    bmc.replaced.set(system, { ...content, SerialNumber: "" });
    const owned = { ...target, identity: { ...mine, serial: "BY-HAND" } };
    expect(await management().setBootOnce(owned, "pxe", within)).toMatchObject({
      ok: false,
      error: { kind: "otherHost" },
    });
    const links = { ...(await discoveredTarget(bmc, fixture.client)).links };
    expect(links.noSerial).toBe(true);
    expect((await management().setBootOnce({ ...owned, links }, "pxe", within)).ok).toBe(true);
    const other = {
      ...owned,
      links,
      identity: { ...mine, systemUuid: "00000000-0000-4000-8000-000000000000" },
    };
    expect(await management().setBootOnce(other, "pxe", within)).toMatchObject({
      ok: false,
      error: { kind: "otherHost" },
    });
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

/** The changes of the boot source that were sent, without their versions. */
const sent = () =>
  bmc.received.flatMap(({ method, body }) =>
    method === "PATCH" ? [(JSON.parse(body) as { Boot: Record<string, string> }).Boot] : [],
  );

/** Refuses changes of the boot source that contain this text, as some BMCs do. */
const refuses = (part: string) => {
  bmc.fault = ({ method, body }, response) =>
    method === "PATCH" &&
    body.includes(part) &&
    (send(response, 400, message("Base.1.12.PropertyValueNotInList", `${part} is not in the list.`)), true);
};

describe("a BMC that takes no boot source for one boot", () => {
  it.each([
    ["offers none", ["Disabled", "Continuous"], null],
    ["refuses it", undefined, '"Once"'],
  ])("and %s gets it for every boot, and says so", async (_what, bootEnabled, refused) => {
    if (refused !== null) refuses(refused);
    const { bootEnabled: _, ...links } = { ...(await discoveredTarget(bmc, fixture.client)).links };
    const told = { ...target, links: { ...links, ...(bootEnabled === undefined ? {} : { bootEnabled }) } };
    for (const requests of refused === null ? [1, 2] : [2, 3]) {
      expect(await management().setBootOnce(told, "pxe", within)).toMatchObject({
        ok: true,
        value: { bootOverride: { source: "pxe", enabled: true, continuous: true } },
      });
      // The next call starts with what the BMC accepted.
      expect(sent()).toHaveLength(requests);
    }
    expect(sent().at(-1)).toMatchObject({ BootSourceOverrideEnabled: "Continuous" });
    expect(await management().setBootOnce(told, "none", within)).toMatchObject({
      ok: true,
      value: { bootOverride: { enabled: false } },
    });
  });

  it("and none for every boot either is unsupported in its own words, after each was asked for once", async () => {
    refuses("BootSourceOverride");
    const result = await management().setBootOnce(target, "uefiHttp", within);
    expect(result).toMatchObject({ ok: false, error: { kind: "unsupported", unknownOutcome: false } });
    if (!result.ok) {
      expect(result.error.message).toMatch(/^The BMC does not accept a network boot\. PATCH .* answered 400/);
      expect(result.error.message).toContain("is not in the list.");
    }
    expect(
      sent().map((boot) => `${boot["BootSourceOverrideEnabled"]} ${boot["BootSourceOverrideTarget"]}`),
    ).toEqual(["Once UefiHttp", "Once Pxe", "Continuous UefiHttp", "Continuous Pxe"]);
  });
});

describe("a BMC that demands the boot mode with a boot source", () => {
  const demand =
    "The property BootSourceOverrideMode is a required property and must be included in the request.";
  const demands = () => {
    bmc.fault = ({ method, body }, response) =>
      method === "PATCH" &&
      !body.includes("BootSourceOverrideMode") &&
      (send(response, 400, message("Base.1.4.CreateFailedMissingReqProperties", demand)), true);
  };

  it("gets the mode that it reports, at once the next time, and the mode that a person sets", async () => {
    demands();
    for (const requests of [2, 3]) {
      expect(await management().setBootOnce(target, "pxe", within)).toMatchObject({
        ok: true,
        value: { bootOverride: { source: "pxe", enabled: true } },
      });
      expect(sent()).toHaveLength(requests);
      expect(sent().at(-1)).toMatchObject({
        BootSourceOverrideTarget: "Pxe",
        BootSourceOverrideEnabled: "Once",
        BootSourceOverrideMode: "UEFI",
      });
    }
    expect((await management().changeBoot?.(target, { mode: "bios" }, within))?.ok).toBe(true);
    expect(sent().at(-1)).toMatchObject({ BootSourceOverrideMode: "Legacy" });
    expect((await management().setBootOnce(target, "none", within)).ok).toBe(true);
    expect(sent().at(-1)).toMatchObject({ BootSourceOverrideMode: "Legacy" });
  });

  it("and reports none is not asked twice", async () => {
    const content = bmc.contentOf(system);
    const { BootSourceOverrideMode: _, ...boot } = content["Boot"] as Record<string, unknown>;
    bmc.replaced.set(system, { ...content, Boot: boot });
    demands();
    expect(await management().setBootOnce(target, "pxe", within)).toMatchObject({
      ok: false,
      error: { kind: "unsupported", message: expect.stringContaining("must be included") },
    });
    expect(sent().map((each) => each["BootSourceOverrideEnabled"])).toEqual(["Once", "Continuous"]);
  });
});

describe("a BMC that takes a change without the boot mode as one to Legacy", () => {
  /** As Supermicro does (DMTF/Redfishtool#106). `keeps`: it takes the mode that it is told. */
  const drops = (keeps = true) => {
    bmc.fault = ({ method, body }, response) => {
      if (method !== "PATCH") return false;
      const { Boot } = JSON.parse(body) as { Boot: Record<string, string> };
      bmc.boot = { ...bmc.boot, BootSourceOverrideMode: "Legacy", ...Boot };
      if (!keeps) bmc.boot = { ...bmc.boot, BootSourceOverrideMode: "Legacy" };
      send(response, 204);
      return true;
    };
  };
  const dropsAndGoesSilent = () => {
    drops();
    const dropping = bmc.fault;
    let isSilent = false;
    bmc.fault = (request, response) => {
      if (isSilent) return (response.destroy(), true);
      isSilent = request.method === "PATCH";
      return dropping?.(request, response) ?? false;
    };
  };
  const modes = () => sent().map((boot) => boot["BootSourceOverrideMode"]);

  it("is told the mode once more, and at once the next time", async () => {
    drops();
    expect(await management().setBootOnce(target, "uefiHttp", within)).toMatchObject({
      ok: true,
      value: { bootOverride: { source: "uefiHttp", enabled: true } },
    });
    expect(modes()).toEqual([undefined, "UEFI"]);
    expect(bmc.boot).toMatchObject({ BootSourceOverrideMode: "UEFI" });
    expect((await management().setBootOnce(target, "none", within)).ok).toBe(true);
    expect(modes()).toEqual([undefined, "UEFI", "UEFI"]);
  });

  it("and is known to do so gets both in one request, so that no end between two leaves it in Legacy", async () => {
    bmc.replaced.set(system, { ...bmc.contentOf(system), Manufacturer: "Supermicro" });
    await power().read(target, within);
    bmc.replaced.delete(system);
    drops();
    expect((await management().setBootOnce(target, "uefiHttp", within)).ok).toBe(true);
    expect(modes()).toEqual(["UEFI"]);
  });

  it("and goes silent right after it gets its mode back with the next change", async () => {
    dropsAndGoesSilent();
    expect((await management().setBootOnce(target, "uefiHttp", within)).ok).toBe(false);
    expect([modes(), bmc.boot.BootSourceOverrideMode]).toEqual([[undefined], "Legacy"]);
    fixture.jump(60_000);
    drops();
    expect((await management().setBootOnce(target, "none", within)).ok).toBe(true);
    expect([modes().at(-1), bmc.boot.BootSourceOverrideMode]).toEqual(["UEFI", "UEFI"]);
  });

  it("and goes silent right after it does not get it back where a person sets Legacy then", async () => {
    dropsAndGoesSilent();
    await management().setBootOnce(target, "uefiHttp", within);
    drops();
    expect((await management().changeBoot?.(target, { mode: "bios" }, within))?.ok).toBe(true);
    expect((await management().setBootOnce(target, "none", within)).ok).toBe(true);
    expect(bmc.boot.BootSourceOverrideMode).toBe("Legacy");
  });

  it("nor where the step set_boot_mode sets or finds Legacy then", async () => {
    dropsAndGoesSilent();
    await management().setBootOnce(target, "uefiHttp", within);
    bmc.fault = null;
    const step = typeOf(fixture.client, "redfish").steps.get("management.set_boot_mode");
    const known = { platform: noPlatformFacts, baseline: null };
    const call = { target, args: { boot_mode: "bios" }, known };
    expect(await step?.begin(call, within)).toMatchObject({ ok: true, value: { kind: "done" } });
    drops();
    expect((await management().setBootOnce(target, "none", within)).ok).toBe(true);
    expect(bmc.boot.BootSourceOverrideMode).toBe("Legacy");
  });

  /** As iLO and 13th-generation iDRACs do. */
  const refusesTheMode = () => {
    bmc.fault = ({ method, body }, response) => {
      if (method !== "PATCH") return false;
      const { Boot } = JSON.parse(body) as { Boot: Record<string, string> };
      if ("BootSourceOverrideMode" in Boot) return (send(response, 400, {}), true);
      bmc.boot = { ...bmc.boot, ...Boot };
      send(response, 204);
      return true;
    };
  };

  it("and one that keeps it and refuses to be told is not told after an answer that was lost", async () => {
    bmc.fault = ({ method }, response) => method === "PATCH" && (response.destroy(), true);
    expect((await management().setBootOnce(target, "uefiHttp", within)).ok).toBe(false);
    fixture.jump(60_000);
    refusesTheMode();
    expect((await management().setBootOnce(target, "uefiHttp", within)).ok).toBe(true);
    expect(modes()).toEqual([undefined, undefined]);
  });

  it("and is said to do so, but refuses to be told, is asked without the mode", async () => {
    bmc.replaced.set(system, { ...bmc.contentOf(system), Manufacturer: "Supermicro" });
    await power().read(target, within);
    bmc.replaced.delete(system);
    refusesTheMode();
    expect((await management().setBootOnce(target, "uefiHttp", within)).ok).toBe(true);
    expect(modes()).toEqual(["UEFI", undefined]);
  });

  it("and keeps no mode is not said to boot as it was asked", async () => {
    drops(false);
    const set = await management().setBootOnce(target, "uefiHttp", within);
    expect(set).toMatchObject({
      ok: false,
      error: { kind: "ignored", message: expect.stringContaining("the boot mode reads Legacy, not UEFI") },
    });
  });

  it("and is in Legacy mode stays so", async () => {
    bmc.boot = { ...bmc.boot, BootSourceOverrideMode: "Legacy" };
    await power().read(target, within);
    drops();
    expect((await management().setBootOnce(target, "pxe", within)).ok).toBe(true);
    expect(modes()).toEqual([undefined]);
  });
});

describe("a change without a version that is answered 412", () => {
  it("is sent with one, as Huawei's iBMC wants it, and at once the next time", async () => {
    const versions: Array<string | undefined> = [];
    bmc.fault = ({ method, headers }, response) => {
      if (method !== "PATCH") return false;
      versions.push(headers["if-match"]);
      if (headers["if-match"] !== undefined) return false;
      send(response, 412, message("iBMC.1.0.PreconditionFailed", "The If-Match header is missing."));
      return true;
    };
    // Its version is no longer fresh, so that it is not known when the change begins.
    fixture.jump(3_600_000);
    expect((await management().setBootOnce(target, "pxe", within)).ok).toBe(true);
    fixture.jump(3_600_000);
    expect((await management().setBootOnce(target, "pxe", within)).ok).toBe(true);
    expect(versions.map((version) => version === undefined)).toEqual([true, false, false]);
  });
});

describe("a boot by HTTP", () => {
  it("that the BMC refuses is one by PXE", async () => {
    refuses('"UefiHttp"');
    expect(await management().setBootOnce(target, "uefiHttp", within)).toMatchObject({
      ok: true,
      value: { bootOverride: { source: "pxe", enabled: true } },
    });
    expect(sent()).toHaveLength(2);
  });

  it("of which the BMC makes one by PXE, as sushy-tools does without an address, is one", async () => {
    bmc.fault = ({ method, path }, response) => {
      if (method !== "PATCH") return false;
      bmc.boot = { BootSourceOverrideEnabled: "Continuous", BootSourceOverrideTarget: "Pxe" };
      expect(path).toBe(system);
      send(response, 204);
      return true;
    };
    expect(await management().setBootOnce(target, "uefiHttp", within)).toMatchObject({
      ok: true,
      value: { bootOverride: { source: "pxe", enabled: true } },
    });
    expect(bmc.takeLines()).toHaveLength(2);
  });

  it("names the boot program, and leaves it to DHCP where the BMC takes no address", async () => {
    const uri = "https://boot.site.example/ipxe.efi";
    const configured = clientForTests({ httpBootUri: uri });
    const boots = typeOf(configured.client, "redfish").management;
    expect((await boots.setBootOnce(target, "uefiHttp", within)).ok).toBe(true);
    expect(sent()).toEqual([
      { BootSourceOverrideEnabled: "Once", BootSourceOverrideTarget: "UefiHttp", HttpBootUri: uri },
    ]);
    bmc.takeLines();
    refuses("HttpBootUri");
    expect((await boots.setBootOnce(target, "uefiHttp", within)).ok).toBe(true);
    expect(sent().map((boot) => boot["HttpBootUri"] ?? null)).toEqual([uri, null]);
    await configured.client.close();
  });

  it("knows the address in the spelling of the BMC", async () => {
    const configured = clientForTests({ httpBootUri: "https://Boot.site.example:443/a%7Eb/ipxe.efi" });
    const boots = typeOf(configured.client, "redfish").management;
    bmc.fault = ({ method, body }, response) => {
      if (method !== "PATCH") return false;
      const { Boot } = JSON.parse(body) as { Boot: Record<string, unknown> };
      bmc.boot = { ...bmc.boot, ...Boot, HttpBootUri: "https://boot.site.example/a%7Eb/ipxe.efi" };
      send(response, 204);
      return true;
    };
    expect((await boots.setBootOnce(target, "uefiHttp", within)).ok).toBe(true);
    expect(bmc.takeLines().filter((line) => line.startsWith("PATCH"))).toHaveLength(1);
    await configured.client.close();
  });

  it("leaves it to DHCP where the BMC takes the address and drops it, and does not ask for it again", async () => {
    const configured = clientForTests({ httpBootUri: "https://boot.site.example/ipxe.efi" });
    const boots = typeOf(configured.client, "redfish").management;
    bmc.fault = ({ method, body }, response) => {
      if (method !== "PATCH") return false;
      const { HttpBootUri: _dropped, ...boot } = (JSON.parse(body) as { Boot: Record<string, unknown> }).Boot;
      bmc.boot = { ...bmc.boot, ...boot };
      send(response, 204);
      return true;
    };
    for (const asked of [2, 1]) {
      bmc.takeLines();
      expect(await boots.setBootOnce(target, "uefiHttp", within)).toMatchObject({
        ok: true,
        value: { bootOverride: { source: "uefiHttp", enabled: true } },
      });
      expect(bmc.takeLines().filter((line) => line.startsWith("PATCH"))).toHaveLength(asked);
    }
    await configured.client.close();
  });

  it("is one by PXE where the BMC lists no such source", async () => {
    const lenovo = await TreeBmc.start("lenovo");
    const other = await discoveredTarget(lenovo, fixture.client, { hostId: "host-2" });
    expect((await management().setBootOnce(other, "uefiHttp", within)).ok).toBe(true);
    expect(lenovo.received[0]?.body).toContain('"Pxe"');
    await lenovo.stop();
  });
});

describe("no boot source", () => {
  it.each([
    ["None", '"None"', [{ BootSourceOverrideEnabled: "Disabled" }]],
    [
      "Disabled",
      '"Disabled"',
      [
        { BootSourceOverrideEnabled: "Disabled" },
        { BootSourceOverrideEnabled: "Continuous", BootSourceOverrideTarget: "Hdd" },
      ],
    ],
  ])("of a BMC that knows no %s is what it knows for it", async (_what, part, then) => {
    bmc.boot = { BootSourceOverrideEnabled: "Continuous", BootSourceOverrideTarget: "Pxe" };
    refuses(part);
    expect((await management().setBootOnce(target, "none", within)).ok).toBe(true);
    expect(sent().slice(1)).toEqual(then);
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
    expect(result).toMatchObject({ ok: false, error: { kind: "ignored", unknownOutcome: false } });
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

  it("is refused where the BMC lists no network, before anything is changed", async () => {
    const links = target.links === null ? null : { ...target.links, bootTargets: ["None", "Hdd"] };
    const result = await management().setBootOnce({ ...target, links }, "uefiHttp", within);
    expect(result).toMatchObject({ ok: false, error: { kind: "unsupported" } });
    if (!result.ok) expect(result.error.message).toContain("offers BootSourceOverrideTarget None, Hdd");
    expect(bmc.takeLines().filter((line) => !line.startsWith("GET "))).toEqual([]);
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

  it("of a BMC that compares strong versions with the weak ones that it gives is sent as a strong one", async () => {
    bmc.fault = ({ method, headers }, response) =>
      method === "PATCH" && headers["if-match"]?.startsWith("W/") === true && (send(response, 412), true);
    bmc.comparesStrongly = true;
    expect((await management().setBootOnce(target, "pxe", within)).ok).toBe(true);
    expect(versions()).toEqual(['W/"1"', 'W/"1"', '"1"']);
  });

  it("that never matches is a refusal once each form of it was sent", async () => {
    bmc.fault = ({ method }, response) => method === "PATCH" && (send(response, 412), true);
    expect(await management().setBootOnce(target, "pxe", within)).toMatchObject({
      ok: false,
      error: { kind: "rejected", unknownOutcome: false },
    });
    expect(versions()).toEqual(['W/"1"', 'W/"1"', '"1"', null]);
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

describe("how a person has the host start", () => {
  const place = `${system}/SecureBoot`;
  const change = (wanted: BootChange) => management().changeBoot?.(target, wanted, within);
  /** Makes secure boot changeable, which it is not in the captured tree. */
  const withSecureBoot = () => {
    bmc.fault = ({ method, path, body }, response) => {
      if (method !== "PATCH" || path !== place) return false;
      bmc.replaced.set(place, { ...bmc.contentOf(place), ...JSON.parse(body) });
      send(response, 200, {});
      return true;
    };
  };

  it("is read from the system and its secure boot", async () => {
    expect(await management().readBoot?.(target, within)).toMatchObject({
      ok: true,
      value: { settings: { device: null, persistent: false, mode: "uefi", secureBoot: false } },
    });
  });

  it("is nothing that is known of a system that has no Boot by now, and no part of it is taken for set", async () => {
    const { Boot: _, ...content } = bmc.contentOf(system);
    bmc.fault = ({ method, path }, response) =>
      method === "GET" && path === system && (send(response, 200, content), true);
    const unknown = { devices: null, device: null, persistent: false, mode: null };
    expect(await management().readBoot?.(target, within)).toMatchObject({
      ok: true,
      value: { bootOverride: { source: "none", enabled: false }, settings: unknown },
    });
    expect((await power().read(target, within)).ok).toBe(true);
    expect((await change({ device: "pxe" }))?.ok).toBe(false);
    expect((await management().setBootOnce(target, "pxe", within)).ok).toBe(false);
    expect((await management().setBootOnce(target, "none", within)).ok).toBe(true);
  });

  it.each([
    [{ device: "disk", persistent: true }, "Hdd", "Continuous"],
    [{ device: "pxe" }, "Pxe", "Once"],
  ] as const)("%j is set, and the host is not restarted", async (wanted, source, enabled) => {
    expect(await change(wanted)).toMatchObject({ ok: true, value: { settings: wanted } });
    expect(bmc.boot).toMatchObject({ BootSourceOverrideTarget: source, BootSourceOverrideEnabled: enabled });
    expect(bmc.takeLines().filter((line) => !line.startsWith("GET "))).toEqual([`PATCH ${system}`]);
  });

  it("secure boot is set and read back", async () => {
    withSecureBoot();
    expect(await change({ secureBoot: true })).toMatchObject({
      ok: true,
      value: { settings: { secureBoot: true } },
    });
    bmc.takeLines();
    expect((await change({ secureBoot: true }))?.ok).toBe(true);
    expect(bmc.takeLines().filter((line) => !line.startsWith("GET "))).toEqual([]);
  });

  it("what the BMC does not offer is unsupported, and nothing is sent", async () => {
    bmc.replaced.set(place, { "@odata.id": place });
    expect(await change({ device: "disk", secureBoot: true })).toMatchObject({
      ok: false,
      error: { kind: "unsupported", message: "the BMC offers no secure boot" },
    });
    expect(bmc.takeLines().filter((line) => !line.startsWith("GET "))).toEqual([]);
  });

  it("a BMC that takes it and does not do it has ignored it, unless the look was cut short", async () => {
    bmc.fault = ({ method, path }, response) => {
      if (method !== "PATCH" || path !== system) return false;
      send(response, 200, {});
      return true;
    };
    const error = { message: expect.stringMatching(/the boot device is not set, not disk$/) };
    expect(await management().changeBoot?.(target, { device: "disk" }, { timeoutMs: 30_000 })).toMatchObject({
      ok: false,
      error: { ...error, kind: "ignored" },
    });
    expect(await management().changeBoot?.(target, { device: "disk" }, { timeoutMs: 5_000 })).toMatchObject({
      ok: false,
      error: { ...error, kind: "failed" },
    });
  });

  it("a device set for every boot does not outlive the boot that Reclaim orders", async () => {
    await change({ device: "disk", persistent: true });
    expect(await management().setBootOnce(target, "pxe", within)).toMatchObject({
      ok: true,
      value: { bootOverride: { source: "pxe", enabled: true } },
    });
    expect(bmc.boot).toMatchObject({ BootSourceOverrideTarget: "Pxe", BootSourceOverrideEnabled: "Once" });
    await change({ device: "disk", persistent: true });
    expect(await management().setBootOnce(target, "none", within)).toMatchObject({ ok: true });
    expect(bmc.boot).toMatchObject({ BootSourceOverrideEnabled: "Disabled" });
  });

  it("an NMI is a reset of its own, and one that is not offered is unsupported", async () => {
    expect((await power().reset(target, "nmi", within)).ok).toBe(true);
    expect(bmc.received.findLast(({ method }) => method === "POST")?.body).toBe('{"ResetType":"Nmi"}');
    const links = target.links === null ? null : { ...target.links, resetTypes: ["On", "ForceOff"] };
    expect(await power().reset({ ...target, links }, "nmi", within)).toMatchObject({
      ok: false,
      error: { kind: "unsupported", message: expect.stringMatching(/offers no Nmi/) },
    });
  });
});

describe("a system whose settings for the next restart are a resource of their own, as AMI has it", () => {
  const pending = `${system}/SD`;
  let version = 1;
  let boot: Record<string, string>;

  beforeEach(async () => {
    version = 1;
    boot = { BootSourceOverrideEnabled: "Disabled", BootSourceOverrideTarget: "None" };
    const show = () =>
      bmc.replaced.set(pending, { "@odata.id": pending, Boot: { BootSourceOverrideMode: "UEFI", ...boot } });
    show();
    bmc.replaced.set(system, {
      ...bmc.contentOf(system),
      "@Redfish.Settings": { SettingsObject: { "@odata.id": pending } },
    });
    bmc.fault = ({ method, path, headers, body }, response) => {
      if (path === system && method === "PATCH") {
        send(response, 405, message("Base.1.12.OperationNotAllowed", "Write to the settings."));
        return true;
      }
      if (path !== pending) return false;
      if (method === "PATCH" && headers["if-match"] !== `"${version}"`) {
        send(response, headers["if-match"] === undefined ? 428 : 412, {});
        return true;
      }
      if (method === "PATCH") {
        boot = { ...boot, ...JSON.parse(body).Boot };
        version += 1;
        show();
      }
      send(response, 200, bmc.contentOf(pending), { etag: `"${version}"` });
      return true;
    };
    target = await discoveredTarget(bmc, fixture.client);
  });

  it("gets its boot source there, with the version of that resource", async () => {
    expect(target.links?.pendingBoot).toBe(pending);
    for (const source of ["pxe", "none", "pxe"] as const) {
      expect((await management().setBootOnce(target, source, within)).ok).toBe(true);
      expect(boot).toMatchObject(
        source === "pxe"
          ? { BootSourceOverrideTarget: "Pxe", BootSourceOverrideEnabled: "Once" }
          : { BootSourceOverrideTarget: "None", BootSourceOverrideEnabled: "Disabled" },
      );
    }
    expect(await management().changeBoot?.(target, { device: "disk" }, within)).toMatchObject({
      ok: true,
      value: { settings: { device: "disk" } },
    });
  });

  it("is not taken for one without them because its BMC did not answer when it was asked", async () => {
    bmc.fault = ({ path }, response) => path === pending && (send(response, 503), true);
    await expect(discoveredTarget(bmc, fixture.client)).rejects.toThrow(/\/SD was answered 503/);
    bmc.fault = ({ path }, response) => path === pending && (send(response, 404), true);
    expect((await discoveredTarget(bmc, fixture.client)).links.pendingBoot).toBeUndefined();
  });
});

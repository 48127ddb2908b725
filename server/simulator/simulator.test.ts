// The fleet over HTTP: BMCs with sessions, power and boot override, their faults, the network controller and the control interface.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { NvmeDrive } from "@/server/simulator/drives/nvme-drive";
import type { SimulatedHost } from "@/server/simulator/host/simulated-host";
import { fleetForEach, type TestFleet } from "@/server/simulator/testing/fleet";
import { until } from "@/server/simulator/testing/protocol-server";

let fleet: TestFleet;
fleetForEach((started) => {
  fleet = started;
});

const kinds = [
  { vendor: "dell", system: "/redfish/v1/Systems/System.Embedded.1", source: "UefiHttp", answers: 200 },
  { vendor: "lenovo", system: "/redfish/v1/Systems/1", source: "Pxe", answers: 200 },
  { vendor: "generic", system: "/redfish/v1/Systems/node", source: "UefiHttp", answers: 204 },
] as const;

const system = z.looseObject({
  SerialNumber: z.string(),
  UUID: z.string(),
  PowerState: z.string(),
  Boot: z.looseObject({ BootSourceOverrideEnabled: z.string(), BootSourceOverrideTarget: z.string() }),
});

const linked = z.looseObject({ "@odata.id": z.string() });

async function read(host: SimulatedHost, path: string) {
  return system.parse(JSON.parse((await fleet.redfish(host, "GET", path)).text));
}

const reset = (host: SimulatedHost, path: string, type: string) =>
  fleet.redfish(host, "POST", `${path}/Actions/ComputerSystem.Reset`, { body: { ResetType: type } });

const patchBoot = (host: SimulatedHost, path: string, boot: object, headers?: Record<string, string>) =>
  fleet.redfish(host, "PATCH", path, { body: { Boot: boot }, ...(headers ? { headers } : {}) });

describe.each(kinds)("the BMC of a $vendor host", ({ vendor, system: path, source, answers }) => {
  it("shows its own identity, in every resource of the tree", async () => {
    const hosts = fleet.simulator.hosts.filter((host) => host.blueprint.vendor === vendor);
    for (const host of hosts)
      expect(await read(host, path)).toMatchObject({
        SerialNumber: host.blueprint.serial,
        UUID: host.blueprint.uuid,
        PowerState: "On",
      });
    const captured =
      /F54P1G3|CNIVC0014M0388|J101RZ43|61X0A002TCD8|PHAB1234034Z1P9SGN|4c4c4544-0035|bc20d65a-1a53|70:b5:e8:f0:52:dc|08:c0:eb:53:c9:f0/i;
    const seen = new Set<string>();
    const host = fleet.host(vendor);
    for (const waiting = ["/redfish/v1"]; waiting.length > 0;) {
      const next = waiting.pop() ?? "";
      if (seen.has(next)) continue;
      seen.add(next);
      const { status, text } = await fleet.redfish(host, "GET", next);
      if (status !== 200) continue;
      expect(text, next).not.toMatch(captured);
      expect(text, next).not.toContain("@@");
      const visit = (value: unknown): void => {
        if (Array.isArray(value)) return value.forEach(visit);
        if (typeof value !== "object" || value === null) return;
        const link = linked.safeParse(value);
        if (link.success) waiting.push(link.data["@odata.id"].split("#")[0]?.replace(/\/$/, "") ?? "");
        Object.values(value).forEach(visit);
      };
      visit(JSON.parse(text));
    }
    expect(seen.size).toBeGreaterThan(20);
    for (const { serial } of host.blueprint.drives) {
      const holds = await Promise.all(
        [...seen]
          .filter((resource) => resource.includes("/Drives/"))
          .map(async (resource) => (await fleet.redfish(host, "GET", resource)).text.includes(`"${serial}"`)),
      );
      expect(holds).toContain(true);
    }
  });

  it("takes a boot override for once, and a boot uses it up", async () => {
    const host = fleet.host(vendor);
    fleet.server.windowOpen = false;
    expect(
      (await patchBoot(host, path, { BootSourceOverrideEnabled: "Once", BootSourceOverrideTarget: source }))
        .status,
    ).toBe(answers);
    expect((await read(host, path)).Boot).toMatchObject({
      BootSourceOverrideEnabled: "Once",
      BootSourceOverrideTarget: source,
    });
    expect((await reset(host, path, "ForceRestart")).status).toBe(204);
    await until("the boot", () => host.counters.bootRequests === 1);
    expect((await read(host, path)).Boot).toMatchObject({
      BootSourceOverrideEnabled: "Disabled",
      BootSourceOverrideTarget: "None",
    });
  });

  it("refuses what is not on its lists, and other properties, and an old ETag", async () => {
    const host = fleet.host(vendor);
    expect(
      (await patchBoot(host, path, { BootSourceOverrideEnabled: "Once", BootSourceOverrideTarget: "Moon" }))
        .status,
    ).toBe(400);
    expect((await fleet.redfish(host, "PATCH", path, { body: { AssetTag: "x" } })).status).toBe(400);
    expect((await reset(host, path, "Explode")).status).toBe(400);
    const { headers } = await fleet.redfish(host, "GET", path);
    const basic = `Basic ${Buffer.from("reclaim:of-all-bmcs").toString("base64")}`;
    const override = { BootSourceOverrideEnabled: "Once", BootSourceOverrideTarget: "Pxe" };
    expect(
      (await patchBoot(host, path, override, { authorization: basic, "if-match": String(headers.etag) }))
        .status,
    ).toBe(answers);
    const late = await patchBoot(host, path, override, {
      authorization: basic,
      "if-match": String(headers.etag),
    });
    expect([late.status, late.text]).toEqual([412, expect.stringContaining("PreconditionFailed")]);
    expect(host.counters.powerActionsTotal).toBe(0);
  });

  it("switches off and on", async () => {
    const host = fleet.host(vendor);
    expect((await reset(host, path, "ForceOff")).status).toBe(204);
    await until("off", () => host.power === "Off");
    expect((await read(host, path)).PowerState).toBe("Off");
    const impossible = await reset(host, path, "ForceRestart");
    expect(impossible.status).toBe(vendor === "generic" ? 204 : 409);
    expect(host.power).toBe("Off");
    await reset(host, path, "On");
    await until("on", () => host.power === "On" && host.running === "tenant");
    expect(host.counters.powerActions.map(({ action }) => action)).toEqual([
      "ForceOff",
      "ForceRestart",
      "On",
    ]);
  });
});

describe("sessions", () => {
  const sessions = "/redfish/v1/SessionService/Sessions";
  const signIn = (host: SimulatedHost, password = "of-all-bmcs") =>
    fleet.redfish(host, "POST", sessions, { body: { UserName: "reclaim", Password: password }, headers: {} });

  it("open the tree, are few, and end", async () => {
    const host = fleet.host("generic");
    expect((await fleet.redfish(host, "GET", "/redfish/v1", { headers: {} })).status).toBe(200);
    expect((await fleet.redfish(host, "GET", "/redfish/v1/Systems", { headers: {} })).status).toBe(401);
    expect((await signIn(host, "wrong")).status).toBe(401);
    const opened = await signIn(host);
    const token = String(opened.headers["x-auth-token"]);
    expect(
      (await fleet.redfish(host, "GET", "/redfish/v1/Systems", { headers: { "x-auth-token": token } }))
        .status,
    ).toBe(200);
    for (let count = 2; count <= 4; count += 1) expect((await signIn(host)).status).toBe(201);
    const refused = await signIn(host);
    expect([refused.status, refused.text]).toEqual([503, expect.stringContaining("SessionLimitExceeded")]);
    expect(
      (
        await fleet.redfish(host, "DELETE", String(opened.headers.location), {
          headers: { "x-auth-token": token },
        })
      ).status,
    ).toBe(204);
    expect(
      (await fleet.redfish(host, "GET", "/redfish/v1/Systems", { headers: { "x-auth-token": token } }))
        .status,
    ).toBe(401);
    expect((await signIn(host)).status).toBe(201);
  });

  it("of one BMC are nothing to another", async () => {
    const token = String((await signIn(fleet.host("dell"))).headers["x-auth-token"]);
    expect(
      (
        await fleet.redfish(fleet.host("lenovo"), "GET", "/redfish/v1/Systems", {
          headers: { "x-auth-token": token },
        })
      ).status,
    ).toBe(401);
  });

  it("are lost by fault", async () => {
    const host = fleet.host("dell");
    const token = String((await signIn(host)).headers["x-auth-token"]);
    host.script({ bmc: { mode: "loseSession", requests: 1 } });
    expect(
      (await fleet.redfish(host, "GET", "/redfish/v1/Systems", { headers: { "x-auth-token": token } }))
        .status,
    ).toBe(401);
  });
});

describe("a BMC that misbehaves", () => {
  const get = (host: SimulatedHost) => fleet.redfish(host, "GET", "/redfish/v1/Systems");

  it("is broken for as many requests as asked", async () => {
    const host = fleet.host("dell");
    host.script({ bmc: { mode: "error5xx", requests: 2 } });
    expect([(await get(host)).status, (await get(host)).status, (await get(host)).status]).toEqual([
      503, 503, 200,
    ]);
  });

  it("answers garbage, closes, or says nothing, until cleared; others are untouched", async () => {
    const host = fleet.host("dell");
    host.script({ bmc: { mode: "garbage" } });
    const { text } = await get(host);
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    host.script({ bmc: { mode: "close" } });
    await expect(get(host)).rejects.toThrow();
    host.script({ bmc: { mode: "silent" } });
    await expect(get(host)).rejects.toThrow(/headers timeout/i);
    expect((await get(fleet.host("lenovo"))).status).toBe(200);
    host.script({ bmc: null });
    expect((await get(host)).status).toBe(200);
  });

  it("acknowledges an action and does nothing", async () => {
    const host = fleet.host("lenovo");
    host.script({ bmc: { mode: "acceptAndIgnore", requests: 1 } });
    expect((await get(host)).status).toBe(200);
    expect((await reset(host, "/redfish/v1/Systems/1", "ForceOff")).status).toBe(204);
    expect([host.power, host.counters.powerActionsTotal]).toEqual(["On", 0]);
    await reset(host, "/redfish/v1/Systems/1", "ForceOff");
    await until("off", () => host.power === "Off");
  });
});

describe("a power action during an erase", () => {
  it.each(["ForceOff", "GracefulShutdown", "ForceRestart", "PowerCycle"])("%s is on record", (type) => {
    const host = fleet.host("generic");
    const drive = host.drives[0];
    if (!(drive instanceof NvmeDrive)) throw new Error("not NVMe");
    drive.faults.hangErase = true;
    expect(type === "ForceRestart" ? drive.format(1, 1) : drive.sanitize(4)).toBeNull();
    host.reset("Nmi");
    expect(host.counters.resetsDuringErase).toBe(0);
    host.reset(type);
    expect(host.counters.resetsDuringErase).toBe(1);
    expect(host.counters.powerActions.at(-1)).toMatchObject({ action: type, duringErase: true });
  });

  it("leaves a sanitize running over a reset, and breaks a format off", () => {
    const host = fleet.host("generic");
    const [sanitizes, formats] = host.drives;
    if (!(sanitizes instanceof NvmeDrive) || !(formats instanceof NvmeDrive)) throw new Error("not NVMe");
    for (const drive of [sanitizes, formats]) drive.faults.hangErase = true;
    expect(sanitizes.sanitize(2)).toBeNull();
    host.reset("ForceRestart");
    expect(host.counters.powerActions.at(-1)).toMatchObject({ duringErase: false, duringSanitize: true });
    expect(formats.format(1, 1)).toBeNull();
    host.reset("ForceRestart");
    expect(host.counters.powerActions.at(-1)).toMatchObject({ duringErase: true, duringSanitize: false });
    expect([sanitizes.erasing, formats.erasing, formats.holdsTenantData]).toEqual([true, false, true]);
  });
});

// The simulated network controller, and the control interface of the fleet.
import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { request } from "undici";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { SimulatedHost } from "@/server/simulator/host/simulated-host";
import {
  controlToken,
  fleetForEach,
  networkToken,
  startFleet,
  type TestFleet,
} from "@/server/simulator/testing/fleet";
import { until } from "@/server/simulator/testing/protocol-server";

let fleet: TestFleet;
fleetForEach((started) => {
  fleet = started;
});

describe("the network controller", () => {
  const put = async (hostId: string, body: unknown, token = networkToken) => {
    const answer = await request(`http://127.0.0.1:${fleet.simulator.port}/hosts/${hostId}/network`, {
      method: "PUT",
      headers: {
        host: "network.localhost",
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
      },
      body: JSON.stringify(body),
    });
    await answer.body.dump();
    return answer.statusCode;
  };
  const ask = async (hostId: string, token = networkToken) => {
    const answer = await request(`http://127.0.0.1:${fleet.simulator.port}/hosts/${hostId}/network`, {
      method: "OPTIONS",
      headers: { host: "network.localhost", authorization: `Bearer ${token}` },
    });
    await answer.body.dump();
    return { status: answer.statusCode, allow: answer.headers["allow"] };
  };
  const wanted = (host: SimulatedHost, version: number, network = "admin", extensionServices = false) => ({
    host: "host-1",
    version,
    network,
    tenant: null,
    interfaces: [...host.blueprint.networkInterfaces],
    extensionServices,
  });

  it("acknowledges every interface with the digest of what it applied, again and again until taken", async () => {
    const host = fleet.host("dell");
    fleet.server.refuseAcknowledgements = 3;
    expect(await put("host-1", wanted(host, 1, "tenant", true))).toBe(202);
    await until("both acknowledgements", () => fleet.server.acknowledgements.length === 2);
    expect(await put("host-1", wanted(host, 2))).toBe(202);
    await until("four acknowledgements", () => fleet.server.acknowledgements.length === 4);
    const sha256 = createHash("sha256")
      .update(canonicalize(wanted(host, 2)) ?? "")
      .digest("hex");
    const second = fleet.server.acknowledgements.slice(2);
    expect(second.map(({ interface: name }) => name).sort()).toEqual([...host.blueprint.networkInterfaces]);
    expect(
      second.every(
        (ack) =>
          ack.host === "host-1" &&
          ack.version === 2 &&
          ack.sha256 === sha256 &&
          ack.extensionServices === "terminated",
      ),
    ).toBe(true);
    expect(fleet.server.acknowledgements[0]?.extensionServices).toBe("running");
    expect(host.network).toBe("admin");
  });

  it("refuses what it must", async () => {
    const host = fleet.host("dell");
    expect(await put("host-1", wanted(host, 5), "another-token")).toBe(401);
    expect(await put("host-2", wanted(host, 5))).toBe(400);
    expect(await put("host-1", { ...wanted(host, 5), interfaces: ["nowhere"] })).toBe(404);
    expect(await put("host-1", wanted(host, 5))).toBe(202);
    expect(await put("host-1", wanted(host, 4))).toBe(409);
    expect(await put("host-1", wanted(host, 5, "quarantine"))).toBe(409);
    expect(await put("host-1", wanted(host, 5))).toBe(202);
  });

  it("answers as the fault says", async () => {
    const host = fleet.host("lenovo");
    for (const [answers, status] of [
      ["notFound", 404],
      ["unavailable", 503],
    ] as const) {
      host.script({ network: { answers } });
      expect(await put("host-1", wanted(host, 1))).toBe(status);
      expect(await ask("host-1")).toEqual({ status, allow: undefined });
    }
    host.script({ network: null });
    expect(await put("host-1", wanted(host, 1))).toBe(202);
    expect(await ask("host-1")).toEqual({ status: 204, allow: "OPTIONS, PUT" });
    expect(await ask("host-1", "another-token")).toMatchObject({ status: 401 });
  });

  it("never acknowledges where the fault says so", async () => {
    const host = fleet.host("lenovo");
    host.script({ network: { neverAck: true } });
    await put("host-1", wanted(host, 1, "admin"));
    await until("the network", () => host.network === "admin");
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(fleet.server.acknowledgements).toEqual([]);
    // The switch applies the quarantine, not the DPU.
    await put("host-1", wanted(host, 2, "quarantine"));
    await until("the quarantine", () => fleet.server.acknowledgements.length === 1);
  });
});

describe("the control interface", () => {
  it("is closed without its token, and tells what is not there", async () => {
    const answer = await request(`http://127.0.0.1:${fleet.simulator.port}/fleet`, {
      headers: { host: "control.localhost" },
    });
    await answer.body.dump();
    expect(answer.statusCode).toBe(401);
    const asHost = await request(`http://127.0.0.1:${fleet.simulator.port}/fleet`, {
      headers: { host: "control.localhost", authorization: `Bearer ${controlToken}` },
    });
    expect(asHost.statusCode).toBe(200);
    await asHost.body.dump();
    for (const [path, status] of [
      ["/fleet", 200],
      ["/counters", 401],
    ] as const) {
      const bySite = await request(`http://127.0.0.1:${fleet.simulator.port}${path}`, {
        headers: { host: "control.localhost", authorization: `Bearer ${networkToken}` },
      });
      await bySite.body.dump();
      expect(bySite.statusCode).toBe(status);
    }
    expect((await fleet.control("GET", "/hosts/nobody")).status).toBe(404);
    expect(
      (
        await fleet.control("POST", `/hosts/${fleet.host("dell").blueprint.serial}/faults`, {
          bmc: { mode: "moody" },
        })
      ).status,
    ).toBe(400);
    expect(
      (
        await fleet.control("POST", `/hosts/${fleet.host("dell").blueprint.serial}/faults`, {
          drives: { X: { vanish: true } },
        })
      ).status,
    ).toBe(400);
  });

  it("lists the fleet, the same for the same seed", async () => {
    const first = (await fleet.control("GET", "/fleet")).text;
    const other = await startFleet();
    const second = (await other.control("GET", "/fleet")).text;
    await other.close();
    expect(second.replaceAll(/localhost:\d+/g, "")).toBe(first.replaceAll(/localhost:\d+/g, ""));
    const { total, hosts } = z
      .object({
        total: z.number(),
        hosts: z.array(
          z.looseObject({ serial: z.string(), uuid: z.guid(), macs: z.array(z.string()), sku: z.string() }),
        ),
      })
      .parse(JSON.parse(first));
    expect([total, hosts.length, new Set(hosts.map(({ sku }) => sku)).size]).toEqual([5, 5, 3]);
    expect(new Set(hosts.flatMap(({ macs }) => macs)).size).toBe(hosts.flatMap(({ macs }) => macs).length);
  });

  it("sets and clears faults, replaces a drive, and fills drives again", async () => {
    const host = fleet.host("dell");
    const { serial } = host.blueprint;
    const old = host.drives[1]?.identity.serial ?? "";
    await fleet.control("POST", `/hosts/${serial}/faults`, {
      drives: { [old]: { replace: true } },
      agent: { neverRegister: true },
    });
    const replaced = host.drives[1]?.identity.serial ?? "";
    expect(replaced).not.toBe(old);
    const drives = "/redfish/v1/Systems/System.Embedded.1/Storage/CPU.1/Drives";
    expect((await fleet.redfish(host, "GET", `${drives}/Disk.Bay.1:Enclosure.Internal.0-1`)).text).toContain(
      `"${replaced}"`,
    );
    expect(host.faults.agent?.neverRegister).toBe(true);
    await fleet.control("DELETE", `/hosts/${serial}/faults`);
    expect(host.faults.agent).toBeNull();
    await fleet.control("POST", `/hosts/${serial}/tenant-data`);
    expect(host.drives.every((drive) => drive.holdsTenantData)).toBe(true);
    expect((await fleet.control("GET", "/counters")).text).toContain('"hosts":5');
    expect((await fleet.control("POST", `/hosts/${serial}/crash-agent`)).text).toBe('{"crashed":false}');
  });
});

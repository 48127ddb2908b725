// Hosts enrolled without serial and system UUID: what their BMC reports is learned, along with everything stored by that serial.
import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Controller } from "@/server/controller/loop/controller";
import { quietController } from "@/server/controller/system/testing/quiet-controller";
import { claimHosts } from "@/server/db/hot/host/claim";
import { createHotPool } from "@/server/db/hot/pool";
import { notifyWake, signalHosts } from "@/server/db/hot/signal";
import { nothingToWatch } from "@/server/domain/hosts/ready-watch/reading";
import { noPlatformFacts } from "@/server/domain/hosts/inventory/platform";
import type { HardwareType, SystemReading } from "@/server/hardware/interfaces";
import { until } from "@/server/testing/until";
import type { SeenCertificate } from "@/server/domain/hardware/certificate";
import { effectTargets } from "@/server/db/hot/hardware/targets";
import { confirmNames } from "@/server/usecases/hosts/names/confirm-names";
import { getNames } from "@/server/usecases/hosts/names/get-names";
import { confirmCertificate } from "@/server/usecases/hosts/enrolment/confirm-certificate";
import { createWorld, type World } from "@/server/usecases/testing/world";

const by = { personId: null, name: "test", requestId: "r" };
const limitMs = 180_000;
const mac = "02:00:00:00:00:01";

let world: World;
let pool: Pool;
let controller: Controller | null = null;
/** The certificate that the BMC shows. */
let shows: SeenCertificate | null;
/** What happens while the BMC is verified. */
let whileVerified: () => Promise<void>;
let tells: Map<string, { readonly serial: string; readonly uuid: string; readonly macs: readonly string[] }>;

beforeAll(async () => {
  world = await createWorld();
  pool = createHotPool(world.url, { max: 10 });
});
afterAll(async () => {
  await pool.end();
  await world.stop();
});
beforeEach(() => {
  tells = new Map();
  shows = null;
  whileVerified = async () => {};
});
afterEach(async () => {
  await controller?.stop();
  controller = null;
  await pool.query("TRUNCATE host, chassis_erase CASCADE");
});

function hardware(): ReadonlyMap<string, HardwareType> {
  const links = {
    system: "/s",
    manager: "/m",
    resetAction: "/r",
    resetTypes: [],
    bootTargets: [],
    sessions: null,
  };
  const system = (address: string): SystemReading => {
    const told = tells.get(address);
    if (told === undefined) throw new Error(`nothing answers at ${address}`);
    return {
      power: "on",
      bootOverride: { source: "none", enabled: false },
      manufacturer: "Test",
      model: "T1",
      resetMark: null,
      serial: told.serial,
      uuid: told.uuid,
    };
  };
  return new Map([
    [
      "redfish",
      {
        name: "redfish",
        power: {
          read: async ({ address }) => ({ ok: true, value: system(address) }),
          reset: async ({ address }) => ({ ok: true, value: system(address) }),
          restart: async ({ address }) => ({
            ok: true,
            value: { system: system(address), proof: "powerOff" as const },
          }),
        },
        management: { setBootOnce: async ({ address }) => ({ ok: true, value: system(address) }) },
        inventory: {
          certificate: async () => ({ ok: true, value: shows }),
          discover: async ({ address }) => ({ ok: true, value: { links, system: system(address) } }),
          collect: async ({ address }) => {
            await whileVerified();
            return {
              ok: true,
              value: {
                inventory: {
                  system: system(address),
                  storage: [],
                  unresolved: [],
                  macs: tells.get(address)?.macs ?? [],
                  firmware: [],
                  bios: null,
                  bmcSettings: null,
                  boot: null,
                  platform: noPlatformFacts,
                },
                leftOut: [],
              },
            };
          },
          storage: async ({ address }) => ({
            ok: true,
            value: { system: system(address), storage: [], unresolved: [], platform: noPlatformFacts },
          }),
          watch: async ({ address }) => ({
            ok: true,
            value: { system: system(address), watched: nothingToWatch },
          }),
        },
        steps: new Map(),
      },
    ],
  ]);
}

async function start(): Promise<void> {
  controller = quietController(world, pool, { hardware: hardware() });
  await controller.start();
}

/** A host enrolled with nothing but the address of its BMC. */
async function unknownHost(
  name: string,
  address: string | null = `http://${name}.localhost`,
): Promise<string> {
  const id = await world.host(name);
  await pool.query("DELETE FROM host WHERE id = $1", [id]);
  await pool.query(
    "INSERT INTO host (id, name, site_id, hardware_type, bmc_address, bmc_username, bmc_password) VALUES ($1, $2, $3, 'redfish', $4, 'root', $5)",
    [
      id,
      name,
      world.siteId,
      address,
      Buffer.from(world.backend.secrets.seal("secret", `host.bmc_password:${id}`)),
    ],
  );
  await pool.query("INSERT INTO host_run (host_id, site_id, name, state) VALUES ($1, $2, $3, 'Enroll')", [
    id,
    world.siteId,
    name,
  ]);
  return id;
}

async function manage(...hostIds: readonly string[]): Promise<void> {
  await signalHosts(
    pool,
    hostIds.map((hostId) => ({ hostId, kind: "manage", payload: { by } })),
  );
  await notifyWake(pool);
}

async function hostOf(hostId: string): Promise<{
  state: string;
  last_error: string | null;
  erasing: boolean;
  serial: string | null;
  system_uuid: string | null;
  network_interfaces: string[];
}> {
  const { rows } = await pool.query(
    "SELECT r.state, r.last_error, r.erasing, h.serial, h.system_uuid, h.network_interfaces FROM host_run r JOIN host h ON h.id = r.host_id WHERE h.id = $1",
    [hostId],
  );
  return rows[0];
}

const settled = (hostId: string) =>
  until(`host ${hostId} verified or back`, limitMs, async () => {
    const host = await hostOf(hostId);
    return host.state === "Manageable" || (host.state === "Enroll" && host.last_error !== null)
      ? host
      : JSON.stringify(host);
  });

describe("a certificate", () => {
  const certificate = (sha256: string): SeenCertificate => ({
    sha256,
    subject: "CN=idrac",
    issuer: "CN=idrac",
    validFrom: "2026-01-01T00:00:00.000Z",
    validTo: "2036-01-01T00:00:00.000Z",
    trusted: false,
    refusal: "DEPTH_ZERO_SELF_SIGNED_CERT",
  });
  const [first, second] = ["ab".repeat(32), "cd".repeat(32)];
  const stored = async (id: string) => {
    const { rows } = await pool.query(
      "SELECT bmc_certificate AS pin, certificate_seen ->> 'sha256' AS seen FROM host WHERE id = $1",
      [id],
    );
    return rows[0];
  };
  const confirm = (hostId: string, sha256: string) =>
    confirmCertificate(world.backend, world.actor("operator"), world.request(), { hostId, sha256 });

  it("that nobody vouches for stops the host until a person confirms it; another one stops it again", async () => {
    const id = await unknownHost("tls");
    tells.set("http://tls.localhost", { serial: "S-TLS", uuid: randomUUID(), macs: [mac] });
    shows = certificate(first);
    await start();
    await manage(id);
    expect(await settled(id)).toMatchObject({
      state: "Enroll",
      serial: null,
      last_error: expect.stringMatching(
        /^the BMC's certificate is not issued by a trusted authority.* presented SHA-256 AB:AB/,
      ),
    });
    expect(await stored(id)).toEqual({ pin: null, seen: first });
    expect(await confirm(id, second)).toMatchObject({ problem: { code: "conflict", field: "sha256" } });

    shows = certificate(second);
    expect(await confirm(id, first)).toMatchObject({ ok: true });
    await until("the other certificate", limitMs, async () => {
      const found = await hostOf(id);
      return (
        found.last_error?.includes("a certificate other than the pinned one") === true ||
        String(found.last_error)
      );
    });
    expect(await stored(id)).toEqual({ pin: first, seen: second });
    expect(await confirm(id, second)).toMatchObject({ ok: true });
    await until("Manageable", limitMs, async () => {
      const { state } = await hostOf(id);
      return state === "Manageable" || state;
    });
    expect(await stored(id)).toEqual({ pin: second, seen: second });
  });

  it("is believed at first contact where the enrolment says so, and is the only one from then on", async () => {
    const id = await unknownHost("first");
    await pool.query("UPDATE host SET first_contact_accepted = true WHERE id = $1", [id]);
    tells.set("http://first.localhost", { serial: "S-1ST", uuid: randomUUID(), macs: [mac] });
    shows = certificate(first);
    await start();
    await manage(id);
    expect(await settled(id)).toMatchObject({ state: "Manageable", serial: "S-1ST" });
    expect(await stored(id)).toEqual({ pin: first, seen: first });
    const { rows } = await pool.query("SELECT first_contact_accepted FROM host WHERE id = $1", [id]);
    expect(rows).toEqual([{ first_contact_accepted: false }]);
  });

  it("that a person pinned while the host was verified stays; one of a host that is refused is pinned by nobody", async () => {
    const id = await unknownHost("late");
    await pool.query("UPDATE host SET first_contact_accepted = true WHERE id = $1", [id]);
    shows = certificate(first);
    tells.set("http://late.localhost", { serial: " ", uuid: randomUUID(), macs: [mac] });
    await start();
    await manage(id);
    expect(await settled(id)).toMatchObject({ state: "Enroll" });
    expect(await stored(id)).toEqual({ pin: null, seen: first });

    await controller?.stop();
    controller = null;
    tells.set("http://late.localhost", { serial: "S-LATE", uuid: randomUUID(), macs: [mac] });
    whileVerified = async () => {
      await pool.query("UPDATE host SET bmc_certificate = $2 WHERE id = $1", [id, second]);
    };
    await start();
    await pool.query("UPDATE host_run SET last_error = NULL WHERE host_id = $1", [id]);
    await manage(id);
    expect(await settled(id)).toMatchObject({ state: "Manageable" });
    expect(await stored(id)).toEqual({ pin: second, seen: first });
  });
});

describe("a machine that its BMC calls by other names", () => {
  const namesOf = async (hostId: string) => {
    const found = await getNames(world.backend, world.actor("operator"), { hostId });
    if (!found.ok) throw new Error(found.problem.detail);
    return found.value;
  };
  const verifiedAs = async (name: string, serial: string) => {
    const [id, uuid] = [await unknownHost(name), randomUUID()];
    tells.set(`http://${name}.localhost`, { serial, uuid, macs: [mac] });
    if (controller === null) await start();
    await manage(id);
    expect(await settled(id)).toMatchObject({ state: "Manageable", serial });
    return { id, uuid };
  };
  /** Reads the inventory again, and returns why it was refused; null: it was not. */
  const inspected = async (hostId: string): Promise<string | null> => {
    await pool.query("UPDATE host_run SET context = context - 'inspection' WHERE host_id = $1", [hostId]);
    await signalHosts(pool, [{ hostId, kind: "inspect", payload: { by } }]);
    await notifyWake(pool);
    return until("the inspection", limitMs, async () => {
      const { rows } = await pool.query(
        "SELECT context #>> '{inspection,message}' AS message, context #>> '{inspection,readAt}' AS read_at FROM host_run WHERE host_id = $1",
        [hostId],
      );
      const { message, read_at: readAt } = rows[0];
      return message === null && readAt === null ? "under way" : { message };
    }).then(({ message }) => message);
  };

  it("is the host's once a person has confirmed them, and no other host's from then on", async () => {
    const { id, uuid } = await verifiedAs("bios", "S-BIOS");
    const renamed = randomUUID();
    tells.set("http://bios.localhost", { serial: "S-BIOS-2", uuid: renamed, macs: [mac] });
    expect(await inspected(id)).toContain("S-BIOS-2");
    const seen = await namesOf(id);
    expect(seen).toMatchObject({
      refusal: null,
      pending: [{ source: "bmc", agrees: [{ kind: "mac", value: mac }] }],
    });
    expect(seen.pending[0]?.names.map(({ value }) => value).sort()).toEqual(["S-BIOS-2", renamed].sort());
    expect(
      await confirmNames(world.backend, world.actor("operator"), world.request(), {
        ...{ hostId: id, evidence: seen.evidence, reason: "BIOS 2.4" },
      }),
    ).toMatchObject({ ok: true });
    expect(await inspected(id)).toBeNull();
    const [target] = (await effectTargets(pool, [id])).values();
    expect(target?.confirmed).toEqual({ serials: ["S-BIOS-2"], systemUuids: [renamed] });
    expect(await hostOf(id)).toMatchObject({ serial: "S-BIOS", system_uuid: uuid });

    const other = await unknownHost("late-comer");
    tells.set("http://late-comer.localhost", { serial: "S-BIOS-2", uuid: randomUUID(), macs: [mac] });
    await manage(other);
    expect(await settled(other)).toMatchObject({
      state: "Enroll",
      last_error: "the BMC reports serial S-BIOS-2, which belongs to host bios",
    });
  });

  it("goes by what the BMC told: names that only the agent told do not count for it", async () => {
    const { id, uuid } = await verifiedAs("dmi", "S-DMI");
    await pool.query(
      "INSERT INTO host_name (host_id, source, kind, value, confirmed_at, confirmed_by, reason) VALUES ($1, 'agent', 'serial', 'S-AGENT', now(), 'op', 'x'), ($1, 'bmc', 'serial', 'S-TOLD', NULL, NULL, NULL)",
      [id],
    );
    const [target] = (await effectTargets(pool, [id])).values();
    expect(target?.confirmed).toEqual({ serials: [], systemUuids: [] });
    for (const serial of ["S-AGENT", "S-TOLD"]) {
      tells.set("http://dmi.localhost", { serial, uuid, macs: [mac] });
      expect(await inspected(id)).toContain(serial);
    }
  });
});

describe("a serial that is learned", () => {
  it("brings its debt and its erase, and the BMC's NICs become ports", async () => {
    const [id, uuid] = [await unknownHost("a"), randomUUID()];
    tells.set("http://a.localhost", { serial: "S-OWES", uuid: uuid.toUpperCase(), macs: [mac] });
    await pool.query("INSERT INTO debt (id, chassis_serial, drive_serials) VALUES ($1, 'S-OWES', '{D1}')", [
      randomUUID(),
    ]);
    await pool.query(
      "INSERT INTO chassis_erase (chassis_serial, erase_until) VALUES ('S-OWES', now() + interval '1 hour')",
    );
    await start();
    await manage(id);
    expect(await settled(id)).toEqual({
      state: "Manageable",
      last_error: null,
      erasing: true,
      serial: "S-OWES",
      system_uuid: uuid,
      network_interfaces: [mac],
    });
    expect((await pool.query("SELECT address FROM node_port WHERE host_id = $1", [id])).rows).toEqual([
      { address: mac },
    ]);
    await controller?.stop();
    await pool.query("UPDATE host_run SET due_at = now() - interval '1 second' WHERE host_id = $1", [id]);
    const [claim] = await claimHosts(pool, randomUUID(), 1, 60_000);
    expect(claim).toMatchObject({
      ok: true,
      view: {
        run: { erasing: true, context: { eraseUntil: expect.any(String) } },
        debts: { count: 1, driveSerials: ["D1"] },
        told: null,
      },
    });
  });

  it("brings no MAC address whose port belongs to another host, neither as a name nor as an interface", async () => {
    const [owner, id] = [await world.host("owner"), await unknownHost("usb")];
    const shared = "02:00:00:00:00:77";
    await pool.query("INSERT INTO node_port (id, host_id, address) VALUES ($1, $2, $3)", [
      randomUUID(),
      owner,
      shared,
    ]);
    tells.set("http://usb.localhost", { serial: "S-USB", uuid: randomUUID(), macs: [shared, mac] });
    await start();
    await manage(id);
    expect(await settled(id)).toMatchObject({ state: "Manageable", network_interfaces: [mac] });
    expect((await pool.query("SELECT macs FROM host WHERE id = $1", [id])).rows).toEqual([{ macs: [mac] }]);
    expect((await pool.query("SELECT address FROM node_port WHERE host_id = $1", [id])).rows).toEqual([
      { address: mac },
    ]);
  });

  it("of a host that is known already leads back to Enroll, which says whose it is", async () => {
    const [known, id] = [await world.host("known"), await unknownHost("b")];
    tells.set("http://b.localhost", { serial: "SN-known", uuid: randomUUID(), macs: [mac] });
    await start();
    await manage(id);
    expect(await settled(id)).toMatchObject({
      state: "Enroll",
      serial: null,
      last_error: "the BMC reports serial SN-known, which belongs to host known",
    });
    const {
      rows: [row],
    } = await pool.query("SELECT system_uuid FROM host WHERE id = $1", [known]);
    tells.set("http://b.localhost", { serial: "S-B", uuid: row.system_uuid, macs: [mac] });
    await pool.query("UPDATE host_run SET last_error = NULL WHERE host_id = $1", [id]);
    await manage(id);
    expect(await settled(id)).toMatchObject({
      state: "Enroll",
      last_error: expect.stringMatching(/belongs to host known/),
    });
  });

  it("by two hosts in the same moment is the first one's", async () => {
    const ids = [await unknownHost("c"), await unknownHost("d")];
    for (const name of ["c", "d"])
      tells.set(`http://${name}.localhost`, {
        serial: "S-TWICE",
        uuid: "4c4c4544-0031-4810-8031-b1c04f443033",
        macs: [mac],
      });
    await start();
    await manage(...ids);
    await until("both settled", limitMs, async () => {
      // A host that the database refused is looked at again after 30 s; here at once.
      await pool.query(
        "UPDATE host_run SET due_at = now() WHERE lease_owner IS NULL AND due_at > now() AND state = 'Verifying'",
      );
      await notifyWake(pool);
      const hosts = await Promise.all(ids.map(hostOf));
      // A host that was not looked at yet is also in `Enroll`, but without an error.
      const isSettled =
        hosts.some(({ state }) => state === "Manageable") &&
        hosts.some(({ state, last_error }) => state === "Enroll" && last_error !== null);
      return isSettled || JSON.stringify(hosts);
    });
    const refused = (await Promise.all(ids.map(hostOf))).find(({ state }) => state === "Enroll");
    expect(refused).toMatchObject({
      serial: null,
      last_error: expect.stringMatching(/^the BMC reports serial S-TWICE, which belongs to host [cd]$/),
    });
  });
});

it("a host without a BMC cannot be verified, and says what is missing", async () => {
  const id = await unknownHost("e", null);
  await pool.query("UPDATE host SET bmc_password = NULL WHERE id = $1", [id]);
  await start();
  await manage(id);
  expect(await settled(id)).toMatchObject({
    state: "Enroll",
    last_error: "the BMC cannot be reached: redfish_address, redfish_password not given",
  });
});

describe("the database itself", () => {
  it("lets no host past Verifying without serial and system UUID", async () => {
    const id = await unknownHost("f");
    await expect(
      pool.query("UPDATE host_run SET state = 'Manageable' WHERE host_id = $1", [id]),
    ).rejects.toThrow(/its serial or its system UUID is not known/);
    await pool.query("UPDATE host_run SET state = 'Verifying' WHERE host_id = $1", [id]);
    await expect(
      pool.query("UPDATE host_run SET state = 'WaitingForCleanup/Queued' WHERE host_id = $1", [id]),
    ).rejects.toThrow(/is not known/);
    await pool.query("UPDATE host_run SET state = 'ForceDeletion' WHERE host_id = $1", [id]);
  });

  it("keeps what a host is", async () => {
    const id = await world.host("g");
    await expect(pool.query("UPDATE host SET serial = 'other' WHERE id = $1", [id])).rejects.toThrow(
      /do not change/,
    );
    await expect(pool.query("UPDATE host SET system_uuid = NULL WHERE id = $1", [id])).rejects.toThrow(
      /do not change/,
    );
  });
});

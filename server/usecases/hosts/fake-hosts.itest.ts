// What the database itself refuses for hosts without a machine, whoever writes (docs/adr/0015-fake-hardware.md).
import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { defaultPolicy } from "@/server/domain/cleaning/policy/policy";
import { gateNames } from "@/server/domain/reclamations/gates/gate-names";
import { fakeIsOff } from "@/server/domain/hosts/fake/fake-type";
import { createHotPool } from "@/server/db/hot/pool";
import { wakeFakeHosts } from "@/server/db/hot/fleet/fake-hosts";
import { enrollHosts } from "@/server/usecases/hosts/acts/enroll-hosts";
import { fakeHostColumns, mayEnrollFake } from "@/server/usecases/hosts/fake-hosts";
import { createWorld, hostToEnroll } from "@/server/usecases/testing/world";
import type { World } from "@/server/usecases/testing/world";

let world: World;
let pool: ReturnType<typeof createHotPool>;
let fake: string;
let machine: string;

beforeAll(async () => {
  world = await createWorld(randomBytes(32));
  pool = createHotPool(world.url, { max: 2 });
});
afterAll(async () => {
  await pool.end();
  await world.stop();
});
beforeEach(async () => {
  fake = await world.fakeHost();
  machine = await world.host();
});

const serialOf = async (hostId: string): Promise<string> =>
  (await pool.query("SELECT serial FROM host WHERE id = $1", [hostId])).rows[0].serial;

async function reclamationOf(hostId: string, gate: string): Promise<string> {
  const id = randomUUID();
  await pool.query(
    "INSERT INTO reclamation (id, host_id, host_serial, kind, policy_version, policy) VALUES ($1, $2, $3, 'onboarding', 1, $4)",
    [id, hostId, await serialOf(hostId), JSON.stringify(defaultPolicy())],
  );
  for (const name of gateNames)
    await pool.query(
      "INSERT INTO gate (reclamation_id, gate, status, reason, evidence, generation, evidence_seq) VALUES ($1, $2, $3, '', '{}', 1, 1)",
      [id, name, name === "healthy" ? gate : "satisfied"],
    );
  await pool.query("UPDATE host_run SET reclamation_id = $2 WHERE host_id = $1", [hostId, id]);
  return id;
}

describe("the identity of a host", () => {
  it.each([
    ["a machine", "a fake host's serial", "redfish", () => `fake-${randomUUID()}`, null],
    ["a fake host", "a machine's serial", "fake", () => "CZ1234", null],
    ["a fake host", "another fake host's serial", "fake", () => `fake-${randomUUID()}`, null],
    ["a fake host", "another system UUID", "fake", () => null, randomUUID()],
  ])("of %s is never %s", async (_who, _what, type, serial, systemUuid) => {
    const insert = pool.query(
      "INSERT INTO host (id, name, site_id, hardware_type, serial, system_uuid) VALUES (gen_random_uuid(), $1, $2, $3, $4, $5)",
      [randomUUID(), world.siteId, type, serial(), systemUuid],
    );
    await expect(insert).rejects.toThrow(/host_fake_identity/);
  });

  it.each([
    [
      "fake",
      () =>
        pool.query("UPDATE host SET hardware_type = 'fake', serial = $2, system_uuid = id WHERE id = $1", [
          machine,
          `fake-${machine}`,
        ]),
    ],
    [
      "fake before its serial is known",
      async () => {
        const id = randomUUID();
        await pool.query(
          "INSERT INTO host (id, name, site_id, hardware_type) VALUES ($1, $2, $3, 'redfish')",
          [id, id, world.siteId],
        );
        await pool.query("UPDATE host SET hardware_type = 'fake' WHERE id = $1", [id]);
      },
    ],
    [
      "that of a machine",
      () => pool.query("UPDATE host SET hardware_type = 'redfish' WHERE id = $1", [fake]),
    ],
  ])("never becomes %s", async (_what, change) => {
    await expect(change()).rejects.toThrow(/cannot change its hardware type|do not change/);
  });

  it("lets a machine have another hardware type", async () => {
    await pool.query("UPDATE host SET hardware_type = 'idrac' WHERE id = $1", [machine]);
  });
});

describe("a gate that is not required because the hardware is fake", () => {
  const ready = (hostId: string) =>
    pool.query("UPDATE host_run SET state = 'Ready' WHERE host_id = $1", [hostId]);

  it("lets a fake host be Ready", async () => {
    await reclamationOf(fake, "not required: fake hardware");
    await ready(fake);
  });

  it("never lets a machine, on a demo site neither", async () => {
    await reclamationOf(machine, "not required: fake hardware");
    await expect(ready(machine)).rejects.toThrow(/cannot be Ready: healthy not required: fake hardware/);
  });

  it("does not help a fake host that owes something", async () => {
    await reclamationOf(fake, "not required: fake hardware");
    await pool.query(
      "INSERT INTO debt (id, chassis_serial, drive_serials) VALUES (gen_random_uuid(), $1, '{}')",
      [await serialOf(fake)],
    );
    await expect(ready(fake)).rejects.toThrow(/owes a sanitization/);
  });
});

describe("a debt", () => {
  const owed = async (serial: string) =>
    (
      await pool.query<{ id: string }>(
        "INSERT INTO debt (id, chassis_serial, drive_serials) VALUES (gen_random_uuid(), $1, '{}') RETURNING id",
        [serial],
      )
    ).rows[0]?.id;
  const clear = (id: string | undefined, by: string) =>
    pool.query("UPDATE debt SET cleared_at = now(), cleared_by = $2, cleared_note = '' WHERE id = $1", [
      id,
      by,
    ]);

  it.each([
    ["a machine's", () => serialOf(machine)],
    ["its own", () => serialOf(fake)],
  ])("is not cleared by a fake host, %s", async (_whose, serial) => {
    await expect(clear(await owed(await serial()), await reclamationOf(fake, "satisfied"))).rejects.toThrow(
      /cannot be cleared by a fake host/,
    );
  });

  it("is cleared by a machine", async () => {
    await clear(await owed(await serialOf(machine)), await reclamationOf(machine, "satisfied"));
  });
});

describe("enrolling", () => {
  it("a fake host is refused unless they are switched on", () => {
    expect(mayEnrollFake({ fakeHardware: true })).toEqual({ ok: true, value: null });
    expect(mayEnrollFake({ fakeHardware: false })).toMatchObject({
      ok: false,
      problem: { code: "notAllowedNow", detail: `No host can be enrolled: ${fakeIsOff}.` },
    });
  });

  it("a machine's serial and BMC cannot come with the type fake, whether they are switched on or not", async () => {
    for (const fakeHardware of [true, false]) {
      const enrolled = await enrollHosts(
        { ...world.backend, fakeHardware },
        world.actor("provider-admin"),
        world.request(),
        { siteId: world.siteId, hosts: [hostToEnroll(`h-${randomUUID()}`, { hardwareType: "fake" })] },
      );
      expect(enrolled).toMatchObject({
        ok: false,
        problem: { code: "invalid", field: "hosts.0.hardwareType" },
      });
    }
  });

  it("gives each an identity of its own", () => {
    const id = randomUUID();
    expect(fakeHostColumns(id)).toEqual({
      serial: `fake-${id}`,
      systemUuid: id,
      hardwareType: "fake",
      networkInterfaces: [],
    });
  });
});

it("a controller that starts wakes those that must go on, or stop", async () => {
  await pool.query("UPDATE host_run SET due_at = NULL, wait_reason = NULL");
  const due = async () =>
    (await pool.query<{ host_id: string }>("SELECT host_id FROM host_run WHERE due_at <= now()")).rows.map(
      ({ host_id }) => host_id,
    );
  expect(await wakeFakeHosts(pool, true)).toBe(0);
  await pool.query("UPDATE host_run SET wait_reason = $2 WHERE host_id = $1", [fake, fakeIsOff]);
  expect(await wakeFakeHosts(pool, true)).toBe(1);
  expect(await due()).toEqual([fake]);
  await pool.query("UPDATE host_run SET due_at = NULL");
  await wakeFakeHosts(pool, false);
  expect(await due()).not.toContain(fake);
  expect(await due()).not.toContain(machine);
});

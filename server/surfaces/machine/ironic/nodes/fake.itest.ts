// Nodes with driver fake-hardware in the Ironic API: they have an identity of their own, and cannot become real ones.
import { describe, expect, it } from "vitest";
import { ironicCaller } from "@/server/surfaces/machine/ironic/testing/ironic-caller";
import { machineServer } from "@/server/surfaces/machine/testing/file-fixture";
import { fingerprint } from "@/server/surfaces/machine/testing/machine-rows";

const fixture = machineServer({ fakeHardware: true });
const { call } = ironicCaller(fixture, "provider-admin", 78);

const rowOf = async (id: string) =>
  (
    await fixture.query(
      "SELECT hardware_type, serial, system_uuid, network_interfaces, bmc_address FROM host WHERE id = $1",
      [id],
    )
  )[0];

async function create(driver: string): Promise<string> {
  const answer = await call("POST", "/v1/nodes", { driver });
  expect(answer.status, answer.text).toBe(201);
  return String(answer.body.uuid);
}

describe("a node with driver fake-hardware", () => {
  it("is known by its own id from the beginning, and shown as what it is", async () => {
    const uuid = await create("fake-hardware");
    expect(await rowOf(uuid)).toEqual({
      hardware_type: "fake",
      serial: `fake-${uuid}`,
      system_uuid: uuid,
      network_interfaces: [],
      bmc_address: null,
    });
    expect((await call("GET", `/v1/nodes/${uuid}`)).body).toMatchObject({
      driver: "fake-hardware",
      provision_state: "enroll",
      power_interface: "fake",
    });
    expect((await call("GET", "/v1/nodes?driver=fake-hardware&fields=uuid,driver")).body).toMatchObject({
      nodes: [{ uuid, driver: "fake-hardware" }],
    });
    expect((await call("DELETE", `/v1/nodes/${uuid}`)).status).toBe(204);
  });

  it.each([
    ["fake-hardware", "redfish"],
    ["redfish", "fake-hardware"],
  ])("that was made with %s does not become %s", async (from, to) => {
    const uuid = await create(from);
    const before = [await fingerprint(fixture), await rowOf(uuid)];
    const answer = await call("PATCH", `/v1/nodes/${uuid}`, [{ op: "replace", path: "/driver", value: to }]);
    expect([answer.status, answer.text]).toEqual([
      409,
      expect.stringContaining("no machine becomes fake hardware"),
    ]);
    expect([await fingerprint(fixture), await rowOf(uuid)]).toEqual(before);
  });

  it("offers every step, of which two run by themselves, once it is manageable", async () => {
    const uuid = await create("fake-hardware");
    expect((await call("GET", `/v1/nodes/${uuid}/cleaning/steps`)).status).toBe(202);
    await fixture.query(
      "INSERT INTO host_inventory (host_id, source, body) VALUES ($1, 'bmc', '{\"storage\": []}')",
      [uuid],
    );
    const answer = await call("GET", `/v1/nodes/${uuid}/cleaning/steps?min_priority=1`);
    expect([
      answer.status,
      JSON.parse(answer.text).map(({ step, priority }: { step: string; priority: number }) => [
        step,
        priority,
      ]),
    ]).toEqual([
      200,
      [
        ["erase_devices_metadata", 99],
        ["erase_devices", 10],
      ],
    ]);
  });

  it("may be renamed like any other", async () => {
    const uuid = await create("fake-hardware");
    expect(
      (await call("PATCH", `/v1/nodes/${uuid}`, [{ op: "add", path: "/name", value: "of-fake" }])).status,
    ).toBe(200);
  });
});

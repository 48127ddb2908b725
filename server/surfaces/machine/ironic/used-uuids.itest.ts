// UUIDs of nodes: any 128 bits, including those of deleted nodes, without anything that the deleted ones left behind.
import { expect, it } from "vitest";
import { ironicCaller } from "@/server/surfaces/machine/ironic/testing/ironic-caller";
import { machineServer } from "@/server/surfaces/machine/testing/file-fixture";

const fixture = machineServer();
const { call } = ironicCaller(fixture, "provider-admin", 78);

it("takes every UUID of hexadecimal digits, whatever its version, and one of a node that was deleted", async () => {
  const uuid = "11111111-2222-3333-4444-555555555555";
  for (const round of [1, 2]) {
    expect(
      await call("POST", "/v1/nodes", { driver: "redfish", uuid, name: `again-${round}` }),
    ).toMatchObject({
      status: 201,
      body: { uuid, name: `again-${round}` },
    });
    expect((await call("GET", `/v1/nodes/${uuid}`)).body.provision_state).toBe("enroll");
    expect((await call("GET", `/v1/nodes?marker=${uuid}`)).status).toBe(200);
    expect((await call("DELETE", `/v1/nodes/${uuid}`)).status).toBe(204);
  }
  // What an agent and a controller left behind for the first does not belong to the second.
  await fixture.query(
    `INSERT INTO agent_session (host_id, boot_epoch, token_hash, identity, agent_version, hardware_managers, expires_at)
     VALUES ($1, 7, sha256('old'), '{}', '0.2.0', '[]', now() + interval '1 hour')`,
    [uuid],
  );
  await fixture.query(
    "INSERT INTO effect (id, host_id, generation, kind, request, request_hash) VALUES (gen_random_uuid(), $1, 41, 'bmc.power', '{}', 'x')",
    [uuid],
  );
  expect((await call("POST", "/v1/nodes", { driver: "redfish", uuid, name: "again-3" })).status).toBe(201);
  expect(
    await fixture.query("SELECT boot_epoch, generation FROM host_run WHERE host_id = $1", [uuid]),
  ).toMatchObject([{ boot_epoch: 8, generation: 42n }]);
  expect((await call("DELETE", `/v1/nodes/${uuid}`)).status).toBe(204);
  // The history of the first is still there, and the history of the second follows it.
  const rows = await fixture.query<{ version: string; state: string }>(
    "SELECT version, state FROM state_history WHERE host_id = $1 ORDER BY version",
    [uuid],
  );
  expect(rows.map(({ state }) => state)).toEqual(
    Array.from({ length: 3 }, () => ["Enroll", "ForceDeletion"]).flat(),
  );
});

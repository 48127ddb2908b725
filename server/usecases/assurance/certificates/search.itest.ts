// Finding certificates: by host, tenant, instance, standing and time, with names; a tenant finds only its own. And what a host's audit includes.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { audit } from "@/server/contract/audit-log/audit-log";
import { certificates } from "@/server/contract/assurance/certificates";
import { writeAudit } from "@/server/db/audit";
import { systemEvent } from "@/server/db/testing/system-event";
import { listAudit } from "@/server/usecases/audit-log/list-audit";
import { listCertificates } from "@/server/usecases/assurance/certificates/certificates";
import type { Actor } from "@/server/usecases/actor";
import type { Outcome } from "@/server/usecases/problem";
import { createWorld } from "@/server/usecases/testing/world";
import type { World } from "@/server/usecases/testing/world";

let world: World;
let hostId: string;
let instanceId: string;
let reclamationId: string;
beforeAll(async () => {
  world = await createWorld();
  hostId = await world.host("gpu-1");
  const { database } = world.backend;
  const tenantId = world.tenants.acme;
  instanceId = randomUUID();
  await database.instance.create({
    data: { id: instanceId, name: "train-1", hostId, tenantId, endedAt: new Date() },
  });
  reclamationId = randomUUID();
  await database.reclamation.create({
    data: {
      id: reclamationId,
      hostId,
      hostSerial: "SN-gpu-1",
      instanceId,
      tenantId,
      kind: "release",
      policyVersion: 1,
      policy: {},
      planEpoch: 1,
      endedAt: new Date(),
      outcome: "ready",
      standing: "notProven",
    },
  });
  const one = {
    id: "",
    reclamationId,
    hostId,
    statement: "{}",
    sha256: "0".repeat(64),
    type: "nonConformance",
  };
  await database.certificate.createMany({
    data: [
      { ...one, id: randomUUID(), kind: "certificate" },
      { ...one, id: randomUUID(), kind: "receipt", type: "receipt", tenantId, instanceId },
    ],
  });
});
afterAll(() => world.stop());

function must<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(outcome.problem.detail);
  return outcome.value;
}
const found = async (query: object, actor: Actor = world.actor("operator")) =>
  must(await listCertificates(world.backend, actor, certificates.list.input.parse(query))).rows;

it.each([
  ["host", "gpu-1", "gpu-2"],
  ["host", "SN-gpu-1", "SN-gpu-2"],
  ["instance", "train-1", "train-2"],
  ["standing", "notProven", "notSanitized"],
  ["since", "2020-01-01T00:00:00Z", "2100-01-01T00:00:00Z"],
  ["until", "2100-01-01T00:00:00Z", "2020-01-01T00:00:00Z"],
])("is found by %s %s, and not by %s", async (name, right, wrong) => {
  expect(await found({ [name]: right })).toHaveLength(2);
  expect(await found({ [name]: wrong })).toHaveLength(0);
});

it("names instance and tenant to the provider, and the instance to the tenant that had it", async () => {
  const [row] = await found({ host: "gpu-1" });
  expect(row).toMatchObject({ host: "gpu-1", instance: "train-1", instanceId });
  expect(row?.tenant).not.toBeNull();
  expect(row?.standing).toBe("notProven");
  expect(row?.number).toMatch(/^R-\d+$/);
  const acme = world.actor("tenant-admin", "acme");
  expect(await found({ instance: "train-1" }, acme)).toMatchObject([
    { kind: "receipt", instance: "train-1", host: null, tenant: null, number: null },
  ]);
  expect(await found({ host: "gpu-1" }, acme)).toEqual([]);
  expect(await found({}, world.actor("tenant-admin", "vela"))).toEqual([]);
});

it("the audit of a host includes the release of its instance, and the certificate", async () => {
  const event = { ...systemEvent, after: null };
  await writeAudit(
    world.backend.database,
    { ...event, action: "instance.release", targetId: instanceId },
    { ...event, action: "certificate.issue", targetId: reclamationId },
    { ...event, action: "instance.release", targetId: randomUUID() },
  );
  const query = audit.list.input.parse({ targetId: hostId });
  const { rows } = must(await listAudit(world.backend, world.actor("auditor"), query));
  const targets = rows.map(({ action, targetName }) => [action, targetName]).sort();
  expect(targets).toEqual([
    ["certificate.issue", expect.stringMatching(/^R-\d+$/)],
    ["instance.release", expect.stringMatching(/^[a-z]/)],
  ]);
});

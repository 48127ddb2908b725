// Changed parts of a host: what people may accept, and which statements a claim shows to the controller.
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { hashPassword } from "@/server/db/secrets/passwords";
import { knownOf } from "@/server/domain/hosts/parts/changes";
import { gpu, report } from "@/server/domain/hosts/parts/testing/parts";
import type { Part } from "@/server/domain/hosts/parts/part";
import { acceptParts } from "@/server/usecases/hosts/parts/accept-parts";
import { getParts } from "@/server/usecases/hosts/parts/get-parts";
import { localActor } from "@/server/usecases/actor";
import { decideApprovals } from "@/server/usecases/assurance/approvals/decide-approvals";
import { listApprovals } from "@/server/usecases/assurance/approvals/list-approvals";
import { createWorld } from "@/server/usecases/testing/world";
import type { World } from "@/server/usecases/testing/world";
import type { Role } from "@/server/domain/access/roles";

const password = "fourteen gates";
const first = gpu("0000:17:00.0", "G1");
let world: World;
let hostId = "";
let hosts = 0;

beforeAll(async () => {
  world = await createWorld();
  await world.backend.database.person.updateMany({ data: { passwordHash: await hashPassword(password) } });
});
afterAll(() => world.stop());

const reportParts = (parts: readonly Part[]) => {
  const body = {
    system: { manufacturer: "M", product: "P", serial: "S", uuid: hostId },
    ...{ cpus: [], memoryBytes: "1", storage: [], nics: [], infiniband: [], parts: report(parts) },
  };
  return world.backend.database.hostInventory.upsert({
    where: { hostId_source: { hostId, source: "agent" } },
    create: { hostId, source: "agent", body },
    update: { body },
  });
};

/** A host that had one GPU and reports another one in its slot. */
beforeEach(async () => {
  hosts += 1;
  hostId = await world.host(`swapped-${hosts}`);
  await world.put(hostId, "BomValidating/SkuVerificationFailed");
  await world.backend.database.hostParts.create({
    data: { hostId, bootEpoch: 1, known: knownOf(report([first])) },
  });
  await reportParts([gpu("0000:17:00.0", "G2")]);
});

const view = async () => {
  const outcome = await getParts(world.backend, world.actor("operator"), { hostId });
  if (!outcome.ok) throw new Error(outcome.problem.detail);
  return outcome.value;
};

const accept = async (evidence?: string, actor = world.actor("operator")) => {
  const seen = evidence ?? (await view()).evidence;
  const input = { hostId, evidence: seen, reason: "RMA 1" };
  return acceptParts(world.backend, actor, world.request(), input);
};

const refusal = async (...given: Parameters<typeof accept>) => {
  const outcome = await accept(...given);
  return outcome.ok ? null : outcome.problem.detail;
};

it("are listed with both serial numbers, wait for another person, and are told once", async () => {
  expect((await view()).changes).toMatchObject([
    { what: "swapped", before: { serial: "G1" }, now: { serial: "G2" } },
  ]);
  expect(await accept()).toMatchObject({ ok: true, value: { waits: true } });
  expect(await accept()).toMatchObject({ ok: true, value: { waits: true } });
  expect((await view()).statements).toMatchObject([{ status: "waits", reason: "RMA 1" }]);
  const asked = await listApprovals(world.backend, world.actor("operator"), {
    ...{ kind: null, all: false, decided: false, hostId, cursor: null, limit: 10 },
  });
  expect(asked).toMatchObject({
    ok: true,
    value: {
      items: [
        {
          kind: "disposition",
          subject: expect.stringMatching(/^parts: GPU in slot .*serial G1 .*serial G2/),
        },
      ],
    },
  });
});

it("are refused if nothing changed, if they changed again, where the host is at work, and to nobody in particular", async () => {
  const { evidence } = await view();
  await reportParts([gpu("0000:17:00.0", "G3")]);
  expect(await refusal(evidence)).toContain("changed again");
  await reportParts([first]);
  expect(await refusal()).toContain("No part of this host has changed");
  await reportParts([gpu("0000:17:00.0", "G2")]);
  expect(await refusal(undefined, localActor)).toContain("two people");
  expect(await refusal(undefined, world.actor("auditor"))).toContain("may not");
  await world.put(hostId, "WaitingForCleanup/HostCleanup");
  expect(await refusal()).toContain("cannot be accepted in WaitingForCleanup/HostCleanup");
});

it("no host is Ready past a SKU with parts that nobody compared", async () => {
  const { database } = world.backend;
  const sku = await database.sku.create({
    data: { name: `with parts ${hosts}`, components: { parts: { gpu: [] } } },
  });
  const spare = await world.host(`spare-${hosts}`);
  await database.host.update({ where: { id: spare }, data: { skuId: sku.id } });
  await expect(world.put(spare, "Ready")).rejects.toThrow(/the parts that its SKU names were not compared/);
});

it("are signed by another person, which wakes the host; what was stated never changes", async () => {
  await accept();
  const { database } = world.backend;
  const run = () => database.hostRun.findUniqueOrThrow({ where: { hostId } });
  const before = await run();
  const { id, evidence } = await database.approval.findFirstOrThrow({ where: { hostId } });
  const decide = (role: Role) =>
    decideApprovals(world.backend, world.actor(role), world.request(), {
      ...{ approvals: [{ id, evidence }], decision: "approved", reason: "", password },
    });
  expect((await decide("operator")).ok).toBe(false);
  expect((await decide("provider-admin")).ok).toBe(true);
  expect((await run()).evidenceSeq).toBeGreaterThan(before.evidenceSeq);
  expect((await view()).statements).toMatchObject([{ status: "signed" }]);
  await expect(
    database.partDisposition.updateMany({ where: { hostId }, data: { words: "none" } }),
  ).rejects.toThrow(/never changes/);
});

it("are listed with their memory errors, and with what the newest gate proved of their memory", async () => {
  const { database } = world.backend;
  await reportParts([
    { ...gpu("0000:17:00.0", "G2"), ecc: { corrected: 1, uncorrected: 0 } },
    gpu("0000:65:00.0", "G3"),
  ]);
  const reclamation = async (verdict: string, evaluatedAt: Date) => {
    const { id } = await database.reclamation.create({
      data: { hostId, hostSerial: "S", kind: "release", policyVersion: 1, policy: {}, endedAt: evaluatedAt },
    });
    const device = { kind: "gpu", slot: "0000:17:00.0", model: "NVIDIA H100", why: "it reported so" };
    const deviceMemory = [{ ...device, verdict, canary: "absent" }];
    await database.gate.create({
      data: {
        ...{ reclamationId: id, gate: "deviceMemoryCleared", status: "satisfied", reason: "cleared: it" },
        ...{ evidence: { deviceMemory }, generation: 1, evidenceSeq: 1, evaluatedAt },
      },
    });
    return id;
  };
  await reclamation("unproven", new Date(1_000));
  const newest = await reclamation("cleared", new Date(2_000));
  const { memoryGate, sources } = await view();
  expect(memoryGate).toMatchObject({ reclamationId: newest, status: "satisfied", at: new Date(2_000) });
  expect(sources[0]?.found).toMatchObject([
    {
      errors: "1 corrected, 0 uncorrected since its driver was loaded",
      cleared: { verdict: "cleared", canary: "absent", why: "it reported so" },
    },
    { errors: "errors not told", cleared: null },
  ]);
});

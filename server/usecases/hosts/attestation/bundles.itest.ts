// Bundles of measured boots: two people, what they expect, and what becomes of hosts when one is trusted less.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hashPassword } from "@/server/db/secrets/passwords";
import { bundleStates, type PcrValues } from "@/server/domain/attestation/measurement";
import { valuesDigest } from "@/server/domain/attestation/bundle";
import { eventLogOf } from "@/server/simulator/host/tpm/event-log";
import type { BootEvent } from "@/server/simulator/host/tpm/event-log";
import { localActor, type Actor } from "@/server/usecases/actor";
import { decideApprovals } from "@/server/usecases/assurance/approvals/decide-approvals";
import { attestationOverview } from "@/server/usecases/hosts/attestation/attestation-overview";
import { demoteBundle } from "@/server/usecases/hosts/attestation/demote-bundle";
import { getAttestation } from "@/server/usecases/hosts/attestation/get-attestation";
import { holdFailed } from "@/server/usecases/hosts/attestation/judge-again";
import { promoteReport } from "@/server/usecases/hosts/attestation/promote-report";
import { eventsOf, measuredOf } from "@/server/usecases/hosts/attestation/testing/measured";
import { refusalOf } from "@/server/usecases/testing/outcomes";
import { createWorld, type World } from "@/server/usecases/testing/world";

const password = "fourteen gates";
const reason = "image 12";
let world: World;
let hosts = 0;
beforeAll(async () => {
  world = await createWorld();
  await database().person.updateMany({ data: { passwordHash: await hashPassword(password) } });
  await setMode("required");
});
afterAll(() => world.stop());

const database = () => world.backend.database;
const admin = () => world.actor("provider-admin");
const other = () => world.actor("provider-admin", "vela");
const setMode = (mode: string) =>
  database()
    .$executeRaw`UPDATE site_policy SET body = jsonb_set(body, '{attestation}', to_jsonb(${mode}::text))`;

/** A host whose boot measured these values, and waits. */
async function pending(values: PcrValues, events: readonly BootEvent[] | null = null): Promise<string> {
  hosts += 1;
  const hostId = await world.host(`measured-${hosts}`);
  await database().hostMeasurement.create({
    data: {
      ...{ hostId, bootEpoch: 1, nonce: new Uint8Array(32), measuredAt: new Date(), pcrs: values },
      ...{ quote: new Uint8Array([1]), signature: new Uint8Array([1]), state: "PendingBundle" },
      eventLog: events === null ? null : new Uint8Array(eventLogOf(events)),
    },
  });
  return hostId;
}

const promote = (hostId: string, values: PcrValues, change: object = {}, by: Actor = admin()) =>
  promoteReport(world.backend, by, world.request(), {
    ...{ hostId, digest: valuesDigest(values), pcrs: [0, 4, 9], name: "R750 with image 12", reason },
    ...change,
  });

async function decide(id: string, decision: "approved" | "rejected" = "approved", by: Actor = other()) {
  const { approval } = await database().attestationBundle.findUniqueOrThrow({
    where: { id },
    include: { approval: true },
  });
  return decideApprovals(world.backend, by, world.request(), {
    approvals: [{ id: approval.id, evidence: approval.evidence }],
    ...{ decision, reason, password },
  });
}

async function approved(hostId: string, values: PcrValues): Promise<string> {
  const outcome = await promote(hostId, values);
  if (!outcome.ok) throw new Error(outcome.problem.detail);
  const decided = await decide(outcome.value.id);
  if (!decided.ok) throw new Error(decided.problem.detail);
  return outcome.value.id;
}

const stateOf = async (hostId: string) => {
  const outcome = await getAttestation(world.backend, world.actor("auditor"), { hostId });
  if (!outcome.ok) throw new Error(outcome.problem.detail);
  return outcome.value.measurement;
};
const overview = async () => {
  const outcome = await attestationOverview(world.backend, world.actor("auditor"));
  if (!outcome.ok) throw new Error(outcome.problem.detail);
  return outcome.value;
};
const runOf = (hostId: string) => database().hostRun.findUniqueOrThrow({ where: { hostId } });
const demote = (bundle: string, state: "Obsolete" | "Retired" | "Revoked") =>
  demoteBundle(world.backend, admin(), world.request(), { bundle, state, reason: "CVE-2026-1" });

describe("measurements that no bundle expects", () => {
  it("pass once a second person approved them, for every host that has them", async () => {
    const events = eventsOf("a");
    const values = measuredOf(events);
    const [first, same, near] = [
      await pending(values, events),
      await pending(values, events),
      await pending({ ...values, "0": "f".repeat(64) }),
    ];
    expect((await overview()).pending[0]).toMatchObject({ digest: valuesDigest(values), hosts: 2 });
    const asked = await promote(first, values);
    const id = asked.ok ? asked.value.id : "";
    expect((await stateOf(first))?.state).toBe("PendingBundle");
    expect(refusalOf(await promote(same, values))).toContain("waits for its approval");
    expect(refusalOf(await decide(id, "approved", admin()))).toContain("another person decides");
    const another = await pending(values, events);
    await database().host.update({ where: { id: another }, data: { model: "another" } });
    const before = await runOf(same);
    expect((await decide(id)).ok).toBe(true);
    for (const host of [first, same])
      expect(await stateOf(host)).toMatchObject({ state: "Measured", bundle: { id, state: "Active" } });
    const after = await runOf(same);
    expect(after.wakeSeq).toBe(before.wakeSeq + 1n);
    expect(after.evidenceSeq).toBe(before.evidenceSeq + 1n);
    expect((await stateOf(another))?.state).toBe("PendingBundle");
    expect(await stateOf(near)).toMatchObject({
      state: "PendingBundle",
      closest: {
        bundle: { id },
        differences: [
          { pcr: 0, found: "f".repeat(64), expected: values["0"] },
          { pcr: 7, found: values["7"], expected: null },
        ],
      },
    });
    expect((await overview()).bundles[0]).toMatchObject({
      ...{ id, standing: "Active", hosts: 2, reason, approvedBy: other().name },
    });
  });

  it("wait on if they were rejected, and may be promoted again", async () => {
    const events = eventsOf("b");
    const values = measuredOf(events);
    const host = await pending(values, events);
    const asked = await promote(host, values);
    expect((await decide(asked.ok ? asked.value.id : "", "rejected")).ok).toBe(true);
    expect((await stateOf(host))?.state).toBe("PendingBundle");
    expect((await promote(host, values)).ok).toBe(true);
  });

  it("are promoted as they were seen, with the registers of what booted, by somebody who may", async () => {
    const events = eventsOf("c");
    const values = measuredOf(events);
    const host = await pending(values, events);
    expect(refusalOf(await promote(host, values, { digest: "0".repeat(64) }))).toContain("measured again");
    expect(refusalOf(await promote(host, values, { pcrs: [0, 4] }))).toContain("registers 4 and 9");
    expect(refusalOf(await promote(host, values, { pcrs: [4, 9, 11] }))).toContain("not measured in 11");
    expect(refusalOf(await promote(host, values, {}, world.actor("operator")))).toBeDefined();
    expect(refusalOf(await promote(host, values, {}, localActor))).toContain("two people");
    const other = eventsOf("other", "another");
    for (const [events, log] of [
      [other, other],
      [eventsOf("c"), null],
      [eventsOf("c"), other],
    ] as const) {
      const any = await pending(measuredOf(events), log);
      expect(refusalOf(await promote(any, measuredOf(events)))).toContain(
        "does not show that its command line",
      );
    }
    const bare = await world.host("never-measured");
    expect(refusalOf(await promote(bare, values))).toContain("No boot of this host was measured");
    await database().bootWindow.create({
      data: {
        ...{
          hostId: host,
          bootEpoch: 1,
          generation: 1n,
          tokenHash: new Uint8Array([9]),
          expiresAt: new Date(),
        },
        contestedAt: new Date(),
      },
    });
    expect(refusalOf(await promote(host, values))).toContain("contested");
  });
});

describe("a bundle that is trusted less", () => {
  it("passes on as obsolete, and fails retired: a host in Ready leaves allocation, at once and with the reason", async () => {
    const events = eventsOf("d");
    const values = measuredOf(events);
    const [ready, working] = [await pending(values, events), await pending(values, events)];
    const id = await approved(ready, values);
    await world.put(ready, "Ready");
    expect(await demote(id, "Obsolete")).toMatchObject({ ok: true, value: { failed: 0, leftReady: 0 } });
    expect((await runOf(ready)).allocatable).toBe(true);
    expect(await demote(id, "Retired")).toMatchObject({ ok: true, value: { failed: 2, leftReady: 1 } });
    expect(await runOf(ready)).toMatchObject({
      ...{ allocatable: false, touched: true },
      touchedReason: "the bundle R750 with image 12 that its boot was measured by is Retired: CVE-2026-1",
    });
    expect((await runOf(working)).touched).toBe(false);
    for (const host of [ready, working]) expect((await stateOf(host))?.state).toBe("MeasuringFailed");
    // Another one passes what was only retired, and nothing what was revoked.
    await approved(working, values);
    expect((await stateOf(working))?.state).toBe("Measured");
    expect((await demote(id, "Revoked")).ok).toBe(true);
    expect((await stateOf(working))?.state).toBe("MeasuringFailed");
    expect(refusalOf(await promote(working, values))).toContain("it is Revoked");
  });

  it("is never trusted more, whoever writes it", async () => {
    const events = eventsOf("e");
    const values = measuredOf(events);
    const id = await approved(await pending(values, events), values);
    await demote(id, "Revoked");
    expect(refusalOf(await demote(id, "Retired"))).toContain("is Revoked");
    for (const state of bundleStates.filter((name) => name !== "Revoked"))
      await expect(database().attestationBundle.update({ where: { id }, data: { state } })).rejects.toThrow(
        "is not trusted again",
      );
    await expect(
      database().attestationBundle.update({ where: { id }, data: { pcrs: { "4": "x", "9": "y" } } }),
    ).rejects.toThrow("never changes");
  });

  it("takes no host out of allocation where the site only observes", async () => {
    const events = eventsOf("f");
    const values = measuredOf(events);
    const host = await pending(values, events);
    const id = await approved(host, values);
    await world.put(host, "Ready");
    await setMode("observe");
    expect(await demote(id, "Revoked")).toMatchObject({ value: { failed: 1, leftReady: 0 } });
    expect((await runOf(host)).allocatable).toBe(true);
    await database().$transaction((tx) => holdFailed(tx, world.siteId));
    expect((await runOf(host)).allocatable).toBe(false);
    await setMode("required");
  });
});

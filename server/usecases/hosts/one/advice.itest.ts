// The advice for a failed host on a real database: stops of the same drive, tickets and exceptions are remembered, until the host was Ready.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Cause } from "@/server/domain/cleaning/failures/cause";
import { openTicket } from "@/server/usecases/break-fix/ticket-acts";
import { signLagMs } from "@/server/domain/agents/signs-of-life";
import { findHostIds } from "@/server/usecases/hosts/list/list-hosts";
import { readNextFacts } from "@/server/usecases/next/read-facts";
import { getHost } from "@/server/usecases/hosts/one/get-host";
import { reportAgent } from "@/server/usecases/testing/hardware";
import { createWorld } from "@/server/usecases/testing/world";
import type { World } from "@/server/usecases/testing/world";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.stop());

const database = () => world.backend.database;
const operator = () => world.actor("operator");
const failed = (serial: string): Cause => ({
  key: "eraseFailed",
  device: { kind: "drive", serial, model: "CM6", slot: "3", firmware: "1.2" },
  technique: "nvme-sanitize-crypto",
  raw: "answered 1",
});

/** Stops a host for these drives, one stop after the other, the last one now. */
async function stop(name: string, ...serials: readonly string[]): Promise<string> {
  const hostId = await world.host(name);
  await world.put(hostId, "Failed/NVMECleanFailed");
  const { stateVersion } = await database().hostRun.findUniqueOrThrow({ where: { hostId } });
  await database().stateHistory.deleteMany({ where: { hostId } });
  await database().stateHistory.createMany({
    data: serials.map((serial, index) => ({
      hostId,
      version: stateVersion - BigInt(serials.length - 1 - index),
      state: "Failed/NVMECleanFailed",
      generation: 1n,
      causes: [failed(serial)],
    })),
  });
  return hostId;
}

async function page(host: string) {
  const read = await getHost(world.backend, operator(), { host });
  if (!read.ok) throw new Error(read.problem.detail);
  return read.value;
}

describe("a host that a drive stopped", () => {
  it("once is retried as the cause says, and has no Waiting for beside its cause", async () => {
    await stop("a-1", "S1");
    expect(await page("a-1")).toMatchObject({
      advised: null,
      replaceDrive: null,
      waitsFor: null,
      checkNext: expect.stringMatching(/^Retry once/),
    });
  });

  it("again gets another drive: the ticket names slot, serial number and firmware, and is remembered", async () => {
    const hostId = await stop("a-2", "S2", "OTHER", "S2");
    const before = await page("a-2");
    expect(before).toMatchObject({
      advised: "replaceDrive",
      checkNext: expect.stringContaining("Drive S2 in slot 3 has stopped this host 2 times"),
      replaceDrive: { parts: [{ kind: "drive", serial: "S2", slot: "3", firmware: "1.2" }] },
    });
    const { summary = "", details = "", parts = [] } = before.replaceDrive ?? {};
    const opened = await openTicket(world.backend, operator(), world.request(), {
      ...{ hostId, category: "drive", summary, details, parts: [...parts] },
    });
    if (!opened.ok) throw new Error(opened.problem.detail);
    const { ref } = opened.value;
    expect(await page("a-2")).toMatchObject({
      advised: "inspect",
      replaceDrive: null,
      checkNext: expect.stringContaining(`Ticket ${ref} asks for drive S2 in slot 3`),
      next: expect.arrayContaining([
        { words: `Ticket ${ref}`, href: `/tickets/${ref}`, command: `reclaim tickets show ${ref}` },
      ]),
    });
    await database().ticket.updateMany({ where: { ref }, data: { summary: "Its fan is loud" } });
    expect((await page("a-2")).advised).toBe("replaceDrive");
    await database().ticket.updateMany({ where: { ref }, data: { summary, state: "repaired" } });
    expect((await page("a-2")).advised).toBe("replaceDrive");
  });

  it("again after it was Ready meanwhile begins anew", async () => {
    const hostId = await stop("a-3", "S3", "S3");
    expect((await page("a-3")).advised).toBe("replaceDrive");
    const { version } = await database().stateHistory.findFirstOrThrow({
      where: { hostId },
      orderBy: { version: "asc" },
    });
    await database().stateHistory.update({
      where: { hostId_version: { hostId, version } },
      data: { at: new Date(Date.now() - 3_600_000) },
    });
    await database().reclamation.create({
      data: {
        ...{ hostId, hostSerial: "x", kind: "onboarding", policyVersion: 1, policy: {} },
        ...{ startedAt: new Date(Date.now() - 7_200_000), endedAt: new Date(Date.now() - 1_800_000) },
        outcome: "ready",
      },
    });
    expect((await page("a-3")).advised).toBeNull();
  });

  it("goes on with an exception that was approved since it stopped", async () => {
    const hostId = await stop("a-4", "S4", "S4");
    const { stateSince } = await database().hostRun.findUniqueOrThrow({ where: { hostId } });
    const { siteId } = await database().host.findUniqueOrThrow({ where: { id: hostId } });
    const ask = async (askedAt: Date): Promise<string> => {
      const id = randomUUID();
      const exception = randomUUID();
      await database().approval.create({
        data: {
          ...{ id, kind: "exception", subjectId: exception, siteId, hostId, reason: "r", evidence: "e" },
          ...{ askedBy: randomUUID(), askedByName: "Ola", askedAt },
          validUntil: new Date(Date.now() + 86_400_000),
        },
      });
      await database().gateException.create({
        data: {
          ...{ id: exception, siteId, hostId, hostName: "a-4", reclamationId: randomUUID() },
          ...{ gate: "storageSanitized", driveSerial: "S4", driveModel: "CM6", found: {} },
          ...{ measure: "m", risk: "r", approvalId: id },
        },
      });
      return id;
    };
    await ask(new Date(stateSince.getTime() - 60_000));
    expect((await page("a-4")).advised).toBe("replaceDrive");
    const id = await ask(new Date());
    expect(await page("a-4")).toMatchObject({
      advised: null,
      checkNext: expect.stringContaining("waits for another person's approval"),
    });
    await database().approval.update({
      where: { id },
      data: {
        decision: "approved",
        decidedBy: randomUUID(),
        decidedByName: "Mercy",
        decidedReason: "",
        decidedAt: new Date(),
      },
    });
    expect(await page("a-4")).toMatchObject({
      advised: "retry",
      checkNext: expect.stringMatching(/^Mercy approved the exception for drive S4, which holds until /),
    });
  });
});

describe("an agent that goes on", () => {
  it("is said to be silent after the first call that it missed, with the erase that may still run", async () => {
    const hostId = await world.host("b-1");
    await world.put(hostId, "WaitingForCleanup/HostCleanup");
    const policy = { times: { heartbeatMs: 10_000, agentFreshMs: 60_000 } };
    const reclamation = await database().reclamation.create({
      data: { hostId, hostSerial: "x", kind: "onboarding", policyVersion: 1, policy },
    });
    const stepRunId = randomUUID();
    const started = new Date(Date.now() - 300_000);
    await database().stepRun.create({
      data: {
        ...{ id: stepRunId, reclamationId: reclamation.id, hostId, planEpoch: 0, position: 0 },
        ...{
          interface: "deploy",
          step: "erase_nvme",
          where: "agent",
          priority: 1,
          prioritySource: "default",
        },
        ...{ status: "running", attempt: 1, maxAttempts: 2, startedAt: started, proves: [] },
      },
    });
    await database().stepAttempt.create({
      data: { stepRunId, attempt: 1, bootEpoch: 1, startedAt: started, progressAt: new Date() },
    });
    const silent = async () => (await page("b-1")).failure;
    expect(await silent()).toBeNull();
    await database().stepAttempt.updateMany({
      where: { stepRunId },
      data: { progressAt: new Date(Date.now() - 45_000) },
    });
    expect(await silent()).toMatchObject({
      label: "Agent silent",
      says: [
        expect.stringMatching(
          /^The agent has not been heard from for 4\d s during deploy\.erase_nvme; an erase may/,
        ),
      ],
      checkNext: expect.stringMatching(/leave the host on|Leave the host on/),
    });
    const onNext = async () => {
      const read = await readNextFacts(database(), null);
      return read.silentAgents;
    };
    expect(await onNext()).toMatchObject({
      hosts: 1,
      host: "b-1",
      step: "deploy.erase_nvme",
      erasing: 0,
      eraseUntil: null,
    });
    const { serial } = await database().host.findUniqueOrThrow({ where: { id: hostId } });
    const eraseUntil = new Date(Date.now() + 600_000);
    await database().chassisErase.create({ data: { chassisSerial: serial ?? "", eraseUntil } });
    expect(await onNext()).toMatchObject({ erasing: 1, eraseUntil });
    expect(await findHostIds(world.backend, "silent:true", 10)).toEqual([hostId]);
    // Each sign of it counts, and only after the last moment at which one can be unrecorded it is missed.
    const lateMs = signLagMs + 10_000;
    const ago = (ms: number) => new Date(Date.now() - ms);
    const signs = async (progress: number, seen: number | null) => {
      await database().stepAttempt.updateMany({ where: { stepRunId }, data: { progressAt: ago(progress) } });
      await database().agentSession.deleteMany({ where: { hostId } });
      if (seen !== null) {
        await reportAgent(world, hostId, []);
        await database().agentSession.updateMany({ where: { hostId }, data: { lastSeenAt: ago(seen) } });
      }
      return (await onNext()) !== null;
    };
    expect(await signs(lateMs + 1_000, null)).toBe(true);
    expect(await signs(lateMs - 3_000, null)).toBe(false);
    expect(await signs(lateMs + 1_000, lateMs - 3_000)).toBe(false);
    expect(await signs(lateMs + 1_000, lateMs + 1_000)).toBe(true);
    // Over the limit of its state it is on the list as that.
    await database().hostRun.update({ where: { hostId }, data: { limitAt: ago(1_000) } });
    expect(await onNext()).toBeNull();
  });
});

// A restart of a BMC is sent once, and followed to its end also by the process that comes after.
import { randomUUID } from "node:crypto";
import type { PoolClient } from "pg";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { BmcResetter } from "@/server/controller/power/bmc-resetter";
import { announceController } from "@/server/db/hot/fleet/lease";
import { poolOf } from "@/server/db/prisma";
import type { BmcResetLook } from "@/server/domain/hardware/bmc-reset";
import type { BmcResetInterface } from "@/server/hardware/interfaces";
import { hardwareTypes } from "@/server/hardware/registry";
import { clientForTests } from "@/server/hardware/redfish/testing/setup";
import { until } from "@/server/testing/until";
import { resetBmc } from "@/server/usecases/hosts/bmc/reset-bmc";
import { createWorld, type World } from "@/server/usecases/testing/world";

let world: World;
let session: PoolClient;
const controllerId = randomUUID();
const errors: unknown[] = [];
const running: BmcResetter[] = [];
let hosts = 0;

beforeAll(async () => {
  world = await createWorld();
  session = await poolOf(world.backend.database).connect();
  session.on("error", (error) => errors.push(error));
  await announceController(session, { id: controllerId, name: "mine", pid: 1 });
});
afterEach(async () => {
  for (const resetter of running.splice(0)) await resetter.stop();
  expect(errors).toEqual([]);
  await world.backend.database.bmcReset.deleteMany();
});
afterAll(async () => {
  session?.release();
  await world?.stop();
});

/** A process with this BMC. */
function process(bmcReset: BmcResetInterface): BmcResetter {
  const { client } = clientForTests();
  const redfish = hardwareTypes(client, { fake: false }).get("redfish");
  if (redfish === undefined) throw new Error("there is no type redfish");
  const resetter = new BmcResetter({
    pool: poolOf(world.backend.database),
    controllerId,
    hardware: new Map([["redfish", { ...redfish, bmcReset }]]),
    secrets: world.backend.secrets,
    onError: (error) => errors.push(error),
    everyMs: 50,
  });
  running.push(resetter);
  resetter.start();
  return resetter;
}

const before = { lastReset: null, session: null, wasAway: false };
const sent = { type: "GracefulRestart", before };
const nothing: BmcResetInterface = {
  begin: () => Promise.reject(new Error("it was sent again")),
  look: () => Promise.reject(new Error("nothing was sent")),
};
/** A BMC that shows these looks, the last one from then on. */
const showing = (...looks: readonly BmcResetLook[]): BmcResetInterface["look"] => {
  let place = 0;
  return async () => {
    const look = looks[Math.min(place, looks.length - 1)] ?? { kind: "same", restartTime: "unmoved" };
    place += 1;
    return { ok: true, value: { look, before: { ...before, wasAway: place > 1 } } };
  };
};
const lost = {
  ok: false,
  error: { kind: "unreachable", message: "no answer", unknownOutcome: true },
} as const;

async function asked(): Promise<string> {
  hosts += 1;
  const hostId = await world.host(`reset-${hosts}`);
  await world.backend.database.hostRun.update({ where: { hostId }, data: { state: "Manageable" } });
  const request = { hostId, reason: "console hangs" };
  expect(await resetBmc(world.backend, world.actor("operator"), world.request(), request)).toMatchObject({
    ok: true,
  });
  return hostId;
}
const rowOf = (hostId: string) => world.backend.database.bmcReset.findUniqueOrThrow({ where: { hostId } });
const phase = (hostId: string, wanted: string) =>
  until(`the reset is ${wanted}`, 30_000, async () => (await rowOf(hostId)).phase === wanted);

it("is sent, seen away, and ends when the BMC is back", async () => {
  const hostId = await asked();
  let begun = 0;
  process({
    begin: async (_target, record) => {
      begun += 1;
      return (await record(sent)) ? { ok: true, value: null } : lost;
    },
    look: showing(
      { kind: "same", restartTime: "unmoved" },
      { kind: "silent", words: "GET got no answer" },
      { kind: "restarted", words: "The BMC was away and responds again, as the same machine" },
    ),
  });
  await phase(hostId, "done");
  expect(await rowOf(hostId)).toMatchObject({
    answered: true,
    resetType: "GracefulRestart",
    awayAt: expect.any(Date),
    says: expect.stringMatching(/same machine\. It was away for \d+ s\.$/),
  });
  expect(begun).toBe(1);
});

it("is not sent again by the next process, and is not known if nothing shows a restart", async () => {
  const hostId = await asked();
  // The first process hangs between the note and the answer.
  let noted = false;
  let goOn: () => void = () => undefined;
  const hung = new Promise<void>((resolve) => (goOn = resolve));
  process({
    ...nothing,
    begin: async (_target, record) => {
      noted = await record(sent);
      await hung;
      return lost;
    },
  });
  await until("it is noted", 30_000, async () => noted);
  expect(await rowOf(hostId)).toMatchObject({ phase: "sent", answered: false });
  await world.backend.database.bmcReset.update({
    where: { hostId },
    data: { sentAt: new Date(Date.now() - 3_600_000) },
  });
  process({ ...nothing, look: showing({ kind: "same", restartTime: "unmoved" }) });
  await phase(hostId, "unknown");
  goOn();
  expect(await rowOf(hostId)).toMatchObject({ says: expect.stringContaining("is not known") });
});

it("that the BMC refuses ends with its words; an answer that is lost does not", async () => {
  const [refused, unanswered] = [await asked(), await asked()];
  process({
    begin: async (target, record) => {
      await record(sent);
      return target.hostId === refused
        ? { ok: false, error: { kind: "rejected", message: "POST was answered 400", unknownOutcome: false } }
        : lost;
    },
    look: showing({ kind: "same", restartTime: "unmoved" }),
  });
  await phase(refused, "failed");
  expect(await rowOf(refused)).toMatchObject({ says: "POST was answered 400." });
  const lostWords = "The answer to the restart was lost. The BMC answers, and shows no restart yet.";
  await until("the other is noted", 30_000, async () => (await rowOf(unanswered)).says === lostWords);
  expect(await rowOf(unanswered)).toMatchObject({ phase: "sent", answered: false });
});

it("is not sent while the BMC restarts for another of its hosts, nor later than people expect", async () => {
  const { bmcReset, host } = world.backend.database;
  const [first, second] = [await asked(), await asked()];
  const { bmcAddress } = await host.findUniqueOrThrow({ where: { id: first } });
  await host.update({ where: { id: second }, data: { bmcAddress: `${bmcAddress}/` } });
  await bmcReset.update({
    where: { hostId: first },
    data: { phase: "sent", sentAt: new Date(), before: {}, answered: true },
  });
  const permitted: boolean[] = [];
  process({
    begin: async (_target, record) => {
      permitted.push(await record(sent));
      return lost;
    },
    look: showing({ kind: "same", restartTime: "unmoved" }),
  });
  await until("it was asked for twice", 30_000, async () => permitted.length > 1);
  expect(permitted).not.toContain(true);
  await bmcReset.update({ where: { hostId: second }, data: { requestedAt: new Date(Date.now() - 360_000) } });
  await phase(second, "failed");
  expect(await rowOf(second)).toMatchObject({
    sentAt: null,
    says: expect.stringMatching(/^Nothing was sent/),
  });
});

it("that never left is not followed as if it had", async () => {
  const hostId = await asked();
  process({
    ...nothing,
    begin: async (_target, record) => {
      await record(sent);
      return {
        ok: false,
        error: { kind: "unreachable", message: "connection refused", unknownOutcome: false },
      };
    },
  });
  await phase(hostId, "failed");
  expect(await rowOf(hostId)).toMatchObject({ says: "Connection refused." });
});

it("of a BMC that offers none sends nothing, and says so", async () => {
  const hostId = await asked();
  const message = "/redfish/v1/Managers/1 offers no Manager.Reset action";
  process({
    ...nothing,
    begin: async () => ({ ok: false, error: { kind: "unsupported", message, unknownOutcome: false } }),
  });
  await phase(hostId, "failed");
  expect(await rowOf(hostId)).toMatchObject({ sentAt: null, says: `Nothing was sent: ${message}.` });
});

it("is not held up by many BMCs that are silent", async () => {
  const silent = await Promise.all(Array.from({ length: 20 }, () => asked()));
  const last = await asked();
  await world.backend.database.bmcReset.updateMany({
    where: { hostId: { in: silent } },
    data: { phase: "sent", sentAt: new Date(), before, answered: true },
  });
  const seen = new Set<string>();
  process({
    begin: async (_target, record) => ((await record(sent)) ? { ok: true, value: null } : lost),
    look: async ({ hostId }) => {
      seen.add(hostId);
      return { ok: true, value: { look: { kind: "silent", words: "GET got no answer" }, before } };
    },
  });
  await until("each was looked at", 30_000, async () => seen.size === 21);
  expect(await rowOf(last)).toMatchObject({ phase: expect.stringMatching(/^(sent|away)$/) });
});

it("that something holds back is asked about less and less often", async () => {
  const hostId = await asked();
  const lease = { leaseOwner: randomUUID(), leaseUntil: new Date(Date.now() + 600_000) };
  await world.backend.database.hostRun.update({ where: { hostId }, data: lease });
  let begun = 0;
  const startedAt = performance.now();
  process({
    ...nothing,
    begin: async (_target, record) => {
      begun += 1;
      await record(sent);
      return lost;
    },
  });
  await until("it was tried five times", 30_000, async () => begun >= 5);
  // 50 + 100 + 200 + 400 ms.
  expect(performance.now() - startedAt).toBeGreaterThan(700);
});

it("a stop ends a look, which stores nothing, and waits for it", async () => {
  const hostId = await asked();
  await world.backend.database.bmcReset.update({
    where: { hostId },
    data: { phase: "sent", sentAt: new Date(), before, answered: true },
  });
  let state = "none";
  const resetter = process({
    ...nothing,
    look: (_target, _before, { signal }) =>
      new Promise((resolve) => {
        state = "begun";
        signal?.addEventListener("abort", () =>
          setTimeout(() => {
            state = "over";
            resolve({ ok: true, value: { look: { kind: "silent", words: "stopped" }, before } });
          }, 100),
        );
      }),
  });
  await until("it looks", 30_000, async () => state === "begun");
  await resetter.stop();
  expect(state).toBe("over");
  expect(await rowOf(hostId)).toMatchObject({ phase: "sent", awayAt: null });
});

it("a stop while it reads what to do begins nothing", async () => {
  await asked();
  const { database } = world.backend;
  let begun = 0;
  let resetter: BmcResetter | null = null;
  let stopped: Promise<void> | undefined;
  // Where BMCs are is read after which are asked for.
  await database.$transaction(
    async (tx) => {
      await tx.$executeRaw`LOCK TABLE site IN ACCESS EXCLUSIVE MODE`;
      resetter = process({
        ...nothing,
        begin: async () => {
          begun += 1;
          return lost;
        },
      });
      await until("it waits for the lock", 30_000, async () => {
        const waiting = await tx.$queryRaw<unknown[]>`
        SELECT 1 FROM pg_locks WHERE relation = 'site'::regclass AND NOT granted`;
        return waiting.length > 0;
      });
      stopped = resetter.stop();
    },
    { timeout: 60_000 },
  );
  await stopped;
  expect(begun).toBe(0);
});

it("a look that throws is unclear, and the time limit ends the reset", async () => {
  const hostId = await asked();
  await world.backend.database.bmcReset.update({
    where: { hostId },
    data: { phase: "sent", sentAt: new Date(), before, answered: true },
  });
  process({ ...nothing, look: () => Promise.reject(new Error("sealed with another key")) });
  const says = "Reclaim could not look at the BMC: sealed with another key.";
  await until("it was looked at", 30_000, async () => (await rowOf(hostId)).says === says);
  expect(await rowOf(hostId)).toMatchObject({ phase: "sent", awayAt: null });
  await world.backend.database.bmcReset.update({
    where: { hostId },
    data: { sentAt: new Date(Date.now() - 3_600_000) },
  });
  await phase(hostId, "failed");
  expect(await rowOf(hostId)).toMatchObject({ says, todo: "Test the BMC." });
  expect(errors.splice(0).map(String)).toContain("Error: sealed with another key");
});

it("an error of the BMC is no absence", async () => {
  const hostId = await asked();
  process({
    begin: async (_target, record) => ((await record(sent)) ? { ok: true, value: null } : lost),
    look: async () => ({
      ok: false,
      error: { kind: "failed", message: "GET was answered 500", unknownOutcome: false },
    }),
  });
  await until("it was looked at", 30_000, async () => (await rowOf(hostId)).says === "GET was answered 500.");
  expect(await rowOf(hostId)).toMatchObject({ phase: "sent", awayAt: null });
});

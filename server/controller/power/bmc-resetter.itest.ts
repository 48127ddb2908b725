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
function process(bmcReset: BmcResetInterface): void {
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
    const look = looks[Math.min(place, looks.length - 1)] ?? { kind: "same" };
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
      { kind: "same" },
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
  // The first process ends between the note and the answer.
  let noted = false;
  process({
    ...nothing,
    begin: async (_target, record) => {
      noted = await record(sent);
      return new Promise(() => {});
    },
  });
  await until("it is noted", 30_000, async () => noted);
  for (const resetter of running.splice(0)) await resetter.stop();
  expect(await rowOf(hostId)).toMatchObject({ phase: "sent", answered: false });
  await world.backend.database.bmcReset.update({
    where: { hostId },
    data: { sentAt: new Date(Date.now() - 3_600_000) },
  });
  process({ ...nothing, look: showing({ kind: "same" }) });
  await phase(hostId, "unknown");
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
    look: showing({ kind: "same" }),
  });
  await phase(refused, "failed");
  expect(await rowOf(refused)).toMatchObject({ says: "POST was answered 400." });
  await until("the other is noted", 30_000, async () => (await rowOf(unanswered)).says === "No answer.");
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
    look: showing({ kind: "same" }),
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

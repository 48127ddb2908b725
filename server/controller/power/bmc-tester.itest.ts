// A test of a BMC ends when an erase begins on its host, and is made anew after it.
import { randomUUID } from "node:crypto";
import type { PoolClient } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { BmcTester } from "@/server/controller/power/bmc-tester";
import { announceController } from "@/server/db/hot/fleet/lease";
import { poolOf } from "@/server/db/prisma";
import { noReport } from "@/server/domain/hardware/bmc-report";
import type { HardwareType } from "@/server/hardware/interfaces";
import { hardwareTypes } from "@/server/hardware/registry";
import { clientForTests } from "@/server/hardware/redfish/testing/setup";
import { until } from "@/server/testing/until";
import { testBmc } from "@/server/usecases/hosts/bmc/test-bmc";
import { createWorld, type World } from "@/server/usecases/testing/world";

let world: World;
let session: PoolClient;
let tester: BmcTester;
const errors: unknown[] = [];
const begun: AbortSignal[] = [];
let answers = false;

/** A BMC that answers nothing before it is stopped, or all at once. */
const check: HardwareType["check"] = async (_target, { signal }) => {
  if (signal === undefined) throw new Error("the test cannot be stopped");
  begun.push(signal);
  if (!answers) await new Promise((stopped) => signal.addEventListener("abort", stopped, { once: true }));
  return noReport(answers ? "it answered" : "it was stopped");
};

beforeAll(async () => {
  world = await createWorld();
  const pool = poolOf(world.backend.database);
  session = await pool.connect();
  session.on("error", (error) => errors.push(error));
  const controllerId = randomUUID();
  await announceController(session, { id: controllerId, name: "mine", pid: 1 });
  const { client } = clientForTests();
  const redfish = hardwareTypes(client, { fake: false }).get("redfish");
  if (redfish === undefined) throw new Error("there is no type redfish");
  tester = new BmcTester({
    pool,
    controllerId,
    hardware: new Map([["redfish", { ...redfish, check }]]),
    secrets: world.backend.secrets,
    onError: (error) => errors.push(error),
  });
  tester.start();
});
afterAll(async () => {
  await tester?.stop();
  session?.release();
  await world?.stop();
});

const stored = (hostId: string) => world.backend.database.bmcTest.findUnique({ where: { hostId } });

it("is not stored, stays requested, and is made after the erase", async () => {
  const hostId = await world.host("tested");
  const erasing = (data: boolean) =>
    world.backend.database.hostRun.update({ where: { hostId }, data: { erasing: data } });
  expect(await testBmc(world.backend, world.actor("operator"), world.request(), { hostId })).toMatchObject({
    ok: true,
  });
  await until("the test begins", 30_000, async () => begun.length === 1);
  await erasing(true);
  await until("the test is stopped", 30_000, async () => begun[0]?.aborted === true);
  expect(await stored(hostId)).toMatchObject({ testedAt: null, wantedAt: expect.any(Date) });
  answers = true;
  expect(begun).toHaveLength(1);
  await erasing(false);
  await until("the report", 30_000, async () => (await stored(hostId))?.testedAt != null);
  expect(begun).toHaveLength(2);
  expect(errors).toEqual([]);
});

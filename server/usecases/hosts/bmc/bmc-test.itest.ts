// Who may have a BMC tested, when it waits, and what is told of it.
import { afterAll, beforeAll, expect, it } from "vitest";
import { poolOf } from "@/server/db/prisma";
import { noReport } from "@/server/domain/hardware/bmc-report";
import { getBmcTest } from "@/server/usecases/hosts/bmc/get-bmc-test";
import { storeBmcTest } from "@/server/usecases/hosts/bmc/store-bmc-test";
import { testBmc, testEnrolment } from "@/server/usecases/hosts/bmc/test-bmc";
import { enroll } from "@/server/usecases/hosts/enrolment/enroll";
import { createWorld, type World } from "@/server/usecases/testing/world";
import type { Role } from "@/server/domain/access/roles";

let world: World;
let hosts = 0;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.stop());

async function reachable(): Promise<string> {
  hosts += 1;
  return world.host(`tested-${hosts}`);
}

const ask = (hostId: string, role: Role = "operator") =>
  testBmc(world.backend, world.actor(role), world.request(), { hostId });
const read = async (hostId: string) => {
  const found = await getBmcTest(world.backend, world.actor("operator"), { hostId });
  if (!found.ok) throw new Error(found.problem.detail);
  return found.value;
};

it("is requested once, stored, and told without the password", async () => {
  const id = await reachable();
  expect(await read(id)).toEqual({ wantedAt: null, report: null, unreadableAt: null, reset: null });
  expect(await ask(id)).toMatchObject({ ok: true, value: { waits: false } });
  expect(await ask(id)).toMatchObject({
    ok: false,
    problem: { detail: expect.stringContaining("requested already") },
  });
  expect((await read(id)).wantedAt).not.toBeNull();
  await storeBmcTest(poolOf(world.backend.database), id, {
    address: "https://10.1.0.1",
    checks: noReport("it broke off"),
  });
  expect(await read(id)).toMatchObject({
    wantedAt: null,
    report: { address: "https://10.1.0.1", verdict: "notKnown", checks: { length: noReport("").length } },
  });
  expect(await ask(id)).toMatchObject({
    ok: false,
    problem: { detail: expect.stringContaining("less than 10 s ago") },
  });
  const events = await world.backend.database.auditEvent.findMany({
    where: { action: "host.testBmc", targetId: id },
    orderBy: { at: "asc" },
  });
  expect(events.map(({ after }) => after)).toEqual([
    { requested: true },
    expect.objectContaining({ code: "notAllowedNow" }),
    expect.objectContaining({ code: "tooMany" }),
  ]);
});

it("tells that a report of another release cannot be read, and by when it is", async () => {
  const id = await reachable();
  await world.backend.database.bmcTest.create({
    data: { hostId: id, testedAt: new Date("2026-11-30T10:00:00Z"), checks: [{ check: "unheardOf" }] },
  });
  expect(await read(id)).toEqual({
    wantedAt: null,
    report: null,
    unreadableAt: new Date("2026-11-30T10:00:00Z"),
    reset: null,
  });
});

it("waits while a drive may be erasing", async () => {
  const id = await reachable();
  await world.backend.database.hostRun.update({ where: { hostId: id }, data: { erasing: true } });
  expect(await ask(id)).toMatchObject({ ok: true, value: { waits: true } });
});

it.each(["auditor", "tenant-admin"] as const)("is refused to a %s", async (role) =>
  expect(await ask(await reachable(), role)).toMatchObject({ ok: false }),
);

it("needs an address, a user and a password", async () => {
  const id = await reachable();
  await world.backend.database.host.update({ where: { id }, data: { bmcPassword: null } });
  expect(await ask(id)).toMatchObject({
    ok: false,
    problem: { detail: expect.stringContaining("Change BMC") },
  });
});

it("of an enrolment that is not there is not found", async () =>
  expect(
    await testEnrolment(world.backend, world.actor("operator"), world.request(), {
      id: "00000000-0000-4000-8000-000000000001",
    }),
  ).toMatchObject({ ok: false, problem: { code: "notFound" } }));

it("of an enrolment is requested for its hosts, and of each once", async () => {
  const csv =
    "name,bmc_address,bmc_username,bmc_password\nlist-1,10.1.9.1,root,hunter-22\nlist-2,10.1.9.2,root,hunter-22\n,,,\n";
  const enrolled = await enroll(world.backend, world.actor("operator"), world.request(), { site: "a", csv });
  if (!enrolled.ok) throw new Error(enrolled.problem.detail);
  const id = enrolled.value.id ?? "";
  const test = () => testEnrolment(world.backend, world.actor("operator"), world.request(), { id });
  expect(await test()).toMatchObject({ ok: true, value: { asked: 2 } });
  expect(await test()).toMatchObject({ ok: true, value: { asked: 0 } });
  const [first] = enrolled.value.lines;
  expect((await read(first?.hostId ?? "")).wantedAt).not.toBeNull();
  expect(await testEnrolment(world.backend, world.actor("auditor"), world.request(), { id })).toMatchObject({
    ok: false,
  });
});

// The reset of a BMC to its defaults: what a tenant left there goes, Reclaim still gets in, and each way in which it can go wrong is waited for or told.
import { expect, it } from "vitest";
import { done, error } from "@/server/simulator/testing/outcomes";
import { stepBench } from "@/server/simulator/testing/step-bench";
import type { Worker } from "@/server/simulator/testing/steps";

const bench = stepBench();
const step = "management.reset_bmc_to_defaults";
const query = {
  parts: ["accounts", "subscriptions", "media", "hostInterface"],
  bios: [],
  secureBoot: [],
  components: [],
};

async function intruded(kind: string): Promise<Worker> {
  const worker = await bench.on(kind);
  await bench.fleet.control("POST", `/hosts/${worker.host.blueprint.serial}/bmc-intrusion`, {
    ...{ account: "tenant", subscription: "https://evil.example", medium: "http://evil.example/a.iso" },
    hostInterface: true,
  });
  return worker;
}

async function partsOf(worker: Worker) {
  const { result } = await worker.readPlatform(query);
  if (!result.ok) throw new Error(result.error.message);
  return result.value.reading;
}

it("removes what a tenant left, but no account, with one request and one restart of the host", async () => {
  const worker = await intruded("dell");
  expect((await partsOf(worker))?.subscriptions).toEqual({
    value: expect.arrayContaining(["https://evil.example"]),
  });
  worker.changes();
  expect(await worker.run(step)).toMatchObject(
    done(/accepted the reset to its defaults and restarted; Reclaim's account/),
  );
  expect([worker.changes(), worker.restarts]).toEqual([
    [expect.stringMatching(/^POST .*\/Actions\/Manager\.ResetToDefaults$/)],
    1,
  ]);
  expect(await partsOf(worker)).toMatchObject({
    accounts: { value: expect.arrayContaining(["tenant"]) },
    subscriptions: { value: ["127.0.0.1"] },
    media: { value: [] },
    hostInterface: { value: false },
  });
});

it.each([
  [
    "lenovo",
    /does not offer PreserveNetworkAndUsers, but only ResetAll, which would also delete the account/,
  ],
  ["generic", /offers no Manager.ResetToDefaults action/],
])("of a %s BMC is not ordered: it would not keep our account", async (kind, why) => {
  const worker = await intruded(kind);
  worker.changes();
  expect(await worker.run(step)).toMatchObject(error("unsupported", why));
  expect(worker.changes()).toEqual([]);
});

it("an answer is no reset", async () => {
  const worker = await bench.on("dell");
  worker.host.script({ bmc: { mode: "acceptAndIgnore" } });
  expect(await worker.run(step)).toMatchObject({ ok: true, value: { kind: "running" } });
});

it("a refused permit sends nothing", async () => {
  const worker = await bench.on("dell");
  expect(await worker.run(step, { permit: async () => false })).toMatchObject(error("refused", /permit/));
  expect(worker.changes()).toEqual([]);
});

it("a BMC that is silent meanwhile is waited for", async () => {
  await bench.restart({ speed: 20 });
  const worker = await bench.on("dell");
  const begun = await worker.begin(step);
  if (!begun.ok || begun.value.kind !== "running") throw new Error(JSON.stringify(begun));
  expect(worker.host.platform.away).toBe(true);
  expect(await worker.check(step, begun.value.handle)).toMatchObject({
    ok: true,
    value: { kind: "running", handle: { wasAway: true } },
  });
});

it("a BMC that forgets more than it should is told as such, and once it lets us in again the step goes on without a second reset", async () => {
  const worker = await bench.on("dell");
  worker.host.script({ quirks: ["forgetsAccounts"] });
  const begun = await worker.begin(step);
  if (!begun.ok || begun.value.kind !== "running") throw new Error(JSON.stringify(begun));
  for (let look = 0; look < 2; look += 1)
    expect(await worker.check(step, begun.value.handle)).toMatchObject({
      ok: false,
      error: { kind: "refused", status: 401 },
    });
  // Somebody made the account again, and another client signs in with it.
  worker.host.script({ quirks: [] });
  const next = await bench.on("dell");
  await next.begin("firmware.verify_baseline", { baseline: { firmware: [] } });
  expect(await next.check(step, begun.value.handle)).toMatchObject({
    ok: true,
    value: { kind: "restart", handle: { booted: true } },
  });
  expect(next.changes()).toEqual([]);
});

it("a job that runs is not broken off", async () => {
  const worker = await bench.on("dell");
  worker.host.script({ jobs: { hangs: true } });
  const settings = [
    {
      component: "Integrated Dell Remote Access Controller",
      url: "http://images.example/idrac-6.10.30.20.exe",
      checksum: "a".repeat(64),
    },
  ];
  expect(await worker.begin("firmware.update", { args: { settings } })).toMatchObject({
    ok: true,
    value: { kind: "running" },
  });
  worker.changes();
  const begun = await worker.begin(step);
  expect(begun).toMatchObject({
    ok: true,
    value: { kind: "running", handle: { job: { task: expect.stringContaining("Task") } } },
  });
  expect(worker.changes()).toEqual([]);
});

// Our own outage is not the agent's silence: a running attempt is not lost because a server or database is away for longer than an agent may be silent.
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { enroll, manage, perform } from "@/server/testing/acts";
import { waitForStates } from "@/server/testing/hosts";
import { startStack, type Stack } from "@/server/testing/stack";
import { until } from "@/server/testing/until";
import { startCleaning } from "@/server/usecases/cleaning/start-cleaning";

const limitMs = 300_000;
const hosts = 6;
/** Longer than an agent may be silent, and than the time for which it counts as heard from. */
const awayMs = 20_000;
/** So long that they would count as lost, by the longest time for which what is recorded of them may be old. */
const lostMs = 40_000;
/** Hardware runs a thousand times faster, so the load lasts 45 s, through the outage. */
const load = { interface: "deploy", step: "burnin_cpu", args: { time: 45_000 } };

let stack: Stack;
let hostIds: string[];
beforeAll(async () => {
  stack = await startStack({
    hosts,
    speed: 1_000,
    controllers: 2,
    leaseMs: 8_000,
    sweepMs: 500,
    policy: { times: { agentFreshMs: 13_000, agentSilenceMs: 15_000, failureRetryMs: 60_000 } },
  });
  // It has the same address in its settings, and agents do not reach it.
  for (const { port } of stack.controllers.slice(1)) stack.balancer.takeOut(port);
  hostIds = await enroll(stack, stack.machines);
  await manage(stack, hostIds);
}, 480_000);
afterAll(() => stack?.stop());

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
/** The attempts of each host's newest list. */
const attempts = async () =>
  (
    await stack.pool.query<{ verdict: string | null; attempt: number; sequence: number }>(
      "SELECT a.verdict, a.attempt, a.sequence FROM step_attempt a JOIN step_run t ON t.id = a.step_run_id JOIN host_run r ON r.reclamation_id = t.reclamation_id WHERE r.host_id = ANY($1::uuid[])",
      [hostIds],
    )
  ).rows;

async function allRun(): Promise<void> {
  for (const hostId of hostIds) await perform(stack, "operator", startCleaning, { hostId, steps: [load] });
  await until("every host's step to report", limitMs, async () => {
    const rows = await attempts();
    return (
      (rows.length === hosts && rows.every(({ sequence }) => sequence > 0)) || `${rows.length} have begun`
    );
  });
}

async function noneWasLost(): Promise<void> {
  await waitForStates(stack, hostIds, ["Manageable"], limitMs);
  expect(await attempts()).toEqual(
    Array.from({ length: hosts }, () => ({ verdict: "succeeded", attempt: 1, sequence: expect.any(Number) })),
  );
}

describe("while steps run", () => {
  it(
    "a server that is away loses none of them",
    async () => {
      await allRun();
      for (const { process } of stack.controllers) await process.kill();
      await pause(awayMs);
      for (const controller of stack.controllers) {
        controller.process.start();
        await stack.ready(controller);
      }
      await noneWasLost();
    },
    limitMs * 2,
  );

  it(
    "a server that is away loses none of them to another, which they do not reach",
    async () => {
      await allRun();
      const [reached] = stack.controllers;
      if (reached === undefined) throw new Error("there is no controller");
      await reached.process.kill();
      await pause(lostMs);
      reached.process.start();
      await stack.ready(reached);
      await noneWasLost();
    },
    limitMs * 2,
  );

  it(
    "a database that is away loses none of them",
    async () => {
      await allRun();
      const url = new URL(stack.world.url);
      const name = decodeURIComponent(url.pathname.slice(1));
      url.pathname = "/postgres";
      const outside = new Client({ connectionString: url.href });
      outside.on("error", () => undefined);
      await outside.connect();
      try {
        await outside.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS false`);
        await outside.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", [
          name,
        ]);
        await pause(awayMs);
      } finally {
        await outside.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS true`);
        await outside.end();
      }
      await noneWasLost();
    },
    limitMs * 2,
  );
});

// Controllers are killed and paused at many points of fifty reclamations: nothing is lost, and nothing is done twice (docs/design/lifecycle.md#rules).
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { assign, onboard, release } from "@/server/testing/acts";
import type { Faults } from "@/server/testing/fleet-control";
import { hostRows, waitForStates } from "@/server/testing/hosts";
import { historyProblems, leftovers, releaseProblems, stepProblems } from "@/server/testing/records";
import { startStack, type Stack, type TestController } from "@/server/testing/stack";
import { until } from "@/server/testing/until";

const hosts = 50;
const leaseMs = 2_000;
/** Delay of each answer of a BMC: long enough for processes to die while they wait for one. */
const bmcDelayMs = 150;
const leastRounds = 12;
const groupOf = 10;
const groupEveryMs = 2_500;
/** The test runs more waves if it has hit too few moments; a machine on which this many are not enough is too slow for it. */
const maxWaves = 6;
const seed = Number(process.env.CHAOS_SEED ?? 20_261_121);

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({
    hosts,
    speed: 60,
    controllers: 2,
    leaseMs,
    sweepMs: 500,
    policy: { times: { failureRetryMs: 60_000 } },
  });
});
afterAll(() => stack?.stop());

/** Mulberry32: the same sequence for the same seed, so that a failed run can be repeated. */
function numbers(from: number): () => number {
  let state = from >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The hosts that a process has leased, with the generation of each lease. */
async function leasedBy(pid: number): Promise<readonly { host_id: string; generation: bigint }[]> {
  const { rows } = await stack.pool.query<{ host_id: string; generation: bigint }>(
    "SELECT r.host_id, r.generation FROM host_run r JOIN controller c ON c.id = r.lease_owner WHERE c.pid = $1 AND c.started_at = (SELECT max(started_at) FROM controller WHERE pid = $1)",
    [pid],
  );
  return rows;
}

/** Waits until the process holds hosts, so that it dies with work in progress. */
async function caught(pid: number): Promise<readonly { host_id: string; generation: bigint }[]> {
  for (let look = 0; look < 40; look += 1) {
    const leased = await leasedBy(pid);
    if (leased.length > 0) return leased;
    await pause(5);
  }
  return [];
}

interface Round {
  readonly what: string;
  readonly held: number;
  /** From the death, by the database's clock, until the dead controller holds nothing; null if none died. */
  readonly takenOverMs: number | null;
}

async function killed(controller: TestController): Promise<Round> {
  const { pid } = controller.process;
  await caught(pid);
  controller.process.signal("SIGKILL");
  await controller.process.kill();
  const {
    rows: [died],
  } = await stack.pool.query<{ at: Date }>("SELECT clock_timestamp() AS at");
  const held = await leasedBy(pid);
  const takenOver = until(`${held.length} hosts of process ${pid} to be taken over`, 120_000, async () => {
    const rows = await hostRows(
      stack,
      held.map(({ host_id }) => host_id),
    );
    // A commit sent before the death may still be carried out. Such a host is free, and may go unclaimed for long because it has nothing to do.
    const left = held.filter(({ host_id, generation }) =>
      rows.some(
        (row) => row.host_id === host_id && row.generation === generation && row.lease_owner !== null,
      ),
    );
    return left.length === 0 || `${left.length} are not`;
  }).then(
    async () =>
      (
        await stack.pool.query<{ ms: number }>(
          "SELECT extract(epoch FROM clock_timestamp() - $1::timestamptz)::float8 * 1000 AS ms",
          [died?.at],
        )
      ).rows[0]?.ms ?? Infinity,
  );
  controller.process.start();
  const [takenOverMs] = await Promise.all([takenOver, stack.ready(controller)]);
  return { what: "SIGKILL", held: held.length, takenOverMs };
}

/** Pauses the process for longer than any of its leases: a permit extends one to a full lease at most. */
async function stopped(controller: TestController, ms: number): Promise<Round> {
  const { pid } = controller.process;
  await caught(pid);
  controller.process.signal("SIGSTOP");
  stack.balancer.takeOut(controller.port);
  const held = await leasedBy(pid);
  await pause(ms);
  controller.process.signal("SIGCONT");
  stack.balancer.putIn(controller.port);
  return { what: `SIGSTOP for ${Math.round(ms)} ms`, held: held.length, takenOverMs: null };
}

describe("fifty reclamations and two controllers that die and stand still", () => {
  let hostIds: string[];
  const instanceIds: string[] = [];
  const rounds: Round[] = [];
  /** The machines, before the first and after the last release. */
  const machinesNow = async () =>
    new Map(
      await Promise.all(
        stack.machines.map(async ({ serial }) => [serial, await stack.fleet.machine(serial)] as const),
      ),
    );
  let before: Awaited<ReturnType<typeof machinesNow>>;
  let after: typeof before;
  let waves = 0;
  /** Whether there were enough rounds, some that killed a controller holding hosts and some that paused one. */
  const enough = (): boolean =>
    rounds.length >= leastRounds &&
    rounds.filter(({ what, held }) => what === "SIGKILL" && held > 0).length >= 3 &&
    rounds.filter(({ what }) => what.startsWith("SIGSTOP")).length >= 2;

  beforeAll(async () => {
    hostIds = await onboard(stack, stack.machines);
    before = await machinesNow();
    const everyBmc = (bmc: Faults["bmc"]) =>
      Promise.all(stack.machines.map(({ serial }) => stack.fleet.fault(serial, { bmc: bmc ?? null })));
    const random = numbers(seed);
    while (!enough() && waves < maxWaves) {
      waves += 1;
      const instances = await assign(stack, hostIds);
      await everyBmc({ mode: "slow", delayMs: bmcDelayMs });
      instanceIds.push(...instances);
      // In groups, so that hosts are at different points at any time.
      const releasing = (async () => {
        for (let group = 0; group < instances.length; group += groupOf) {
          await release(stack, instances.slice(group, group + groupOf));
          await pause(groupEveryMs);
        }
      })();
      while (!enough()) {
        await pause(100 + random() * 700);
        if ((await hostRows(stack, hostIds)).filter(({ state }) => state !== "Ready").length < groupOf) break;
        const controller = stack.controllers[Math.floor(random() * stack.controllers.length)];
        if (controller === undefined) throw new Error("no controller");
        const round =
          random() < 0.6
            ? await killed(controller)
            : await stopped(controller, leaseMs * (1.2 + random() * 0.5));
        rounds.push(round);
        console.log(
          `round ${rounds.length}: ${round.what} of ${controller.process.name}, which held ${round.held} hosts${round.takenOverMs === null ? "" : `; taken over in ${Math.round(round.takenOverMs)} ms`}`,
        );
      }
      await releasing;
      // A process that died while signing in left a session that nobody knows, and BMCs have few. They end idle ones after half an hour; here at once.
      await everyBmc({ mode: "loseSession", requests: 1 });
      await waitForStates(stack, hostIds, ["Ready"], 300_000, "mayFail");
    }
    console.log(`seed ${seed}: ${rounds.length} rounds in ${waves} waves of ${hosts} releases`);
    after = await machinesNow();
  }, 900_000);

  it("disturbed the controllers at many points, with hosts in their hands", () => {
    expect(enough(), JSON.stringify(rounds)).toBe(true);
  });

  it("brought all hosts to Ready", async () => {
    const rows = await hostRows(stack, hostIds);
    expect(rows.filter(({ state, allocatable }) => state === "Ready" && allocatable).length).toBe(hosts);
  });

  it("ran no step to its end twice", async () => {
    expect(await stepProblems(stack, hostIds)).toEqual([]);
  });

  it("sent every drive an erase per release, and one more for each plan that was voided or attempt that was lost while a server stood still", async () => {
    // A server that stood still reads late what hosts had asked it: by then it looks like a boot that nobody ordered, or like a second boot
    // before the restart, and is believed (docs/adr/0020-a-boot-is-proven.md). An agent that cannot reach a server does not register, or counts
    // as lost: its host boots, or its step is attempted, again. Nothing else repeats an erase.
    const { rows: repeats } = await stack.pool.query<{ serial: string; what: string; why: string }>(
      `SELECT h.serial, v ->> 'reason' AS what, v ->> 'message' AS why
       FROM reclamation c JOIN host h ON h.id = c.host_id, jsonb_array_elements(c.plan -> 'voided') v WHERE c.instance_id = ANY($1::uuid[])
       UNION ALL
       SELECT h.serial, coalesce(a.verdict, 'no verdict'), coalesce(a.message, t.step)
       FROM reclamation c JOIN host h ON h.id = c.host_id JOIN step_run t ON t.reclamation_id = c.id JOIN step_attempt a ON a.step_run_id = t.id
       WHERE c.instance_id = ANY($1::uuid[]) AND 'storageSanitized' = ANY(t.proves) AND a.verdict IS DISTINCT FROM 'succeeded'`,
      [instanceIds],
    );
    if (repeats.length > 0)
      console.log(
        `repeated: ${repeats.map(({ serial, what, why }) => `${serial}: ${what}, ${why}`).join("; ")}`,
      );
    const late = ["unorderedBoot", "contestedBoot", "bootWithoutAgent", "lost"];
    expect(repeats.filter(({ what }) => !late.includes(what))).toEqual([]);
    expect(repeats.length === 0 || rounds.some(({ what }) => what.startsWith("SIGSTOP"))).toBe(true);
    const erases = stack.machines.flatMap(({ serial }) =>
      (after.get(serial)?.drives ?? []).map((drive) => {
        const earlier =
          before.get(serial)?.drives.find((known) => known.serial === drive.serial)?.acceptedErases ?? 0;
        return {
          serial,
          drive: drive.serial,
          count: drive.acceptedErases - earlier,
          most: waves + repeats.filter((row) => row.serial === serial).length,
        };
      }),
    );
    expect(erases.filter(({ count, most }) => count < waves || count > most)).toEqual([]);
  });

  it("never cut the power of a machine that was erasing", async () => {
    expect((await stack.fleet.sums()).resetsDuringErase).toBe(0);
    expect(
      [...after.values()]
        .flatMap(({ counters }) => counters.powerActions)
        .filter(({ duringErase }) => duringErase),
    ).toEqual([]);
  });

  it("left no bytes of a tenant", () => {
    expect(
      [...after.values()].filter(({ holdsTenantData }) => holdsTenantData).map(({ serial }) => serial),
    ).toEqual([]);
  });

  it("wrote history without a gap", async () => {
    expect(await historyProblems(stack, hostIds)).toEqual([]);
  });

  it("ended every instance once and cleared its debt", async () => {
    expect(await releaseProblems(stack, instanceIds)).toEqual([]);
    const { rows } = await stack.pool.query(
      "SELECT n.id FROM instance n JOIN state_history h ON h.host_id = n.host_id AND h.state = 'WaitingForCleanup/Queued' JOIN reclamation c ON c.id = h.reclamation_id AND c.instance_id = n.id WHERE n.id = ANY($1::uuid[]) GROUP BY n.id HAVING count(*) > 1",
      [instanceIds],
    );
    expect(rows).toEqual([]);
  });

  it("left nothing over", async () => {
    expect(await leftovers(stack, hostIds)).toEqual([]);
  });
});

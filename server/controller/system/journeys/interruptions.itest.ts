// The whole table of interruptions, intent × situation, with a running controller and agents (docs/cleaning.md#abort-hold-resume).
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { interrupt, interruptions, situations } from "@/server/domain/cleaning/interruptions";
import type {
  Interruption,
  InterruptionEffect,
  InterruptionFacts,
  Situation,
} from "@/server/domain/cleaning/interruptions";
import type { ManualStep } from "@/server/domain/cleaning/plan/manual";
import type { State } from "@/server/domain/lifecycle/states";
import { signalHosts } from "@/server/db/hot/signal";
import { perform } from "@/server/testing/acts";
import type { Faults, Machine } from "@/server/testing/fleet-control";
import { manageAll, type FreeHosts } from "@/server/testing/free-hosts";
import { hostRow, untilFound, untilRead, waitForState } from "@/server/testing/hosts";
import { historyProblems } from "@/server/testing/records";
import { startStack, type Stack } from "@/server/testing/stack";
import { until } from "@/server/testing/until";
import { findHost } from "@/server/usecases/hosts/acts/request-of-host";
import { startCleaning } from "@/server/usecases/cleaning/start-cleaning";

const limitMs = 300_000;
/**
 * An agent may have been heard up to 16 s later than is recorded (docs/adr/0022-durations-travel.md): it counts as silent after 29 s, the attempt ends
 * after 41 s, and the time of an erase after that.
 */
const times = { agentFreshMs: 13_000, agentSilenceMs: 25_000, eraseStepMs: 50_000, failureRetryMs: 20_000 };
const longest = 7 * 86_400;
const by = { personId: null, name: "ann", requestId: "table" };

let stack: Stack;
let free: FreeHosts;

const step = (name: string, args: ManualStep["args"] = {}, of = "power"): ManualStep => ({
  interface: of,
  step: name,
  args,
});
const load = step("burnin_cpu", { time: longest }, "deploy");
const erase = step("erase_nvme", {}, "deploy");
const hanging = (machine: Machine): Faults => ({
  drives: Object.fromEntries(
    machine.drives.filter(({ media }) => media === "nvme").map(({ serial }) => [serial, { hangErase: true }]),
  ),
});
const neverRegisters = (): Faults => ({ agent: { neverRegister: true } });

interface Scene {
  readonly what: string;
  readonly situation: Situation;
  readonly list: readonly ManualStep[];
  readonly faults?: (machine: Machine) => Faults;
  /** The state to reach first. */
  readonly state: State;
  readonly then?: (hostId: string, machine: Machine) => Promise<void>;
  /** Lets the step end that an abort waits for. */
  readonly release?: (machine: Machine) => Promise<void>;
  readonly facts: Partial<InterruptionFacts>;
}

const crashed = async (_hostId: string, machine: Machine): Promise<void> => {
  expect(await stack.fleet.crashAgent(machine.serial)).toBe(true);
};
const reported = async (hostId: string): Promise<void> => {
  await untilFound(
    stack,
    "a first report of the step",
    hostId,
    "SELECT 1 FROM step_attempt a JOIN step_run t ON t.id = a.step_run_id WHERE t.host_id = $1 AND a.sequence > 0",
  );
};
const running = "ManualCleaning/RunningStep";

const scenes: readonly Scene[] = [
  {
    what: "a step that can be stopped",
    situation: "agentRuns",
    list: [load, step("wait", { seconds: 1 })],
    state: running,
    then: reported,
    facts: { abortable: true, erasing: false },
  },
  {
    what: "an erase that cannot be stopped",
    situation: "agentRuns",
    list: [erase],
    faults: hanging,
    state: running,
    then: reported,
    facts: { abortable: false, erasing: true },
  },
  {
    what: "the agent of a step is silent",
    situation: "agentSilent",
    list: [load],
    state: running,
    then: async (hostId, machine) => {
      await reported(hostId);
      await crashed(hostId, machine);
    },
    facts: { erasing: false },
  },
  {
    what: "the agent of an erase is silent",
    situation: "agentSilent",
    list: [erase],
    faults: hanging,
    state: running,
    then: async (hostId, machine) => {
      await reported(hostId);
      await crashed(hostId, machine);
    },
    facts: { erasing: true },
  },
  {
    what: "a step of the controller that can be stopped",
    situation: "controllerJobRuns",
    list: [step("wait", { seconds: 3_600 })],
    state: running,
    facts: { abortable: true },
  },
  {
    what: "a restart that is waited for",
    situation: "controllerJobRuns",
    list: [step("reboot")],
    faults: neverRegisters,
    state: running,
    release: (machine) => stack.fleet.heal(machine.serial),
    facts: { abortable: true },
  },
  {
    what: "no step runs yet",
    situation: "betweenSteps",
    list: [load],
    faults: neverRegisters,
    state: "ManualCleaning/BootingAgent",
    facts: { step: null },
  },
  {
    what: "a hold of the list",
    situation: "onHold",
    list: [step("hold", { seconds: 3_600, reason: "look at the fans" }), step("wait", { seconds: 3_600 })],
    state: "ManualCleaning/OnHold",
    facts: {},
  },
  {
    what: "a run that was aborted",
    situation: "failed",
    list: [step("wait", { seconds: 3_600 })],
    state: running,
    then: async (hostId) => {
      await tell(hostId, "abort");
      await waitForState(stack, hostId, "Failed/CleanFailed", limitMs);
    },
    facts: { step: null },
  },
];

beforeAll(async () => {
  stack = await startStack({
    hosts: scenes.length * interruptions.length,
    speed: 1_000,
    leaseMs: 20_000,
    policy: { times },
  });
  free = await manageAll(stack);
}, 480_000);
afterAll(() => stack?.stop());

async function tell(hostId: string, intent: Interruption): Promise<void> {
  await signalHosts(stack.pool, [
    intent === "hold"
      ? { hostId, kind: intent, payload: { by, reason: "wait for me", forMs: 3_600_000 } }
      : { hostId, kind: intent, payload: { by } },
  ]);
  await untilRead(stack, hostId, intent);
}

async function factsOf(hostId: string): Promise<InterruptionFacts | null> {
  return stack.world.backend.database.$transaction(
    async (tx) => (await findHost(tx, hostId))?.value.cleaning ?? null,
  );
}

interface SceneContext {
  readonly hostId: string;
  readonly machine: Machine;
  readonly scene: Scene;
}

interface Cleaning {
  readonly hold: { readonly by: { readonly name: string }; readonly since: string | null } | null;
  readonly abort: object | null;
}
const cleaningOf = async (hostId: string): Promise<Cleaning | undefined> =>
  (
    await stack.pool.query<{ cleaning: Cleaning }>(
      "SELECT context -> 'cleaning' AS cleaning FROM host_run WHERE host_id = $1",
      [hostId],
    )
  ).rows[0]?.cleaning;

/** Checks that the host is in Failed/CleanFailed without maintenance, that the requester is named, and that nothing runs. */
async function isAborted({ hostId }: SceneContext): Promise<void> {
  const row = await waitForState(stack, hostId, "Failed/CleanFailed", limitMs);
  expect(row).toMatchObject({ maintenance: false, last_error: expect.stringMatching(/^aborted by ann/) });
  const { rows } = await stack.pool.query(
    "SELECT 1 FROM step_run WHERE host_id = $1 AND status = 'running'",
    [hostId],
  );
  expect(rows).toEqual([]);
}

const verdictOf = async (hostId: string): Promise<string | null | undefined> =>
  (
    await stack.pool.query<{ verdict: string | null }>(
      "SELECT a.verdict FROM step_attempt a JOIN step_run t ON t.id = a.step_run_id WHERE t.host_id = $1 ORDER BY t.position DESC, a.attempt DESC LIMIT 1",
      [hostId],
    )
  ).rows[0]?.verdict;

/** Checks what each effect does to the host, without knowing which row led to it. */
const seen = {
  stopNow: isAborted,
  stopStep: async (asked) => {
    await isAborted(asked);
    expect(await verdictOf(asked.hostId)).toBe("aborted");
  },
  stopAfterStep: async (asked) => {
    expect(await hostRow(stack, asked.hostId)).toMatchObject({ state: running });
    expect(await cleaningOf(asked.hostId)).toMatchObject({ abort: { by: { name: "ann" } } });
    await asked.scene.release?.(asked.machine);
    await isAborted(asked);
    // The step ran to its own end.
    expect(["succeeded", "failed"]).toContain(await verdictOf(asked.hostId));
  },
  stopAfterEstimate: async (asked) => {
    expect(await hostRow(stack, asked.hostId)).toMatchObject({ state: running, last_error: null });
    await isAborted(asked);
    const { rows } = await stack.pool.query<{ early: boolean }>(
      "SELECT h.at < t.deadline_at AS early FROM state_history h JOIN step_run t ON t.host_id = h.host_id WHERE h.host_id = $1 AND h.state = 'Failed/CleanFailed'",
      [asked.hostId],
    );
    expect(rows).toEqual([{ early: false }]);
    expect((await stack.fleet.machine(asked.machine.serial)).counters.resetsDuringErase).toBe(0);
  },
  holdBeforeNext: async ({ hostId, scene }) => {
    expect(await cleaningOf(hostId)).toMatchObject({ hold: { by: { name: "ann" }, since: null } });
    expect((await hostRow(stack, hostId)).state).toBe(scene.state);
    expect(interrupt("resume", await mustBe(hostId))).toEqual({ ok: true, effect: "withdraw" });
    await tell(hostId, "resume");
    await seen.withdraw({ hostId });
  },
  holdNow: async ({ hostId }) => {
    await waitForState(stack, hostId, "ManualCleaning/OnHold", limitMs);
    expect(await cleaningOf(hostId)).toMatchObject({
      hold: { by: { name: "ann" }, since: expect.any(String) },
    });
  },
  prolongHold: async ({ hostId }) => {
    expect((await hostRow(stack, hostId)).state).toBe("ManualCleaning/OnHold");
    expect(await cleaningOf(hostId)).toMatchObject({
      hold: { by: { name: "ann" }, since: expect.any(String) },
    });
  },
  resume: async ({ hostId }) => {
    await waitForState(stack, hostId, running, limitMs);
    const { rows } = await stack.pool.query(
      "SELECT status FROM step_run WHERE host_id = $1 ORDER BY position",
      [hostId],
    );
    expect(rows).toEqual([{ status: "succeeded" }, { status: "running" }]);
  },
  withdraw: async ({ hostId }: { readonly hostId: string }) => {
    expect(await cleaningOf(hostId)).toMatchObject({ hold: null, abort: null });
  },
  retryStep: async ({ hostId }) => {
    await waitForState(stack, hostId, running, limitMs);
    await untilFound(
      stack,
      "the step to run again",
      hostId,
      "SELECT 1 FROM step_run WHERE host_id = $1 AND status = 'running' AND attempt = 2",
    );
  },
} satisfies Record<InterruptionEffect, (asked: SceneContext) => Promise<void>>;

async function mustBe(hostId: string): Promise<InterruptionFacts> {
  const facts = await factsOf(hostId);
  if (facts === null) throw new Error(`host ${hostId} is not being cleaned`);
  return facts;
}

/** Runs the scene's list until the host is in its situation. */
async function play(scene: Scene): Promise<SceneContext> {
  const { hostId, machine } = free.take();
  if (scene.faults !== undefined) await stack.fleet.fault(machine.serial, scene.faults(machine));
  await perform(stack, "operator", startCleaning, { hostId, steps: [...scene.list] });
  await waitForState(stack, hostId, scene.state, limitMs);
  await scene.then?.(hostId, machine);
  await until(`the situation ${scene.situation}`, limitMs, async () => {
    const facts = await factsOf(hostId);
    return (
      facts?.situation === scene.situation ||
      `it is ${facts?.situation ?? "none"} in ${(await hostRow(stack, hostId)).state}`
    );
  });
  expect(await factsOf(hostId)).toMatchObject(scene.facts);
  return { hostId, machine, scene };
}

const rows = scenes.flatMap((scene) =>
  interruptions.map((intent) => ({ intent, situation: scene.situation, what: scene.what, scene })),
);

it("is whole: every situation has a scene", () => {
  expect(new Set(scenes.map(({ situation }) => situation))).toEqual(new Set(situations));
});

describe.concurrent("the table", { timeout: 480_000 }, () => {
  it.each(rows)("$intent × $situation: $what", async ({ intent, scene }) => {
    const asked = await play(scene);
    const before = await hostRow(stack, asked.hostId);
    const answer = interrupt(intent, await mustBe(asked.hostId));
    await tell(asked.hostId, intent);
    if (answer.ok) {
      await seen[answer.effect](asked);
    } else {
      const { rows: refused } = await stack.pool.query(
        "SELECT intent FROM intent_refusal WHERE host_id = $1 AND intent = $2",
        [asked.hostId, intent],
      );
      expect(refused).toEqual([{ intent }]);
      expect(await hostRow(stack, asked.hostId)).toMatchObject({
        state: before.state,
        maintenance: before.maintenance,
        last_error: before.last_error,
      });
    }
    expect(await historyProblems(stack, [asked.hostId])).toEqual([]);
  });
});

// Between two attempts of a step whose job failed: power off, BMC restart, a pause, a boot, and the same step again.
import { describe, expect, it } from "vitest";
import { findCleanStep } from "@/server/domain/cleaning/steps/catalogue";
import { noPlatformFacts } from "@/server/domain/hosts/inventory/platform";
import { emptyCleaning } from "@/server/domain/lifecycle/context";
import type { RecoveryContext } from "@/server/domain/lifecycle/context";
import type { Decision } from "@/server/controller/host/decision";
import type { EffectView } from "@/server/domain/hosts/record/effect";
import type { StepView } from "@/server/domain/hosts/record/reclamation";
import type { HostView } from "@/server/domain/hosts/record/view";
import {
  by,
  decideOn,
  effectKindsOf,
  hostView,
  minute,
  now,
  path,
  stepId,
} from "@/server/controller/testing/host-view";
import {
  acksOf,
  agent,
  attempt,
  inventory,
  networkContext,
  planned,
} from "@/server/controller/testing/view-parts";
import type { ViewChanges } from "@/server/controller/testing/host-view";
import { jobOf, stepRun, type Job } from "@/server/controller/testing/step-views";

const network = networkContext("admin");
const iso = (ms: number): string => new Date(ms).toISOString();
const state = "WaitingForCleanup/SecureEraseBoss/SecureEraseBoss";
const declared = findCleanStep("raid", "secure_erase_boss");
const said = "attempt 1: Job failed.";

const at = (phase: RecoveryContext["phase"], changes: Partial<RecoveryContext> = {}): RecoveryContext => ({
  phase,
  since: iso(now - 1_000),
  handle: null,
  failures: 0,
  ...changes,
});

interface Case extends Omit<ViewChanges, "context"> {
  readonly row?: Partial<StepView>;
  readonly job?: Job;
  readonly eraseUntil?: string | null;
  readonly minEpoch?: number;
}

/** The BOSS card's erase has failed once and is in recovery, unless a case says otherwise. */
function view({
  row = {},
  job: known = jobOf({ recovery: at("powerOff") }),
  eraseUntil = null,
  minEpoch = 4,
  ...changes
}: Case = {}): HostView {
  const boss = stepRun(
    1,
    { interface: "raid", step: "secure_erase_boss", where: "controller" },
    {
      priority: 95,
      proves: declared?.proves ?? [],
      attempt: 1,
      maxAttempts: 5,
      startedAtMs: now - minute,
      deadlineAtMs: now + minute,
      message: said,
      ...row,
    },
  );
  return hostView(state, {
    reclamation: planned(),
    agent: agent(),
    inventory: inventory(),
    acks: acksOf(network),
    steps: [boss],
    attempt: attempt({ attempt: boss.attempt }),
    platform: { ...noPlatformFacts, bossController: "BOSS-1" },
    ...changes,
    context: { network, minEpoch, cleaning: { ...emptyCleaning(), job: known }, eraseUntil },
  });
}

const answer = (step: string, result: unknown, status: EffectView["status"] = "done"): EffectView => ({
  id: "effect-step",
  kind: "step",
  status,
  generation: "6",
  request: { stepRunId: stepId(1), attempt: 1, step },
  result,
  settledAtMs: null,
});
const done = (step: string) => [answer(step, { value: { kind: "done", message: "", devices: [] } })];
const asked = (decision: Decision) =>
  decision.effects
    .filter(({ kind }) => kind === "step")
    .map(
      ({ request }) =>
        `${String(request["interface"])}.${String(request["step"])} ${String(request["phase"])}`,
    );
const recoveryOf = (decision: Decision) => decision.run.context.cleaning.job?.recovery;

it("a failed job that asks for it begins with the host switched off, and its agent is not used again", () => {
  const failed = { value: { kind: "failed", message: "Job failed.", recovery: "powerCycle" } };
  const running = {
    row: { status: "running", message: null },
    job: jobOf({ handle: "JID_1" }),
    run: { erasing: true },
    minEpoch: 3,
  } as const;
  const decision = decideOn(view({ ...running, effects: [answer("secure_erase_boss", failed)] }));
  expect(asked(decision)).toEqual(["power.power_off begin"]);
  expect(decision.steps).toMatchObject([{ status: "planned", attempt: 1, message: said }]);
  expect(decision.run).toMatchObject({
    erasing: false,
    context: { minEpoch: 4, cleaning: { job: { recovery: { phase: "powerOff" } } } },
  });
  const plain = decideOn(
    view({
      ...running,
      effects: [answer("secure_erase_boss", { value: { kind: "failed", message: "Job failed." } })],
    }),
  );
  expect([asked(plain), recoveryOf(plain)]).toEqual([[], undefined]);
});

it("goes through its parts in order, each once the one before is done", () => {
  const off = decideOn(view({ effects: done("power_off") }));
  expect([asked(off), recoveryOf(off)?.phase]).toEqual([["management.reset_bmc begin"], "resetBmc"]);
  const reset = decideOn(view({ job: jobOf({ recovery: at("resetBmc") }), effects: done("reset_bmc") }));
  expect([asked(reset), recoveryOf(reset)?.phase, reset.run.dueAtMs]).toEqual([
    [],
    "settle",
    now + 2 * minute,
  ]);
  const pause = decideOn(view({ job: jobOf({ recovery: at("settle", { since: iso(now - minute) }) }) }));
  expect([pause.effects, pause.run.dueAtMs]).toEqual([[], now + minute]);
  const boot = decideOn(view({ job: jobOf({ recovery: at("settle", { since: iso(now - 2 * minute) }) }) }));
  expect([path(boot), effectKindsOf(boot), recoveryOf(boot)]).toEqual([
    ["WaitingForCleanup/BootingAgent"],
    ["bootAgent"],
    undefined,
  ]);
  const again = decideOn(view({ job: jobOf(), agent: agent({ bootEpoch: 4 }), run: { bootEpoch: 4 } }));
  expect(asked(again)).toEqual(["raid.secure_erase_boss begin"]);
  expect(again.steps).toMatchObject([{ status: "running", attempt: 2, message: said }]);
});

it("looks at a part that takes time, with what it was told", () => {
  const running = decideOn(
    view({
      job: jobOf({ recovery: at("resetBmc") }),
      effects: [
        answer("reset_bmc", {
          value: { kind: "running", handle: { wasAway: true }, percent: null, message: "the BMC restarts" },
        }),
      ],
    }),
  );
  expect([asked(running), running.run.dueAtMs, recoveryOf(running)?.handle]).toEqual([
    [],
    now + 10_000,
    { wasAway: true },
  ]);
  expect(
    asked(
      decideOn(
        view({ job: jobOf({ lookAt: iso(now), recovery: at("resetBmc", { handle: { wasAway: true } }) }) }),
      ),
    ),
  ).toEqual(["management.reset_bmc check"]);
});

it.each([
  ["is on its way", answer("power_off", {}, "permitted"), []],
  [
    "is of another step",
    answer("secure_erase_boss", { value: { kind: "done", message: "", devices: [] } }),
    ["power.power_off begin"],
  ],
  ["was lost", answer("power_off", { phase: "reset" }, "unknown"), ["power.power_off begin"]],
])("an answer that %s decides nothing", (_what, effect, wanted) => {
  const decision = decideOn(
    view({ effects: [effect.status === "permitted" ? { ...effect, generation: "7" } : effect] }),
  );
  expect([asked(decision), recoveryOf(decision)?.phase]).toEqual([wanted, "powerOff"]);
});

describe("a power action", () => {
  it("waits for an erase that another reclamation left behind", () => {
    const decision = decideOn(view({ run: { erasing: true }, eraseUntil: iso(now + minute) }));
    expect([decision.effects, decision.run.dueAtMs, decision.run.erasing]).toEqual([[], now + minute, true]);
    const over = decideOn(view({ run: { erasing: true }, eraseUntil: iso(now - 1) }));
    expect([asked(over), over.run.erasing]).toEqual([["power.power_off begin"], false]);
  });
});

describe("a recovery that does not get on", () => {
  const failed = [
    answer("power_off", { error: { kind: "unreachable", message: "connect ETIMEDOUT" } }, "failed"),
  ];

  it("is tried again after a while", () => {
    const decision = decideOn(view({ effects: failed }));
    expect([decision.effects, decision.run.dueAtMs, recoveryOf(decision)?.failures]).toEqual([
      [],
      now + 30_000,
      1,
    ]);
  });

  it.each([
    [
      "fails too often",
      { effects: failed, job: jobOf({ recovery: at("powerOff", { failures: 9 }) }) },
      /the host is switched off: connect ETIMEDOUT\.$/,
    ],
    [
      "is not offered",
      {
        effects: [answer("power_off", { error: { kind: "unsupported", message: "no ForceOff" } }, "failed")],
      },
      /no ForceOff\.$/,
    ],
    [
      "takes too long",
      { job: jobOf({ recovery: at("resetBmc", { since: iso(now - 10 * minute) }) }) },
      /the BMC restarts: timed out\.$/,
    ],
  ] as const)("and %s stops the host with all that was said", (_what, changes, words) => {
    const decision = decideOn(view(changes));
    expect(path(decision)).toEqual(["Failed/BossCleanFailed"]);
    expect(decision.run.lastError).toMatch(
      /^raid.secure_erase_boss failed in the BMC: attempt 1: Job failed.; recovery/,
    );
    expect(decision.run.lastError).toMatch(words);
    expect(decision.steps).toMatchObject([{ status: "failed" }]);
  });
});

it("the last attempt's failure is followed by no recovery: the host stays as it is", () => {
  const failed = [
    {
      ...answer("secure_erase_boss", { value: { kind: "failed", message: "e", recovery: "powerCycle" } }),
      request: { stepRunId: stepId(1), attempt: 5, step: "secure_erase_boss" },
    },
  ];
  const decision = decideOn(
    view({
      row: {
        status: "running",
        attempt: 5,
        message: ["a", "b", "c", "d"].map((words, index) => `attempt ${index + 1}: ${words}`).join("\n"),
      },
      job: jobOf({ attempt: 5 }),
      effects: failed,
    }),
  );
  expect([path(decision), decision.effects]).toEqual([["Failed/BossCleanFailed"], []]);
  expect(decision.run.lastError).toBe("raid.secure_erase_boss failed in the BMC: e.");
  expect(decision.steps[0]?.message).toBe(
    "attempt 1: a\nattempt 2: b\nattempt 3: c\nattempt 4: d\nattempt 5: e",
  );
});

it("an abort ends it between two parts", () => {
  const decision = decideOn(
    view({ job: jobOf({ recovery: at("settle") }), signals: [{ kind: "abort", payload: { by } }] }),
  );
  expect(path(decision)).toEqual(["Failed/CleanFailed"]);
});

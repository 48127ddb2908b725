// How the controller carries out abort, hold and resume; when each is accepted is tested beside the table.
import { describe, expect, it } from "vitest";
import { signLagMs } from "@/server/domain/agents/signs-of-life";
import { noLimits } from "@/server/domain/cleaning/queue/admission";
import { defaultPolicy } from "@/server/domain/cleaning/policy/policy";
import { emptyCleaning } from "@/server/domain/lifecycle/context";
import type { CleaningContext } from "@/server/domain/lifecycle/context";
import type { Signal } from "@/server/domain/lifecycle/signals";
import type { State } from "@/server/domain/lifecycle/states";
import type { Decision } from "@/server/controller/host/decision";
import type { ReclamationView, StepView } from "@/server/domain/hosts/record/reclamation";
import { by, decideOn, hostView, minute, now, path, stepId } from "@/server/controller/testing/host-view";
import {
  acksOf,
  agent,
  attempt,
  inventory,
  networkContext,
  plan,
  planned,
  endsAt,
} from "@/server/controller/testing/view-parts";
import type { ViewChanges } from "@/server/controller/testing/host-view";
import { reportOf } from "@/server/controller/testing/hardware";
import { manualRun } from "@/server/controller/testing/step-views";

const policy = { ...defaultPolicy(), admission: noLimits };
const times = policy.times;
const iso = (ms: number): string => new Date(ms).toISOString();
const owner = { personId: null, name: "ann" };
const abort: Signal = { kind: "abort", payload: { by: { ...by, name: "ann" } } };
const hold: Signal = {
  kind: "hold",
  payload: { by: { ...by, name: "ann" }, reason: "wait for me", forMs: null },
};
const resume: Signal = { kind: "resume", payload: { by: { ...by, name: "bob" } } };
const network = networkContext("admin");
const manual = (changes: Partial<ReclamationView> = {}): ReclamationView =>
  planned({ kind: "manualCleaning", instanceId: null, tenantId: null, policy, ...changes });
const run = (name: string, changes: Partial<StepView> = {}): StepView =>
  manualRun(name, {
    status: "running",
    attempt: 1,
    startedAtMs: now - minute,
    deadlineAtMs: now + 30 * minute,
    ...changes,
  });
const load = run("burnin_cpu", { abortable: true, args: { time: 60 } });
const erase = run("erase_nvme");
const asked = (cleaning: Partial<CleaningContext>) => ({
  network,
  cleaning: { ...emptyCleaning(), ...cleaning },
});
const since = (ms: number): Partial<CleaningContext> => ({ abort: { by: owner, at: iso(ms) } });
const list = (
  steps: readonly StepView[],
  changes: ViewChanges = {},
  state: State = "ManualCleaning/RunningStep",
): Decision =>
  decideOn(
    hostView(state, {
      site: { policy },
      brakes: [],
      agent: agent(),
      lastAgent: agent(),
      inventory: inventory(),
      acks: acksOf(network),
      reclamation: manual(),
      attempt: attempt(),
      steps,
      context: { network },
      ...changes,
    }),
  );
/** The step after the first. */
const nextStep = (changes: Partial<StepView> = {}): StepView =>
  run("wait", {
    id: stepId(2),
    position: 2,
    interface: "power",
    where: "controller",
    status: "planned",
    attempt: 0,
    ...changes,
  });
const verdicts = (decision: Decision) => decision.attempts.map(({ verdict }) => verdict);
const isAborted = (decision: Decision) =>
  expect(decision.run).toMatchObject({
    state: "Failed/CleanFailed",
    lastError: expect.stringMatching(/^aborted by ann/),
    maintenance: false,
    context: { cleaning: { hold: null, abort: null } },
  });

describe("an abort", () => {
  it("tells an abortable step to stop, and the report that comes back ends the run", () => {
    const told = list([load], { signals: [abort] });
    expect(told.run).toMatchObject({
      state: "ManualCleaning/RunningStep",
      command: { kind: "abort", stepRunId: stepId(1), attempt: 1 },
    });
    const ended = list([load], {
      context: asked(since(now)),
      attempt: attempt({
        report: { ...reportOf(1, []), result: "ERROR", message: "aborted: stopped after 10 s" },
      }),
    });
    isAborted(ended);
    expect(verdicts(ended)).toEqual(["aborted"]);
    expect(ended.steps).toMatchObject([{ status: "failed" }]);
  });

  it("that was overtaken by the step's own success keeps that success", () => {
    const ended = list([load, nextStep()], {
      context: asked(since(now)),
      attempt: attempt({ report: reportOf(1, []) }),
    });
    isAborted(ended);
    expect(ended.steps).toMatchObject([{ status: "succeeded" }]);
    expect(verdicts(ended)).toEqual(["succeeded"]);
  });

  it("of a step that erases nothing and says nothing ends within a minute, and only a new boot is used again", () => {
    const fresh = agent({ lastSeenMs: now });
    expect(list([load], { agent: fresh, context: asked(since(now - minute + 1)) }).run.state).toBe(
      "ManualCleaning/RunningStep",
    );
    const ended = list([load], { agent: fresh, context: asked(since(now - minute)) });
    isAborted(ended);
    expect(verdicts(ended)).toEqual(["aborted"]);
    expect(ended.run.context.minEpoch).toBe(4);
  });

  it("waits for an erase that cannot be stopped, however it ends", () => {
    const waiting = list([erase], { signals: [abort], run: { erasing: true } });
    expect(waiting.run).toMatchObject({
      state: "ManualCleaning/RunningStep",
      command: undefined,
      waitReason: expect.stringContaining("cannot be stopped"),
      erasing: true,
    });
    const failed = list([erase], {
      context: asked(since(now)),
      run: { erasing: true },
      attempt: attempt({ report: { ...reportOf(1, []), result: "ERROR", message: "media error" } }),
    });
    isAborted(failed);
    expect(failed.run.lastError).toContain("media error");
    expect(verdicts(failed)).toEqual(["failed"]);
  });

  it("of an erase that nobody hears of waits for the erase's own estimate", () => {
    const silent = agent({ lastSeenMs: now - times.agentSilenceMs - signLagMs });
    const changes = (expectedEndMs: number) => ({
      agent: silent,
      context: asked(since(now - minute)),
      run: { erasing: true },
      attempt: attempt({ progress: endsAt(expectedEndMs) }),
    });
    const waiting = list([{ ...erase, startedAtMs: now - 30 * minute }], changes(now + minute));
    expect(waiting.run).toMatchObject({ state: "ManualCleaning/RunningStep", dueAtMs: now + minute });
    isAborted(list([{ ...erase, startedAtMs: now - 30 * minute }], changes(now - 1)));
  });

  it("of an erase whose attempt was given up waits likewise, and orders no restart", () => {
    const lost = { ...erase, status: "planned" as const };
    const changes = (expectedEndMs: number) => ({
      agent: null,
      signals: [abort],
      run: { erasing: true },
      attempt: attempt({ verdict: "lost", progress: endsAt(expectedEndMs) }),
    });
    const waiting = list([lost], changes(now + minute), "ManualCleaning/BootingAgent");
    expect(waiting).toMatchObject({
      effects: [],
      run: { state: "ManualCleaning/BootingAgent", dueAtMs: now + minute },
    });
    isAborted(list([lost], changes(now - 1), "ManualCleaning/BootingAgent"));
  });

  it("between steps and of an automated plan ends at once", () => {
    isAborted(
      list(
        [],
        { reclamation: planned({ policy }), steps: plan(), attempt: null, signals: [abort] },
        "WaitingForCleanup/Queued",
      ),
    );
    isAborted(
      list(
        [{ ...erase, status: "planned", attempt: 0 }],
        { signals: [abort], attempt: null },
        "ManualCleaning/BootingAgent",
      ),
    );
  });

  it("is withdrawn by resume, unless the step was told to stop", () => {
    expect(
      list([erase], { context: asked(since(now)), run: { erasing: true }, signals: [resume] }).run.context
        .cleaning.abort,
    ).toBeNull();
    const told = list([load], { context: asked(since(now)), signals: [resume] });
    expect(told.refused).toMatchObject([{ intent: "resume", requestId: "req-1" }]);
  });
});

describe("a hold", () => {
  const until = now + times.holdMs;

  it("takes effect before the next step, and stops the clock", () => {
    const next = nextStep({ args: { seconds: 5 }, abortable: true });
    const waiting = list([load, next], { signals: [hold] });
    expect(waiting.run).toMatchObject({
      state: "ManualCleaning/RunningStep",
      context: { cleaning: { hold: { by: owner, since: null } } },
    });
    const held = list([load, next], {
      context: asked({
        hold: { by: owner, reason: "wait for me", since: null, until: null, forMs: times.holdMs },
      }),
      attempt: attempt({ report: reportOf(1, []) }),
    });
    expect(path(held)).toEqual(["ManualCleaning/OnHold"]);
    expect(held.entered[0]?.reason).toBe(`held by ann until ${iso(until)}: wait for me`);
    expect(held.steps).toMatchObject([{ status: "succeeded" }]);
    expect(held).toMatchObject({
      run: { dueAtMs: until, command: null },
      reclamation: { row: { pausedAtMs: now } },
    });
  });

  it("of an automated plan gives its place back, and takes one again through the queue", () => {
    const rows = plan({ erase_nvme: { status: "succeeded", attempt: 1 } });
    const held = list(
      rows,
      { reclamation: planned({ policy }), attempt: null, signals: [hold], agent: null },
      "WaitingForCleanup/BootingAgent",
    );
    expect(path(held)).toEqual(["WaitingForCleanup/OnHold"]);
    const limited = { ...policy, admission: { ...noLimits, atWork: 1 } };
    const resumed = list(
      rows,
      {
        site: { policy: limited },
        reclamation: planned({ policy, pausedAtMs: now - minute, limitAtMs: now }),
        attempt: null,
        context: held.run.context,
        signals: [resume],
      },
      "WaitingForCleanup/OnHold",
    );
    expect(path(resumed)).toEqual(["WaitingForCleanup/Queued"]);
    expect(resumed.entered[0]?.reason).toBe("resumed by bob");
    const free = list(
      rows,
      {
        reclamation: planned({ policy, pausedAtMs: now - minute, limitAtMs: now }),
        attempt: null,
        context: held.run.context,
        signals: [resume],
      },
      "WaitingForCleanup/OnHold",
    );
    expect(path(free)[0]).toBe("WaitingForCleanup/BootingAgent");
    expect(free.reclamation?.row).toMatchObject({
      pausedMs: minute,
      pausedAtMs: null,
      limitAtMs: now + minute,
    });
  });

  it("goes on by itself when it expires, and says so", () => {
    const held = (untilMs: number) =>
      list(
        [{ ...load, status: "planned", attempt: 0 }],
        {
          context: asked({
            hold: { by: owner, reason: "", since: iso(now - minute), until: iso(untilMs), forMs: minute },
          }),
          attempt: null,
        },
        "ManualCleaning/OnHold",
      );
    expect(path(held(now + 1))).toEqual([]);
    expect(held(now).entered[0]).toEqual({
      state: "ManualCleaning/RunningStep",
      reason: "the hold of ann expired",
    });
  });

  it("that is in force gets another owner and expiry", () => {
    const decision = list(
      [],
      {
        context: asked({
          hold: {
            by: { ...owner, name: "bob" },
            reason: "",
            since: iso(now - minute),
            until: iso(now + 1),
            forMs: minute,
          },
        }),
        signals: [hold],
        attempt: null,
      },
      "ManualCleaning/OnHold",
    );
    expect(decision.run).toMatchObject({
      state: "ManualCleaning/OnHold",
      dueAtMs: until,
      context: { cleaning: { hold: { by: owner, since: iso(now - minute), until: iso(until) } } },
    });
  });

  it("of the list is a step: over when it is resumed, failed when it is aborted", () => {
    const row = run("hold", {
      interface: "raid",
      where: "controller",
      abortable: true,
      args: { seconds: 60, reason: "look" },
      status: "planned",
      attempt: 0,
      timeLimitMs: minute,
    });
    const held = list([row], { attempt: null });
    expect(path(held)).toEqual(["ManualCleaning/OnHold"]);
    expect(held).toMatchObject({
      steps: [{ status: "running", attempt: 1 }],
      run: { cleanStep: "raid.hold", dueAtMs: now + minute },
    });
    const on = (signal: Signal) =>
      list(
        [{ ...row, status: "running", attempt: 1 }],
        { context: held.run.context, signals: [signal] },
        "ManualCleaning/OnHold",
      );
    expect(on(resume).steps).toMatchObject([{ status: "succeeded" }]);
    expect(on(resume).reclamation?.outcome).toBe("cleaned");
    isAborted(on(abort));
    expect(verdicts(on(abort))).toEqual(["aborted"]);
  });
});

describe("reserved steps", () => {
  const power = (name: string, changes: Partial<StepView> = {}) =>
    run(name, {
      interface: "power",
      where: "controller",
      status: "planned",
      attempt: 0,
      maxAttempts: 5,
      timeLimitMs: 10 * minute,
      ...changes,
    });

  it("wait for their seconds and no longer", () => {
    const begun = power("wait", {
      status: "running",
      attempt: 1,
      args: { seconds: 30 },
      deadlineAtMs: now + 10 * minute - 29_000,
    });
    expect(list([begun]).run.dueAtMs).toBe(now + 1_000);
    expect(list([{ ...begun, deadlineAtMs: now + 10 * minute - 30_000 }]).reclamation?.outcome).toBe(
      "cleaned",
    );
  });

  it("reboot into an agent of a later boot, and are over when it has registered", () => {
    const begun = list([power("reboot")], { attempt: null });
    expect(begun.effects.map(({ kind }) => kind)).toEqual(["bootAgent"]);
    expect(begun.run).toMatchObject({
      state: "ManualCleaning/RunningStep",
      bootEpoch: 4,
      context: { minEpoch: 4, cleaning: { job: { restartEpoch: 4 } } },
    });
    const there = agent({ bootEpoch: 4, lastSeenMs: now });
    const over = list([power("reboot", { status: "running", attempt: 1 })], {
      run: { bootEpoch: 4 },
      agent: there,
      lastAgent: there,
      context: { ...begun.run.context },
    });
    expect(over.reclamation?.outcome).toBe("cleaned");
  });

  it.each(["reboot", "power_off", "power_on"])(
    "%s does not cut into an erase that a failed cleaning left running",
    (name) => {
      const changes = (untilMs: number) => ({
        agent: null,
        attempt: null,
        run: { erasing: true },
        context: { network, eraseUntil: iso(untilMs) },
      });
      expect(list([power(name)], changes(now + minute))).toMatchObject({
        effects: [],
        attempts: [],
        run: { erasing: true, dueAtMs: now + minute },
      });
      expect(list([power(name)], changes(now)).effects).toHaveLength(1);
    },
  );

  it("power_off makes the agent that ran useless", () => {
    expect(list([power("power_off")], { attempt: null }).run.context.minEpoch).toBe(4);
    expect(list([power("power_on")], { attempt: null }).run.context.minEpoch).toBe(0);
  });

  it("run in an automated plan that gives them a priority", () => {
    const row = power("wait", { position: 1, args: { seconds: 1 }, status: "planned", priority: 99 });
    const decision = list(
      [
        row,
        ...plan().map((step) => ({ ...step, position: step.position + 1, id: stepId(step.position + 1) })),
      ],
      { reclamation: planned({ policy }), attempt: null },
      "WaitingForCleanup/PlatformCleanup",
    );
    expect(decision.steps).toMatchObject([{ step: "wait", status: "running" }]);
  });
});

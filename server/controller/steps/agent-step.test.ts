// One clean step of the agent: its command, attempt and report; silence, time limits and late results.
import { describe, expect, it } from "vitest";
import type { AttemptView } from "@/server/domain/hosts/record/reclamation";
import type { HostView } from "@/server/domain/hosts/record/view";
import type { ResultBody } from "@/server/domain/agents/protocol";
import { signLagMs } from "@/server/domain/agents/signs-of-life";
import type { State } from "@/server/domain/lifecycle/states";
import {
  deviceResultOf,
  executed,
  nvme1,
  nvme2,
  reportOf,
  verified,
} from "@/server/controller/testing/hardware";
import {
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
  networkContext,
  plan,
  planned,
  endsAt,
} from "@/server/controller/testing/view-parts";
import type { ViewChanges } from "@/server/controller/testing/host-view";

const network = networkContext("admin");
const journal = [
  {
    serial: "NVME1",
    model: "P5520",
    event: "sent" as const,
    technique: "nvme-sanitize-crypto" as const,
    at: "2026-11-01T00:00:00.000Z",
  },
];
const both = [deviceResultOf(nvme1), deviceResultOf(nvme2)];

/** The first step is running; `of` and `changes` describe its attempt. */
function running(of: Partial<AttemptView>, changes: ViewChanges = {}): HostView {
  return hostView("WaitingForCleanup/HostCleanup", {
    reclamation: planned(),
    agent: agent(),
    attempt: attempt(of),
    context: { network, minEpoch: 3 },
    acks: acksOf(network),
    steps: plan({
      erase_nvme: {
        status: "running",
        attempt: of.attempt ?? 1,
        startedAtMs: now - 2 * minute,
        deadlineAtMs: now + 100 * minute,
      },
    }),
    ...changes,
    run: { erasing: true, ...changes.run },
  });
}
const onReport = (report: ResultBody, of: number = 1) =>
  decideOn(running({ attempt: of, report: { ...report, attempt: of } }));

describe("a report", () => {
  it("that proves every device ends the step, and the next one begins at once", () => {
    const decision = onReport(reportOf(1, both));
    expect(path(decision)).toEqual([]);
    expect(decision.steps).toMatchObject([
      { id: stepId(1), status: "succeeded" },
      { id: stepId(2), status: "running", attempt: 1 },
    ]);
    expect(decision.attempts).toMatchObject([
      { stepRunId: stepId(1), verdict: "succeeded", ended: true },
      { stepRunId: stepId(2), ended: false },
    ]);
    expect(decision.deviceResults.map((device) => [device.serial, device.verdict, device.level])).toEqual([
      ["NVME1", "sanitized", "purge"],
      ["NVME2", "sanitized", "purge"],
    ]);
    expect(decision.run.context.proven.lastStepEpoch).toBe(3);
    expect(decision.run.erasing).toBe(true);
    expect(executed(decision.run.command).devices.map((device) => device.serial)).toEqual(["SSD1"]);
  });

  it("that fails is tried again while attempts remain, as soon as the journal of all attempts is read", () => {
    const decision = onReport(
      reportOf(
        1,
        [deviceResultOf(nvme1), deviceResultOf(nvme2, { result: "ERROR", message: "media error" })],
        { result: "ERROR" },
      ),
    );
    expect(path(decision)).toEqual([]);
    expect(decision.steps).toMatchObject([{ id: stepId(1), status: "planned", attempt: 1 }]);
    expect(decision.run).toMatchObject({
      maintenance: false,
      command: null,
      erasing: false,
      dueAtMs: now + 50,
    });
    const next = decideOn(
      running(
        { verdict: "failed", report: reportOf(1, []), journal },
        { steps: decision.steps.concat(plan().slice(1)) },
      ),
    );
    expect(next.steps).toMatchObject([{ id: stepId(1), status: "running", attempt: 2 }]);
    expect(executed(next.run.command)).toMatchObject({ attempt: 2, id: `${stepId(1)}:2`, journal });
    expect(next.run.erasing).toBe(true);
  });

  it("that fails for the last time stops the host, powered on, in maintenance, with the device's answer", () => {
    const decision = onReport(
      reportOf(
        2,
        [deviceResultOf(nvme1), deviceResultOf(nvme2, { result: "ERROR", message: "media error" })],
        { result: "ERROR", message: "1 of 2 failed" },
      ),
      2,
    );
    expect(path(decision)).toEqual(["Failed/NVMECleanFailed"]);
    expect(decision.run).toMatchObject({
      maintenance: true,
      maintenanceBy: "failure",
      allocatable: false,
      command: null,
    });
    expect(decision.run.lastError).toBe(
      "Drive NVME2 (P5520) was not erased: media error.\ndeploy.erase_nvme failed: 1 of 2 failed.",
    );
    expect(decision.effects).toEqual([]);
    expect(decision.reclamation).toMatchObject({
      outcome: null,
      row: {
        stoppedCause: "NVMECleanFailed",
        stoppedIn: "WaitingForCleanup/HostCleanup",
        plan: { cleanup: { nvme: { result: "ERROR", message: expect.stringContaining("1 of 2 failed") } } },
      },
    });
  });

  it("that lacks a device fails at once: trying again would not find it", () => {
    const decision = onReport(reportOf(1, [deviceResultOf(nvme1)]));
    expect(path(decision)).toEqual(["Failed/DeviceMissing"]);
    expect(decision.run.lastError).toBe(
      "The agent reported no result for drive NVME2 (P5520), which must be erased.",
    );
  });

  it("that says OK about no device at all is no success", () => {
    expect(path(onReport(reportOf(1, [])))).toEqual(["Failed/DeviceMissing"]);
  });

  it("of success over bytes that are still there is none", () => {
    const decision = onReport(
      reportOf(2, [
        deviceResultOf(nvme1),
        deviceResultOf(nvme2, { verification: { ...verified, mismatches: 3 } }),
      ]),
      2,
    );
    expect(path(decision)).toEqual(["Failed/NVMECleanFailed"]);
    expect(decision.run.lastError).toMatch(/old content is still there: 3 of 1000 samples/);
  });

  it.each([
    ["erase_disks", 2, "Failed/DeviceMissing"],
    ["verify_mem_overwrite", 3, "Failed/MemOverwriteFailed"],
    ["reset_infiniband", 4, "Failed/IbCleanFailed"],
  ] as const)("of an error in %s ends in the step's own cause", (name, position, state) => {
    const steps = plan().map((step) =>
      step.position < position
        ? { ...step, status: "succeeded" as const, attempt: 1 }
        : step.step === name
          ? { ...step, status: "running" as const, attempt: 2, startedAtMs: now, deadlineAtMs: now + minute }
          : step,
    );
    const decision = decideOn(
      running(
        {},
        {
          steps,
          attempt: attempt({
            stepRunId: stepId(position),
            attempt: 2,
            report: reportOf(2, [], { result: "ERROR", message: "no" }),
          }),
          run: { erasing: false },
        },
      ),
    );
    expect(path(decision)).toEqual([state satisfies State]);
  });

  it("leaves the maintenance that a person set", () => {
    const decision = decideOn(
      running(
        { attempt: 2, report: reportOf(2, [], { result: "ERROR" }) },
        { run: { maintenance: true, maintenanceBy: "person", maintenanceReason: "fan" } },
      ),
    );
    expect(decision.run).toMatchObject({ maintenanceBy: "person", maintenanceReason: "fan" });
  });
});

describe("while it runs", () => {
  it("the host is looked at when agent or step could be late", () => {
    const decision = decideOn(running({}));
    expect(path(decision)).toEqual([]);
    expect(decision.run).toMatchObject({
      dueAtMs: now - 5_000 + signLagMs + 3 * minute,
      waitReason: "deploy.erase_nvme, attempt 1 of 2",
      command: undefined,
    });
  });

  it("an agent that may have been heard of since its last sign was recorded is not lost", () => {
    const steps = plan({
      erase_nvme: {
        status: "running",
        attempt: 1,
        startedAtMs: now - 9 * minute,
        deadlineAtMs: now + 90 * minute,
      },
    });
    const recorded = (ms: number) => decideOn(running({}, { steps, agent: agent({ lastSeenMs: now - ms }) }));
    expect(path(recorded(3 * minute + signLagMs - 1))).toEqual([]);
    expect(recorded(3 * minute)).toMatchObject({ run: { dueAtMs: now + signLagMs } });
    expect(path(recorded(3 * minute + signLagMs))).toEqual(["WaitingForCleanup/BootingAgent"]);
  });

  it("silence ends the attempt, not the erase: no restart before the devices' own estimate", () => {
    const decision = decideOn(
      running(
        { progress: endsAt(now + 20 * minute) },
        {
          agent: agent({ lastSeenMs: now - 4 * minute }),
          steps: plan({
            erase_nvme: {
              status: "running",
              attempt: 1,
              startedAtMs: now - 9 * minute,
              deadlineAtMs: now + 90 * minute,
            },
          }),
        },
      ),
    );
    expect(path(decision)).toEqual(["WaitingForCleanup/BootingAgent"]);
    expect(decision.attempts).toMatchObject([{ attempt: 1, verdict: "lost", ended: true }]);
    expect(decision.effects).toEqual([]);
    expect(decision.run).toMatchObject({
      erasing: true,
      dueAtMs: now + 20 * minute,
      command: null,
      context: { minEpoch: 4, returnTo: "WaitingForCleanup/HostCleanup" },
    });
  });

  it("silence in the last attempt is AgentLost", () => {
    const steps = plan({
      erase_nvme: {
        status: "running",
        attempt: 2,
        startedAtMs: now - 9 * minute,
        deadlineAtMs: now + minute,
      },
    });
    const decision = decideOn(
      running({ attempt: 2 }, { steps, agent: agent({ lastSeenMs: now - 4 * minute }) }),
    );
    expect(path(decision)).toEqual(["Failed/AgentLost"]);
    expect(decision.steps).toMatchObject([{ status: "failed" }]);
    expect(decision.run).toMatchObject({ erasing: true, maintenance: true });
  });

  it("an agent that was never heard of again counts from the step's begin", () => {
    const steps = plan({
      erase_nvme: {
        status: "running",
        attempt: 1,
        startedAtMs: now - 4 * minute,
        deadlineAtMs: now + minute,
      },
    });
    expect(path(decideOn(running({}, { agent: null, steps })))).toEqual(["WaitingForCleanup/BootingAgent"]);
  });

  it("an agent of a newer boot means that the attempt is over", () => {
    const decision = decideOn(running({ bootEpoch: 2 }));
    expect(decision.attempts).toMatchObject([
      {
        attempt: 1,
        verdict: "lost",
        message: "The agent restarted in the middle of deploy.erase_nvme, attempt 1.",
      },
    ]);
    // The new agent joins what the old one began, so this retry waits for the journal, too.
    expect(decision.steps).toMatchObject([{ status: "planned", attempt: 1 }]);
    expect(decision.run).toMatchObject({
      command: null,
      dueAtMs: now + 50,
      state: "WaitingForCleanup/HostCleanup",
    });
  });

  it("the time limit stops the host and leaves it on", () => {
    const steps = plan({
      erase_nvme: { status: "running", attempt: 1, startedAtMs: now - 240 * minute, deadlineAtMs: now },
    });
    const decision = decideOn(
      running({ progress: { ...endsAt(now + minute), movedAtMs: now - 10 * minute } }, { steps }),
    );
    expect(path(decision)).toEqual(["Failed/StepTimeout"]);
    expect(decision.effects).toEqual([]);
    expect(decision.run.maintenance).toBe(true);
  });

  it.each([
    ["its time limit", "Failed/StepTimeout", now, 10 * minute, "stepTimeout"],
    ["its agent's silence", "Failed/AgentLost", now + minute, 30 * minute, "agentSilent"],
  ] as const)(
    "what was wrong before %s stays the first cause",
    (_what, state, deadlineAtMs, silentMs, key) => {
      const steps = plan({
        erase_nvme: { status: "running", attempt: 2, startedAtMs: now - 240 * minute, deadlineAtMs },
      });
      const view = running({ attempt: 2 }, { steps, agent: agent({ lastSeenMs: now - silentMs }) });
      const trouble = [{ key: "networkFails" as const, facts: { network: "admin", tries: 9 }, raw: "503" }];
      const decision = decideOn({
        ...view,
        run: { ...view.run, lastError: "503", context: { ...view.run.context, trouble } },
      });
      expect(path(decision)).toEqual([state]);
      expect(decision.entered.at(-1)?.causes?.map((cause) => cause.key)).toEqual(["networkFails", key]);
    },
  );

  it("a step that makes progress is not timed out: its next progress is waited for", () => {
    const steps = plan({
      erase_nvme: {
        status: "running",
        attempt: 1,
        startedAtMs: now - 300 * minute,
        deadlineAtMs: now - 60 * minute,
      },
    });
    const progress = {
      ends: { NVME1: now - 5 * minute, NVME2: null },
      reportedAtMs: now,
      movedAtMs: now - 10 * minute + 1,
    };
    const decision = decideOn(running({ progress }, { steps, agent: agent({ lastSeenMs: now }) }));
    expect(path(decision)).toEqual([]);
    expect(decision.run).toMatchObject({ dueAtMs: now + 50, erasing: true });
    // Its erase is not treated as over either: nobody knows how long NVME2 takes, and it made progress a moment ago.
    const lostNow = decideOn(
      running({ progress }, { steps, agent: agent({ lastSeenMs: now - 4 * minute }) }),
    );
    expect(lostNow).toMatchObject({
      effects: [],
      run: { state: "WaitingForCleanup/BootingAgent", erasing: true, dueAtMs: now + 50 },
    });
  });

  it("begins with a time limit by capacity and technique, and with nothing known of the drives that it may erase", () => {
    const decision = decideOn(running({}, { steps: plan(), attempt: null }));
    const limitMs = 30 * minute + Math.ceil(1_920_383_410.176 / 200);
    expect(decision.steps).toMatchObject([
      { id: stepId(1), status: "running", timeLimitMs: limitMs, deadlineAtMs: now + limitMs },
    ]);
    expect(decision.attempts).toMatchObject([{ attempt: 1, drives: ["NVME1", "NVME2"] }]);
  });

  it("an attempt that is not recorded stops the step: one that stays running would forbid every power action", () => {
    for (const of of [null, attempt({ stepRunId: stepId(2) }), attempt({ attempt: 2 })]) {
      const decision = decideOn(running({}, { attempt: of }));
      expect(path(decision)).toEqual(["Failed/CleanFailed"]);
      expect(decision.steps).toMatchObject([{ id: stepId(1), status: "failed" }]);
    }
  });
});

describe("the next attempt", () => {
  const lost = running(
    { verdict: "lost", journal },
    {
      steps: plan({
        erase_nvme: {
          status: "planned",
          attempt: 1,
          startedAtMs: now - 9 * minute,
          deadlineAtMs: now + minute,
        },
      }),
      context: { network, minEpoch: 4 },
      run: { bootEpoch: 4 },
      agent: agent({ bootEpoch: 4 }),
    },
  );

  it("carries the journal of those before it, so that the new agent joins and sends nothing again", () => {
    const decision = decideOn(lost);
    expect(decision.steps).toMatchObject([{ status: "running", attempt: 2 }]);
    expect(executed(decision.run.command).journal).toEqual(journal);
    expect(decision.attempts).toMatchObject([{ attempt: 2, bootEpoch: 4 }]);
  });

  it("does not use the agent that was lost", () => {
    const decision = decideOn({
      ...lost,
      run: { ...lost.run, bootEpoch: 3, erasing: false },
      agent: agent(),
    });
    expect(path(decision)).toEqual(["WaitingForCleanup/BootingAgent"]);
    expect(effectKindsOf(decision)).toEqual(["bootAgent"]);
  });
});

describe("the result of a lost agent", () => {
  const late = (report: ResultBody | null, verdict: string | null = "lost") =>
    decideOn(
      hostView("Failed/AgentLost", {
        reclamation: planned({
          stoppedAtMs: now,
          stoppedCause: "AgentLost",
          stoppedIn: "WaitingForCleanup/HostCleanup",
        }),
        context: { network, minEpoch: 4, failedIn: "WaitingForCleanup/HostCleanup" },
        acks: acksOf(network),
        agent: agent(),
        steps: plan({
          erase_nvme: {
            status: "failed",
            attempt: 2,
            startedAtMs: now - 9 * minute,
            deadlineAtMs: now + minute,
          },
        }),
        attempt: attempt({ attempt: 2, verdict, report }),
        run: { erasing: true, maintenance: true, maintenanceBy: "failure", maintenanceReason: "silent" },
        signals: [{ kind: "stepReport", payload: { stepRunId: stepId(1), attempt: 2 } }],
      }),
    );

  it("that is valid lifts the failure", () => {
    const decision = late(reportOf(2, both));
    expect(path(decision)).toEqual(["WaitingForCleanup/HostCleanup", "WaitingForCleanup/BootingAgent"]);
    expect(decision.steps).toMatchObject([{ id: stepId(1), status: "succeeded" }]);
    expect(decision.run).toMatchObject({ maintenance: false, maintenanceBy: null });
    expect(decision.reclamation?.row.stoppedCause).toBeNull();
  });

  it("that proves nothing names the real cause", () => {
    expect(
      path(late(reportOf(2, [deviceResultOf(nvme1), deviceResultOf(nvme2, { result: "ERROR" })]))),
    ).toEqual(["WaitingForCleanup/HostCleanup", "Failed/NVMECleanFailed"]);
  });

  it("that does not come changes nothing", () => {
    expect(path(late(null))).toEqual([]);
    expect(path(late(reportOf(2, both), "failed"))).toEqual([]);
  });
});

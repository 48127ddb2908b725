// Decisions apart from the handlers: signals, due times, and loops.
import { describe, expect, it } from "vitest";
import { allStates, isFailed } from "@/server/domain/lifecycle/states";
import { decide } from "@/server/controller/decide/decide";
import { handlerOf } from "@/server/controller/handlers";
import { by, decideOn, hostView, minute, now, path } from "@/server/controller/testing/host-view";
import {
  agent,
  instance,
  networkContext,
  planned,
  reclamation,
} from "@/server/controller/testing/view-parts";
import { fail, goto, wait } from "@/server/controller/host/handler-result";

const ids = { newId: () => "id" };

describe("every state", () => {
  it.each(allStates())("%s has a handler that decides without a throw, and twice the same", (state) => {
    const view = hostView(state, {
      reclamation: isFailed(state) || state.includes("Cleanup") ? planned() : null,
      agent: agent(),
    });
    expect(decideOn(view)).toEqual(decideOn(view));
    expect(handlerOf(state)).toBeTypeOf("function");
  });

  it("leaves the view as it was", () => {
    const view = hostView("WaitingForCleanup/Queued", {
      reclamation: reclamation(),
      context: { network: networkContext("quarantine") },
      agent: agent(),
    });
    const copy = structuredClone(view);
    decideOn(view);
    expect(view).toEqual(copy);
  });
});

describe("signals", () => {
  it("are consumed, also those that nobody follows; a refused intent is told of", () => {
    const decision = decideOn(
      hostView("Ready", {
        signals: [
          { kind: "stepReport", payload: { stepRunId: "00000000-0000-4000-8000-000000000009", attempt: 1 } },
          { kind: "retry", payload: { by } },
        ],
      }),
    );
    expect(decision.consumed).toEqual(["1", "2"]);
    expect(decision.refused).toEqual([
      { intent: "retry", reason: "not possible in Ready", requestId: "req-1" },
    ]);
  });

  it("are taken in order of their coming", () => {
    const other = { ...by, requestId: "req-2" };
    const decision = decideOn(
      hostView("Manageable", {
        signals: [
          { kind: "provide", payload: { by } },
          { kind: "provide", payload: { by: other } },
        ],
      }),
    );
    expect(decision.reclamation?.row.requestId).toBe("req-1");
    expect(decision.refused).toMatchObject([{ requestId: "req-2" }]);
  });
});

describe("a host that stops", () => {
  it("leaves what was asked for meanwhile to the next decision: the rows of what stopped are written first", () => {
    const view = hostView("WaitingForCleanup/HostCleanup", {
      reclamation: planned(),
      agent: agent(),
      signals: [
        {
          kind: "clean",
          payload: {
            by,
            steps: [{ interface: "power", step: "wait", args: { seconds: 1 } }],
            runbook: null,
            bulkId: null,
          },
        },
      ],
    });
    const decision = decide(view, { ...ids, handlerOf: () => () => fail("CleanFailed", "it broke") });
    expect(decision.run.state).toBe("Failed/CleanFailed");
    expect(decision.consumed).toEqual([]);
    expect(decision.reclamation?.isNew).toBe(false);
    expect(decision.run.dueAtMs).toBeLessThan(now + 1_000);
  });
});

describe("the next wake-up", () => {
  const waiting = (untilMs: number | null) =>
    decide(hostView("Assigned/Ready", { instance: instance() }), {
      ...ids,
      handlerOf: () => () => wait("", untilMs),
    }).run;

  it("is what the handler asked for, and never now: nothing would have changed", () => {
    expect(waiting(now + minute).dueAtMs).toBe(now + minute);
    expect(waiting(now - minute).dueAtMs).toBe(now + 50);
    expect(waiting(null).dueAtMs).toBeNull();
  });

  it("comes at the end of a release's time at the latest", () => {
    const view = hostView("Assigned/Ready", {
      instance: instance({ releaseRequestedMs: now }),
      reclamation: reclamation(),
    });
    expect(decide(view, { ...ids, handlerOf: () => () => wait("", now + 100 * minute) }).run.dueAtMs).toBe(
      now + 30 * minute,
    );
  });

  it("does not come for a host that is gone", () => {
    expect(decideOn(hostView("ForceDeletion")).run.dueAtMs).toBeNull();
  });
});

describe("the time limit", () => {
  it("counts from when the state was entered", () => {
    expect(decideOn(hostView("Verifying")).run.limitAtMs).toBe(now - minute + 10 * minute);
    expect(
      decideOn(hostView("Enroll", { signals: [{ kind: "manage", payload: { by } }] })).run.limitAtMs,
    ).toBe(now + 10 * minute);
    expect(decideOn(hostView("Ready")).run.limitAtMs).toBeNull();
  });
});

it("a loop of states is a bug and no decision", () => {
  expect(() =>
    decide(hostView("Enroll"), {
      ...ids,
      handlerOf: (state) => () => goto(state === "Enroll" ? "Manageable" : "Enroll", "again"),
    }),
  ).toThrow(/no end of states/);
});

it("a host that fails a second time still goes on from where it failed first", () => {
  const view = hostView("Failed/BmcUnreachable", {
    reclamation: reclamation({
      stoppedIn: "Assigned/BootingWithDiscoveryImage",
      stoppedCause: "BmcUnreachable",
    }),
    instance: instance({ releaseRequestedMs: now - 31 * minute }),
    context: { failedIn: "Assigned/BootingWithDiscoveryImage", network: networkContext("quarantine") },
    acks: networkContext("quarantine").wanted.interfaces.map((name) => ({
      interface: name,
      version: 2,
      sha256: networkContext("quarantine").sha256 ?? "",
      extensionServices: "none" as const,
    })),
  });
  const decision = decideOn(view);
  expect(path(decision)).toEqual(["Failed/NetworkReconfigTimeout"]);
  expect(decision.run.context.failedIn).toBe("Assigned/BootingWithDiscoveryImage");
  expect(decision.reclamation?.row.stoppedIn).toBe("Assigned/BootingWithDiscoveryImage");
});

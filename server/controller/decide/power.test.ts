// Power that people ask for: what is sent, what is waited for, and what is said of it.
import { describe, expect, it } from "vitest";
import { powerRead } from "@/server/controller/decide/power";
import { emptyProven } from "@/server/domain/lifecycle/context";
import {
  agent,
  allSanitized,
  by,
  decideOn,
  effect,
  effectKindsOf,
  failedEffect,
  hostView,
  instance,
  minute,
  now,
  path,
  plan,
  planned,
  reclamation,
  succeededPlan,
  systemRead,
} from "@/server/controller/testing/host-view";
import type { ViewChanges } from "@/server/controller/testing/host-view";
import type { PowerIntent } from "@/server/domain/lifecycle/signals";
import type { State } from "@/server/domain/lifecycle/states";

const asked = (intent: PowerIntent) => ({ kind: intent, payload: { by } });
const underWay = (intent: PowerIntent, look = false): NonNullable<ViewChanges["context"]> => ({
  power: { intent, by: { personId: null, name: "operator" }, look },
});

describe("asked for", () => {
  it.each<State>(["Enroll", "Manageable", "Ready", "Assigned/Ready", "Failed/CleanFailed"])(
    "in %s: one effect, no other state",
    (state) => {
      const decision = decideOn(
        hostView(state, {
          signals: [asked("powerOff")],
          ...(state === "Assigned/Ready" ? { instance: instance() } : {}),
        }),
      );
      expect(effectKindsOf(decision)).toEqual(["power"]);
      expect(decision.effects[0]?.request).toMatchObject({ intent: "powerOff", look: false });
      expect(path(decision)).toEqual([]);
      expect(decision.run.context.power).toMatchObject({ intent: "powerOff", look: false });
      expect(decision.run.waitReason).toContain("power off requested by operator");
      expect(decision.run.context.minEpoch).toBe(4);
    },
  );

  it.each<State>([
    "Verifying",
    "Assigned/WaitingForRebootToReady",
    "WaitingForCleanup/HostCleanup",
    "BomValidating/UpdatingInventory",
  ])("in %s: refused, with the reason, and nothing is sent", (state) => {
    const decision = decideOn(
      hostView(state, {
        signals: [asked("reboot")],
        instance: instance(),
        reclamation: planned(),
        agent: agent(),
      }),
    );
    expect(effectKindsOf(decision)).not.toContain("power");
    expect(decision.refused).toMatchObject([{ intent: "reboot" }]);
    expect(decision.run.context.power).toBeNull();
  });

  it("while an erase may run: refused; once its estimate has passed: taken, and nothing is owed to it any more", () => {
    const left = (untilMs: number) =>
      hostView("Manageable", {
        signals: [asked("reboot")],
        run: { erasing: true },
        context: { eraseUntil: new Date(untilMs).toISOString() },
      });
    expect(decideOn(left(now + minute))).toMatchObject({
      refused: [{ intent: "reboot" }],
      effects: [],
      run: { erasing: true },
    });
    expect(decideOn(left(now - minute))).toMatchObject({
      refused: [],
      effects: [{ kind: "power" }],
      run: { erasing: false, context: { eraseUntil: null } },
    });
  });

  it("what else was asked for waits for its end", () => {
    const decision = decideOn(
      hostView("Manageable", { signals: [{ kind: "provide", payload: { by } }, asked("powerOn")] }),
    );
    expect(effectKindsOf(decision)).toEqual(["power"]);
    expect(path(decision)).toEqual([]);
    expect(decision.consumed).toEqual(["2"]);
    expect(decision.run.context.minEpoch).toBe(0);
  });

  it("on hold: taken, and the hold stays", () => {
    const hold = {
      by: { personId: null, name: "Ola" },
      reason: "bay 3",
      since: new Date(now - minute).toISOString(),
      until: new Date(now + minute).toISOString(),
      forMs: 2 * minute,
    };
    const view = hostView("WaitingForCleanup/OnHold", {
      signals: [asked("powerOff")],
      reclamation: planned(),
    });
    const decision = decideOn({
      ...view,
      run: {
        ...view.run,
        context: { ...view.run.context, cleaning: { ...view.run.context.cleaning, hold } },
      },
    });
    expect(effectKindsOf(decision)).toEqual(["power"]);
    expect(decision.run.context.cleaning.hold).toEqual(hold);
  });
});

describe("between the first erase and the end", () => {
  const erased = {
    reclamation: planned(),
    steps: plan({ erase_nvme: { status: "succeeded", attempt: 1 } }),
  } satisfies ViewChanges;

  it.each<PowerIntent>(["powerOn", "powerOff", "reboot"])(
    "%s boots from the network at most, and what was erased counts no more",
    (intent) => {
      const decision = decideOn(hostView("Failed/CleanFailed", { ...erased, signals: [asked(intent)] }));
      expect(decision.effects).toMatchObject([{ kind: "power", request: { intent, network: true } }]);
      expect(decision.run).toMatchObject({
        bootHeld: true,
        context: { minEpoch: 4, cleaning: { voided: { reason: "personPower" } } },
      });
    },
  );

  it("before the first erase, and by hand, neither", () => {
    for (const changes of [
      { reclamation: planned(), steps: plan() },
      { ...erased, reclamation: planned({ kind: "manualCleaning" }) },
    ] satisfies ViewChanges[]) {
      const decision = decideOn(hostView("Failed/CleanFailed", { ...changes, signals: [asked("reboot")] }));
      expect(decision.effects[0]?.request).not.toHaveProperty("network");
      expect(decision.run.bootHeld).toBe(false);
      expect(decision.run.context.cleaning.voided).toBeUndefined();
    }
  });

  it("a host that is clean and only waits for its maintenance to end is verified once more, in a boot of ours", () => {
    const waits = {
      reclamation: planned(),
      steps: succeededPlan(),
      deviceVerdicts: allSanitized,
    } satisfies ViewChanges;
    const proven = {
      ...emptyProven(),
      lastStepEpoch: 2,
      sku: { epoch: 3, name: "s", differences: 0, storage: null },
    };
    const decision = decideOn(
      hostView("ReturnToAllocation/AwaitingHealth", {
        ...waits,
        run: { maintenance: true },
        context: { proven },
        signals: [{ kind: "bootUnordered", payload: { bootEpoch: 3, message: "it booted" } }],
      }),
    );
    expect(decision.run.context).toMatchObject({ minEpoch: 4, proven: { sku: null } });
    expect(decision.run.context.cleaning.voided).toBeUndefined();
    const ended = decideOn(
      hostView("ReturnToAllocation/AwaitingHealth", {
        ...waits,
        context: { proven: emptyProven(), minEpoch: 4 },
      }),
    );
    expect(path(ended)).toEqual(["BomValidating/BootingAgent"]);
    expect(effectKindsOf(ended)).toEqual(["bootAgent"]);
  });
});

describe("what became of it", () => {
  const after = (state: State, changes: ViewChanges) => decideOn(hostView(state, changes));

  it("done: the host's power is what was read, and its state goes on", () => {
    const decision = after("Manageable", {
      context: underWay("powerOff"),
      effects: [effect("power", "done", systemRead(false, "off"))],
      signals: [{ kind: "provide", payload: { by } }],
    });
    expect(decision).toMatchObject({ power: "off", run: { lastError: null, context: { power: null } } });
    expect(path(decision)[0]).toBe("WaitingForCleanup/Queued");
  });

  it("failed: said on the host, in its state; a failed host still says why it failed", () => {
    expect(
      after("Manageable", { context: underWay("powerOn"), effects: [failedEffect("power")] }),
    ).toMatchObject({
      entered: [],
      run: {
        state: "Manageable",
        lastError: "power on failed: 503 Service Unavailable",
        context: { power: null },
      },
    });
    const failed = after("Failed/CleanFailed", {
      context: underWay("reboot"),
      effects: [failedEffect("power")],
      run: { lastError: "no" },
      reclamation: reclamation({ message: "drive 3 answered no" }),
    });
    expect(failed.run.lastError).toBe("drive 3 answered no; restart failed: 503 Service Unavailable");
  });

  it("never sent: sent again", () => {
    expect(
      after("Ready", { context: underWay("powerOff"), effects: [effect("power", "written")] }).effects,
    ).toMatchObject([{ kind: "power", request: { intent: "powerOff", look: false } }]);
  });

  it("unknown: looked up, never sent again", () => {
    const decision = after("Ready", {
      context: underWay("powerOff"),
      effects: [effect("power", "permitted", { phase: "reset" })],
    });
    expect(decision.effects).toMatchObject([{ kind: "power", request: { intent: "powerOff", look: true } }]);
  });

  it.each<[PowerIntent, "on" | "off", string | null]>([
    ["powerOff", "off", null],
    ["powerOff", "on", "power off failed: it was sent, but the power state is on"],
    ["powerOn", "on", null],
    ["powerOn", "off", "power on failed: it was sent, but the power state is off"],
    ["reboot", "on", "restart failed: the outcome is unknown; the power state is on"],
  ])("%s looked up, and the power reads %s", (intent, power, said) => {
    const decision = after("Manageable", {
      context: underWay(intent, true),
      effects: [effect("power", "done", systemRead(false, power))],
    });
    expect(decision).toMatchObject({
      effects: [],
      power,
      run: { lastError: said, context: { power: null } },
    });
  });

  it("not even to be looked up: said, and over", () => {
    expect(
      after("Manageable", {
        context: underWay("reboot", true),
        effects: [failedEffect("power", "no answer")],
      }).run,
    ).toMatchObject({
      lastError: "restart failed: the outcome is unknown, and the BMC could not be read: no answer",
      context: { power: null },
    });
  });
});

describe("the host's power", () => {
  it("is the newest reading of any effect", () => {
    expect(
      powerRead([
        effect("bootAgent", "done", systemRead(false, "on")),
        effect("power", "done", systemRead(false, "off")),
      ]),
    ).toBe("off");
    expect(powerRead([effect("readSystem", "done", systemRead(false, "on")), failedEffect("power")])).toBe(
      "on",
    );
    const starting = [effect("bootAgent", "done", systemRead(false, "poweringOn"))];
    expect([powerRead(starting), powerRead(starting, true)]).toEqual(["poweringOn", "on"]);
    expect(powerRead([effect("network", "done", { value: { sha256: "" } })])).toBeNull();
  });

  it("is also what a clean step switched", () => {
    const step = {
      ...effect("step", "done", { value: { kind: "done", message: "the power reads off", devices: [] } }),
      request: { interface: "power", step: "power_off" },
    };
    expect(powerRead([step])).toBe("off");
    expect(powerRead([{ ...step, request: { interface: "bios", step: "recommit" } }])).toBeNull();
  });
});

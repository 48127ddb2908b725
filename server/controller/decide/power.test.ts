// Power actions requested by people: what is sent, what is waited for, and what is reported.
import { describe, expect, it } from "vitest";
import { powerRead } from "@/server/controller/decide/power";
import { emptyContext, emptyProven } from "@/server/domain/lifecycle/context";
import {
  by,
  decideOn,
  effectKindsOf,
  hostView,
  instanceId,
  minute,
  now,
  path,
} from "@/server/controller/testing/host-view";
import {
  agent,
  allSanitized,
  instance,
  plan,
  planned,
  reclamation,
  succeededPlan,
} from "@/server/controller/testing/view-parts";
import { effect, failedEffect, systemRead } from "@/server/controller/testing/effect-views";
import type { ViewChanges } from "@/server/controller/testing/host-view";
import { hardPowerIntents, intentKinds } from "@/server/domain/lifecycle/signals";
import type { PowerIntent } from "@/server/domain/lifecycle/signals";
import type { State } from "@/server/domain/lifecycle/states";

const asked = (intent: (typeof hardPowerIntents)[number]) => ({ kind: intent, payload: { by } });
const underWay = (intent: PowerIntent, look = false): NonNullable<ViewChanges["context"]> => ({
  power: { intent, by: { personId: null, name: "operator" }, look },
});

describe("asked of the host's own system", () => {
  const by = { personId: null, name: "operator" };
  const until = (ms: number) => ({ until: new Date(ms).toISOString(), lookAt: new Date(now).toISOString() });
  const asking = (intent: "softPowerOff" | "softReboot", ms: number, read: "on" | "off") =>
    decideOn(
      hostView("Manageable", {
        context: { power: { intent, by, look: true, soft: until(ms) } },
        effects: [effect("power", "done", systemRead(false, read))],
      }),
    );

  it("is read again until it is off", () => {
    const first = decideOn(
      hostView("Manageable", {
        signals: [{ kind: "softPowerOff", payload: { by: { ...by, requestId: "r" }, forMs: minute } }],
      }),
    );
    expect(first.effects[0]?.request).toMatchObject({ intent: "softPowerOff", look: false });
    const still = asking("softPowerOff", now + minute, "on");
    expect(effectKindsOf(still)).toEqual([]);
    expect(still.run.dueAtMs).toBe(now + 5_000);
    expect(still.run.context.power).toMatchObject({
      look: true,
      soft: { lookAt: new Date(now + 5_000).toISOString() },
    });
    expect(asking("softPowerOff", now + minute, "off").run.context.power).toBeNull();
  });

  it("is over in time, and says so", () => {
    const late = asking("softPowerOff", now, "on");
    expect(late.run.context.power).toBeNull();
    expect(late.run.lastError).toMatch(/^power off failed: the system did not shut down in time/);
  });

  it.each(["powerOn", "powerOff", "reboot", "retry", "decommission"] as const)(
    "is given up for %s",
    (kind) => {
      const payload = { by: { ...by, requestId: "r" }, reason: "x", keepAccount: false };
      const decision = decideOn(
        hostView("Manageable", {
          context: { power: { intent: "softReboot", by, look: true, soft: until(now + minute) } },
          signals: [{ kind, payload }],
        }),
      );
      expect(decision.consumed).toEqual(["1"]);
      expect(decision.run.context.power?.soft).toBeUndefined();
    },
  );

  it("is given up for a release, which goes on at once", () => {
    const assigned = (requested: boolean, releaseRequestedMs: number | null) =>
      decideOn(
        hostView("Assigned/Ready", {
          instance: instance({ releaseRequestedMs }),
          signals: requested
            ? [{ kind: "release", payload: { by: { ...by, requestId: "r" }, instanceId } }]
            : [],
          context: {
            power: {
              intent: "powerOff",
              by,
              look: true,
              soft: {
                until: new Date(now + minute).toISOString(),
                lookAt: new Date(now + 5_000).toISOString(),
              },
            },
          },
        }),
      );
    expect(assigned(false, null).run.context.power).toMatchObject({ soft: {} });
    const released = assigned(true, now);
    expect(released.run.context.power).toBeNull();
    expect(path(released)[0]).toBe("Assigned/BootingWithDiscoveryImage");
    expect(assigned(false, now - 24 * 60 * minute).run.context.power).toBeNull();
  });

  it("while its request is at the BMC waits for the answer", () => {
    const decision = decideOn(
      hostView("Manageable", {
        context: { power: { intent: "softPowerOff", by, look: false, soft: until(now + minute) } },
        effects: [{ ...effect("power", "permitted"), generation: "7" }],
        signals: [asked("powerOff")],
      }),
    );
    expect(decision.effects).toEqual([]);
    expect(decision.consumed).toEqual([]);
  });

  it("has half an hour at most, whatever was asked for", () => {
    const day = 24 * 60 * minute;
    const decision = decideOn(
      hostView("Manageable", {
        signals: [{ kind: "softPowerOff", payload: { by: { ...by, requestId: "r" }, forMs: day } }],
      }),
    );
    expect(decision.run.context.power?.soft?.until).toBe(new Date(now + 30 * minute).toISOString());
    expect(asking("softPowerOff", now + day, "on").run.context.power?.soft?.until).toBe(
      new Date(now + 30 * minute).toISOString(),
    );
  });

  it("is switched on again for a restart, once it is off", () => {
    const off = asking("softReboot", now + minute, "off");
    expect(off.effects.map(({ request }) => request)).toMatchObject([{ intent: "powerOn", look: false }]);
    expect(off.run.context.power).toMatchObject({ intent: "powerOn" });
  });
});

describe("of a release that does not know the soft ways", () => {
  // The answers of the previous release, in its own words, to intents that it knew and to those it did not (docs/adr/0024-rolling-upgrade.md).
  const before = new Set(["powerOn", "powerOff", "reboot", "inspect"]);

  it.each(["softPowerOff", "softReboot", "inspectByAgent"] as const)("%s is a kind of its own", (kind) => {
    expect(before.has(kind)).toBe(false);
    expect(intentKinds).toContain(kind);
  });

  it("no member of what it knows says that it is asked softly, in a signal, the host's context or an effect", () => {
    const actor = { ...by, requestId: "r" };
    const first = decideOn(
      hostView("Manageable", {
        signals: [{ kind: "softReboot", payload: { by: actor, forMs: minute } }],
      }),
    );
    expect(before.has(String(first.run.context.power?.intent))).toBe(false);
    expect(first.effects.map(({ request }) => request)).toMatchObject([{ intent: "softReboot" }]);
  });

  it("one that was not begun is not done behind a power that goes past the system", () => {
    const actor = { ...by, requestId: "r" };
    const both = decideOn(
      hostView("Manageable", {
        signals: [
          { kind: "softPowerOff", payload: { by: actor, forMs: minute } },
          { kind: "powerOn", payload: { by: actor } },
        ],
      }),
    );
    expect(both.effects.map(({ request }) => request)).toMatchObject([{ intent: "powerOn" }]);
    expect(both.refused).toMatchObject([{ intent: "softPowerOff", reason: "superseded by power on" }]);
  });
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

describe("between the release and the end", () => {
  const erased = {
    reclamation: planned(),
    steps: plan({ erase_nvme: { status: "succeeded", attempt: 1 } }),
  } satisfies ViewChanges;

  it.each(hardPowerIntents)(
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

  it("before the first erase it boots from the network too, and nothing is voided", () => {
    const decision = decideOn(
      hostView("Failed/CleanFailed", { reclamation: planned(), steps: plan(), signals: [asked("reboot")] }),
    );
    expect(decision.effects).toMatchObject([{ kind: "power", request: { network: true } }]);
    expect(decision.run.bootHeld).toBe(true);
    expect(decision.run.context.cleaning.voided).toBeUndefined();
  });

  it("a released host is held before its reclamation begins, and one in use is not", () => {
    const held = (releaseRequestedMs: number | null) =>
      decideOn(hostView("Assigned/BootingWithDiscoveryImage", { instance: instance({ releaseRequestedMs }) }))
        .run.bootHeld;
    expect([held(now), held(null)]).toEqual([true, false]);
  });

  it("by hand neither", () => {
    const changes = { ...erased, reclamation: planned({ kind: "manualCleaning" }) };
    const decision = decideOn(hostView("Failed/CleanFailed", { ...changes, signals: [asked("reboot")] }));
    expect(decision.effects[0]?.request).not.toHaveProperty("network");
    expect(decision.run.bootHeld).toBe(false);
    expect(decision.run.context.cleaning.voided).toBeUndefined();
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
        context: {
          proven,
          cleaning: {
            ...emptyContext().cleaning,
            bootHint: { at: "2026-11-01T11:00:00.000Z", bootEpoch: 3, message: "it booted" },
          },
        },
        effects: [{ ...effect("readSystem", "done", systemRead(false, "off")), request: { bootHint: true } }],
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

describe("a boot setting and an NMI", () => {
  const settings = {
    devices: null,
    device: "disk",
    persistent: true,
    mode: "uefi",
    secureBoot: false,
  } as const;
  const change = { device: "disk", persistent: true } as const;
  const setBoot = { kind: "setBoot", payload: { by, change } } as const;

  it("is sent, read back and shown", () => {
    const sent = decideOn(hostView("Manageable", { signals: [setBoot] }));
    expect(sent.effects[0]).toMatchObject({ kind: "power", request: { intent: "setBoot", change } });
    const over = (read: object) =>
      decideOn(
        hostView("Manageable", {
          context: { power: { intent: "setBoot", by, look: false, change } },
          effects: [effect("power", "done", { value: { settings: { ...settings, ...read } } })],
        }),
      );
    expect(over({}).run).toMatchObject({ lastError: null, context: { power: null, bootSettings: settings } });
    expect(over({ device: null }).run.lastError).toBe(
      "boot setting failed: the boot device is not set, not disk",
    );
  });

  it("whose outcome nobody knows is read, and not sent again", () => {
    const lost = decideOn(
      hostView("Manageable", {
        context: { power: { intent: "setBoot", by, look: false, change } },
        effects: [effect("power", "unknown", { phase: "setBoot" })],
      }),
    );
    expect(lost.effects[0]?.request).toMatchObject({ intent: "setBoot", look: true });
  });

  it.each([
    "Ready",
    "WaitingForCleanup/HostCleanup",
    "WaitingForCleanup/OnHold",
    "Failed/CleanFailed",
  ] as const)("in %s is refused, also where the host has moved on since it was asked for", (state) => {
    for (const signal of [setBoot, { kind: "injectNmi", payload: { by } }] as const) {
      const decision = decideOn(
        hostView(state, { reclamation: state === "Ready" ? null : reclamation({}), signals: [signal] }),
      );
      expect(decision.effects.filter(({ kind }) => kind === "power")).toEqual([]);
      expect(decision.refused).toMatchObject([{ intent: signal.kind }]);
    }
  });

  it("is done in the order in which it was asked for", () => {
    const both = decideOn(hostView("Manageable", { signals: [setBoot, asked("reboot")] }));
    expect(both.effects[0]?.request).toMatchObject({ intent: "setBoot", change });
    expect(both.consumed).toEqual(["1"]);
    const soft = { kind: "softPowerOff", payload: { by, forMs: minute } } as const;
    const past = decideOn(hostView("Manageable", { signals: [soft, setBoot, asked("powerOff")] }));
    expect(past.effects[0]?.request).toMatchObject({ intent: "setBoot" });
    expect(past.refused).toMatchObject([{ intent: "softPowerOff", reason: "superseded by power off" }]);
  });

  it("is refused once a release is requested; power that was accepted before it is not", () => {
    const released = (
      signal: ReturnType<typeof asked> | typeof setBoot | { kind: "injectNmi"; payload: { by: typeof by } },
    ) =>
      decideOn(
        hostView("Assigned/Ready", {
          instance: instance({ releaseRequestedMs: now }),
          signals: [{ kind: "release", payload: { by, instanceId } }, signal],
        }),
      );
    for (const signal of [setBoot, { kind: "injectNmi", payload: { by } }] as const) {
      const decision = released(signal);
      expect(decision.refused).toMatchObject([{ intent: signal.kind, reason: "the host is being released" }]);
      expect(effectKindsOf(decision)).not.toContain("power");
      expect(path(decision)[0]).toBe("Assigned/BootingWithDiscoveryImage");
    }
    expect(effectKindsOf(released(asked("powerOff")))).toEqual(["power"]);
  });

  it.each([{ mode: "bios" }, { secureBoot: false }, { device: "disk", secureBoot: true }] as const)(
    "of boot mode or secure boot is refused on a tenant's host: %o",
    (wanted) => {
      const signal = { kind: "setBoot", payload: { by, change: wanted } } as const;
      const tenants = decideOn(hostView("Assigned/Ready", { instance: instance(), signals: [signal] }));
      expect(tenants.effects).toEqual([]);
      expect(tenants.refused[0]?.reason).toMatch(/set only in Manageable/);
      expect(effectKindsOf(decideOn(hostView("Manageable", { signals: [signal] })))).toEqual(["power"]);
    },
  );

  it("that failed is looked at, and the error names the part that was done", () => {
    const both = { device: "disk", secureBoot: true } as const;
    const power = { intent: "setBoot", by, look: false, change: both } as const;
    const failed = decideOn(
      hostView("Manageable", {
        context: { power, bootSettings: { ...settings, device: "pxe" } },
        effects: [failedEffect("power")],
      }),
    );
    expect(failed.effects[0]?.request).toMatchObject({ intent: "setBoot", look: true });
    const looked = (outcome: ReturnType<typeof effect>) =>
      decideOn(hostView("Manageable", { context: failed.run.context, effects: [outcome] })).run;
    expect(looked(effect("power", "done", { value: { settings } }))).toMatchObject({
      lastError: "boot setting failed: 503 Service Unavailable; reads as requested: boot device",
      context: { power: null, bootSettings: settings },
    });
    const unread = looked(failedEffect("power", "no answer"));
    expect(unread.lastError).toBe(
      "boot setting failed: 503 Service Unavailable; what was set is unknown, because the BMC could not be read: no answer",
    );
    expect(unread.context).toMatchObject({ power: null });
    expect(unread.context.bootSettings).toBeUndefined();
  });

  it("is forgotten with the boot that Reclaim orders", () => {
    const decision = decideOn(
      hostView("WaitingForCleanup/BootingAgent", {
        reclamation: reclamation({}),
        context: { bootSettings: settings },
      }),
    );
    expect(effectKindsOf(decision)).toContain("bootAgent");
    expect(decision.run.context.bootSettings).toMatchObject({
      device: null,
      persistent: false,
      mode: "uefi",
    });
  });

  it("uses no agent of before the NMI", () => {
    const decision = decideOn(
      hostView("Manageable", { agent: agent(), signals: [{ kind: "injectNmi", payload: { by } }] }),
    );
    expect(decision.effects[0]?.request).toMatchObject({ intent: "injectNmi" });
    expect(decision.run.context.minEpoch).toBeGreaterThan(0);
  });
});

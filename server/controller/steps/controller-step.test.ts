// One clean step of the controller: what the BMC is asked, and what each of its answers leads to.
import { describe, expect, it } from "vitest";
import { findCleanStep } from "@/server/domain/cleaning/steps/catalogue";
import { noPlatformFacts } from "@/server/domain/hosts/inventory/platform";
import { emptyCleaning } from "@/server/domain/lifecycle/context";
import type { State } from "@/server/domain/lifecycle/states";
import { nothingReadBack } from "@/server/domain/cleaning/sanitization/device-result";
import type { Decision } from "@/server/controller/host/decision";
import type { EffectView } from "@/server/domain/hosts/record/effect";
import type { StepView } from "@/server/domain/hosts/record/reclamation";
import type { HostView } from "@/server/domain/hosts/record/view";
import { deviceResultOf, sku, ssd1 } from "@/server/controller/testing/hardware";
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
  inventory,
  networkContext,
  planned,
} from "@/server/controller/testing/view-parts";
import type { ViewChanges } from "@/server/controller/testing/host-view";
import { jobOf, stepRun as stepRunOf, type Job } from "@/server/controller/testing/step-views";

const network = networkContext("admin");
const iso = (ms: number): string => new Date(ms).toISOString();

function stepRun(name: string, position: number, changes: Partial<StepView> = {}): StepView {
  const [stepInterface = "", step = ""] = name.split(".");
  const declared = findCleanStep(stepInterface, step);
  return stepRunOf(
    position,
    { interface: stepInterface, step, where: declared?.where ?? "controller" },
    { proves: declared?.proves ?? [], ...changes },
  );
}

const begun = (changes: Partial<StepView> = {}): Partial<StepView> => ({
  status: "running",
  attempt: 1,
  startedAtMs: now - 5 * minute,
  deadlineAtMs: now + 25 * minute,
  ...changes,
});
interface Case extends Omit<ViewChanges, "context"> {
  readonly state?: State;
  readonly step?: string;
  readonly row?: Partial<StepView>;
  readonly then?: readonly StepView[];
  readonly job?: Job | null;
  readonly minEpoch?: number;
}

function view({
  state = "WaitingForCleanup/PlatformCleanup",
  step = "management.lock_bmc",
  row = begun(),
  then = [],
  job: known = jobOf(),
  minEpoch = 3,
  ...changes
}: Case = {}): HostView {
  return hostView(state, {
    reclamation: planned(),
    agent: agent(),
    inventory: inventory(),
    acks: acksOf(network),
    steps: [stepRun(step, 1, row), ...then],
    attempt: attempt({ attempt: row.attempt ?? 1 }),
    ...changes,
    context: { network, minEpoch, cleaning: { ...emptyCleaning(), job: known }, returnTo: state },
  });
}

const answer = (
  status: EffectView["status"],
  result: unknown,
  request: Record<string, unknown> = {},
): EffectView => ({
  id: "effect-step",
  kind: "step",
  status,
  generation: "6",
  request: { stepRunId: stepId(1), attempt: 1, phase: "begin", ...request },
  result,
  settledAtMs: null,
});
const told = (value: unknown): readonly EffectView[] => [answer("done", { value })];
const wrong = (kind: string, message: string): readonly EffectView[] => [
  answer("failed", { error: { kind, message } }),
];
const lockOut = { error: { kind: "refused", message: "no", answer: { http: 401, messageIds: [] } } };
const asked = (decision: Decision) =>
  decision.effects.filter((effect) => effect.kind === "step").map((effect) => effect.request);
const done = { kind: "done", message: "locked", devices: [] };

describe("a step begins", () => {
  const fresh = { row: {}, job: null };

  it("by asking the BMC, with its arguments and what its code rests on", () => {
    const decision = decideOn(
      view({
        ...fresh,
        row: { args: { devices: ["SSD1"] } },
        step: "raid.secure_erase_drives",
        host: { sku: { name: "R760", components: { ...sku.components, baseline: { lockdown: true } } } },
        platform: { ...noPlatformFacts, erasableDrives: ["SSD1"] },
      }),
    );
    expect(asked(decision)).toEqual([
      {
        stepRunId: stepId(1),
        attempt: 1,
        interface: "raid",
        step: "secure_erase_drives",
        args: { devices: ["SSD1"] },
        phase: "begin",
        handle: null,
        known: { platform: { ...noPlatformFacts, erasableDrives: ["SSD1"] }, baseline: { lockdown: true } },
      },
    ]);
    expect(decision.steps).toMatchObject([
      { status: "running", attempt: 1, deadlineAtMs: now + 30 * minute },
    ]);
    expect(decision.attempts).toMatchObject([{ attempt: 1, bootEpoch: 3, ended: false }]);
    expect(decision.run).toMatchObject({
      erasing: true,
      command: null,
      cleanStep: "raid.secure_erase_drives",
      context: { cleaning: { job: { stepRunId: stepId(1), attempt: 1, handle: null } } },
    });
  });

  it("without forbidding power when it erases nothing", () => {
    expect(decideOn(view(fresh)).run.erasing).toBe(false);
  });

  it("and takes nothing away from an erase of a reclamation that has ended", () => {
    const left = view({ ...fresh, run: { erasing: true } });
    const decision = decideOn({
      ...left,
      run: { ...left.run, context: { ...left.run.context, eraseUntil: iso(now + minute) } },
    });
    expect(decision.run.erasing).toBe(true);
  });

  it("without an agent", () => {
    expect(asked(decideOn(view({ ...fresh, agent: null })))).toHaveLength(1);
  });

  it("in its own state, after the agent's steps, with the next claim: this one brought nothing of what the BMC offers", () => {
    const report = { attempt: 1, result: "OK" as const, message: "", devices: [], journal: [] };
    const decision = decideOn(
      view({
        state: "WaitingForCleanup/HostCleanup",
        step: "deploy.verify_mem_overwrite",
        job: null,
        attempt: attempt({ report }),
        then: [stepRun("raid.create_boss_volume", 2)],
      }),
    );
    expect(path(decision)).toEqual(["WaitingForCleanup/CreateBossVolume/CreateBossVolume"]);
    expect([asked(decision), decision.run.waitReason]).toEqual([
      [],
      "reading what the BMC offers for raid.create_boss_volume",
    ]);
    expect(decision.run.dueAtMs).toBeLessThan(now + 1_000);
    const next = decideOn(
      view({
        ...fresh,
        state: "WaitingForCleanup/CreateBossVolume/CreateBossVolume",
        step: "raid.create_boss_volume",
      }),
    );
    expect(asked(next)).toMatchObject([{ step: "create_boss_volume", phase: "begin" }]);
  });
});

describe("while the answer is on its way", () => {
  it("nothing is asked again", () => {
    const decision = decideOn(
      view({ effects: [{ ...answer("permitted", { phase: "step" }), generation: "7" }] }),
    );
    expect(decision.effects).toEqual([]);
    expect(decision.run.dueAtMs).toBeNull();
  });

  it.each([
    ["never sent", answer("written", null)],
    ["sent by a process that died", answer("permitted", { phase: "step" })],
  ])("what was %s is asked again: it looks first", (_what, effect) => {
    expect(asked(decideOn(view({ effects: [effect] })))).toMatchObject([
      { phase: "begin", attempt: 1, handle: null },
    ]);
    expect(asked(decideOn(view({ effects: [effect], job: jobOf({ handle: "JID_1" }) })))).toMatchObject([
      { phase: "check", attempt: 1, handle: "JID_1" },
    ]);
  });

  it("an answer about an earlier attempt is not taken for this one's", () => {
    const decision = decideOn(
      view({
        row: begun({ attempt: 2 }),
        job: jobOf({ attempt: 2 }),
        effects: [answer("done", { value: done })],
      }),
    );
    expect(decision.steps).toEqual([]);
    expect(asked(decision)).toMatchObject([{ attempt: 2, phase: "begin" }]);
  });
});

describe("done", () => {
  it("goes on with the next step", () => {
    const decision = decideOn(view({ effects: told(done), then: [stepRun("firmware.verify_baseline", 2)] }));
    expect(decision.steps).toMatchObject([
      { id: stepId(1), status: "succeeded", message: "locked" },
      { id: stepId(2), status: "running", attempt: 1 },
    ]);
    expect(asked(decision)).toMatchObject([{ step: "verify_baseline", phase: "begin", handle: null }]);
    expect(decision.run.context.cleaning.job).toMatchObject({ stepRunId: stepId(2) });
  });

  it("goes on to the agent's step, which gets its command", () => {
    const decision = decideOn(view({ effects: told(done), then: [stepRun("deploy.reset_infiniband", 2)] }));
    expect(path(decision)).toEqual(["WaitingForCleanup/HostCleanup"]);
    expect(decision.run.command).toMatchObject({ kind: "execute", step: "reset_infiniband" });
  });

  it("of the last step leads to the inventory", () => {
    expect(path(decideOn(view({ effects: told(done) })))).toEqual(["BomValidating/UpdatingInventory"]);
  });
});

describe("a step that erases", () => {
  const erase = (devices: readonly unknown[]) =>
    decideOn(
      view({
        step: "raid.secure_erase_drives",
        platform: { ...noPlatformFacts, erasableDrives: ["SSD1"] },
        run: { erasing: true },
        effects: told({ kind: "done", message: "erased", devices }),
      }),
    );
  const byBmc = deviceResultOf(ssd1, {
    technique: "redfish-drive-secure-erase",
    verification: nothingReadBack,
  });

  it("is judged by its devices, and ends with a restart before the inventory", () => {
    const decision = erase([byBmc]);
    expect(decision.deviceResults).toMatchObject([
      {
        serial: "SSD1",
        verdict: "sanitized",
        level: "purge",
        reason: expect.stringContaining("status of the BMC's job"),
      },
    ]);
    expect(decision.run.erasing).toBe(false);
    expect(decision.run.context.proven.lastStepEpoch).toBe(3);
    expect(path(decision)).toEqual(["BomValidating/BootingAgent"]);
  });

  it.each([
    ["a drive failed", [{ ...byBmc, result: "ERROR", message: "media error" }]],
    [
      "only its status is told of a technique that is the agent's",
      [deviceResultOf(ssd1, { verification: nothingReadBack })],
    ],
    [
      "it reports another drive too, that was not sanitized",
      [byBmc, { ...byBmc, serial: "X", result: "ERROR", message: "no" }],
    ],
  ])("has failed when %s", (_what, devices) => {
    const decision = erase(devices);
    expect(decision.steps).toMatchObject([{ status: "planned", attempt: 1 }]);
    expect(decision.attempts).toMatchObject([{ verdict: "failed", ended: true }]);
  });

  it("that says nothing of an expected drive stops the host at once", () => {
    expect(path(erase([]))).toEqual(["Failed/DeviceMissing"]);
  });

  it("forbids power until it has ended: also when its end was not seen in time", () => {
    const late = decideOn(
      view({
        step: "raid.secure_erase_drives",
        row: begun({ deadlineAtMs: now }),
        run: { erasing: true },
        job: jobOf({ handle: "JID", lookAt: iso(now + minute) }),
      }),
    );
    expect(path(late)).toEqual(["Failed/StepTimeout"]);
    expect(late.run.erasing).toBe(true);
  });
});

describe("running", () => {
  it("is looked at again after the policy's time, and shows how far it is", () => {
    const decision = decideOn(
      view({
        effects: told({ kind: "running", handle: { job: "JID_7" }, percent: 34, message: "JID_7 runs" }),
      }),
    );
    expect(decision.run).toMatchObject({
      cleanStep: "management.lock_bmc",
      cleanProgress: { percent: 34, message: "JID_7 runs" },
      dueAtMs: now + 10_000,
    });
    expect(decision.run.context.cleaning.job).toMatchObject({
      handle: { job: "JID_7" },
      lookAt: iso(now + 10_000),
    });
    expect(decision.effects).toEqual([]);
  });

  it("is checked with its handle when its time has come, and not before", () => {
    expect(asked(decideOn(view({ job: jobOf({ handle: "JID_7", lookAt: iso(now) }) })))).toMatchObject([
      { phase: "check", handle: "JID_7" },
    ]);
    const early = decideOn(
      view({
        job: jobOf({ handle: "JID_7", lookAt: iso(now + 1_000) }),
        signals: [{ kind: "look", payload: {} }],
      }),
    );
    expect(early.effects).toEqual([]);
    expect(early.run.dueAtMs).toBe(now + 1_000);
  });

  it("over its time limit stops the host, which stays on", () => {
    const decision = decideOn(
      view({ row: begun({ deadlineAtMs: now }), job: jobOf({ handle: "JID_7", lookAt: iso(now + 1_000) }) }),
    );
    expect(path(decision)).toEqual(["Failed/StepTimeout"]);
    expect(decision.run.lastError).toMatch(/^management.lock_bmc did not finish within 5 min/);
    expect(decision.effects).toEqual([]);
    expect(decision.run).toMatchObject({ maintenance: true, context: { cleaning: { job: null } } });
  });

  // BmcUnreachable is retried automatically, so a step that ended so would begin again and again (docs/adr/0064-the-next-way.md).
  it.each([
    ["that is silent", "BmcUnreachable", 2, "bmcSilent"],
    ["that answers with an error", "StepTimeout", 2, "bmcError"],
    ["that refuses", "StepTimeout", 2, "bmcRefused"],
    ["that answered since", "StepTimeout", 0, "bmcSilent"],
  ] as const)("over its time limit with a BMC %s is %s", (_what, cause, failures, key) => {
    const known = view({ row: begun({ deadlineAtMs: now }), run: { lastError: "an error" } });
    const context = {
      ...known.run.context,
      trouble: [{ key, raw: "what it said" }],
      cleaning: { ...known.run.context.cleaning, job: jobOf({ handle: "JID_7", failures }) },
    };
    const decision = decideOn({ ...known, run: { ...known.run, context } });
    expect(path(decision)).toEqual([`Failed/${cause}`]);
    // Silence and errors leave open what became of the job: a retry asks. A BMC that answered until the end has not done it.
    expect(decision.run.context.cleaning.job?.handle).toBe(failures > 0 ? "JID_7" : undefined);
    // The earlier trouble stays the first cause.
    expect(decision.entered.at(-1)?.causes?.map((each) => each.key)).toEqual([key, "stepTimeout"]);
  });
});

describe("a restart that a step asks for", () => {
  const wanted = told({ kind: "restart", handle: { task: "T1" }, message: "pending until the restart" });

  it("boots the agent in a boot of its own, which the permit knows of", () => {
    const decision = decideOn(view({ step: "bios.recommit", effects: wanted }));
    expect(path(decision)).toEqual(["WaitingForCleanup/BootingAgent"]);
    expect(effectKindsOf(decision)).toEqual(["bootAgent"]);
    expect(decision.run).toMatchObject({
      bootEpoch: 4,
      erasing: false,
      cleanStep: "bios.recommit",
      context: {
        minEpoch: 4,
        returnTo: "WaitingForCleanup/PlatformCleanup",
        cleaning: { job: { handle: { task: "T1" }, restartEpoch: 4, restarts: 1 } },
      },
    });
    expect(decision.steps).toEqual([]);
  });

  it("is followed by a look with the same handle, and a time limit that begins anew", () => {
    const looked = decideOn(
      view({
        step: "bios.recommit",
        row: begun({ deadlineAtMs: now - minute }),
        job: jobOf({ handle: { task: "T1" }, restartEpoch: 3, restarts: 1 }),
      }),
    );
    expect(asked(looked)).toMatchObject([{ phase: "check", handle: { task: "T1" } }]);
    expect(looked.steps).toMatchObject([{ status: "running", deadlineAtMs: now + 30 * minute }]);
    expect(looked.run.context.cleaning.job).toMatchObject({ restartEpoch: null, restarts: 1 });
  });

  it("is waited for in BootingAgent, and goes on from there", () => {
    const waiting = view({
      state: "WaitingForCleanup/BootingAgent",
      step: "bios.recommit",
      job: jobOf({ handle: "T1", restartEpoch: 3, restarts: 1 }),
    });
    const decision = decideOn({
      ...waiting,
      run: {
        ...waiting.run,
        context: { ...waiting.run.context, returnTo: "WaitingForCleanup/PlatformCleanup" },
      },
    });
    expect(path(decision)).toEqual(["WaitingForCleanup/PlatformCleanup"]);
    expect(asked(decision)).toMatchObject([{ phase: "check", handle: "T1" }]);
  });

  it("is not over before an agent of it has registered", () => {
    const decision = decideOn(
      view({
        step: "bios.recommit",
        minEpoch: 4,
        job: jobOf({ handle: "T1", restartEpoch: 4, restarts: 1 }),
      }),
    );
    expect(path(decision)).toEqual(["WaitingForCleanup/BootingAgent"]);
    expect(asked(decision)).toEqual([]);
  });

  it("does not go on for ever", () => {
    const decision = decideOn(
      view({
        step: "bios.recommit",
        row: begun({ maxAttempts: 1 }),
        effects: wanted,
        job: jobOf({ restarts: 15 }),
      }),
    );
    expect(path(decision)).toEqual(["Failed/BiosSetupFailed"]);
  });
});

describe("a failure", () => {
  it("is tried again after a while, and every attempt's message is kept", () => {
    const first = decideOn(view({ effects: told({ kind: "failed", message: "LC068" }) }));
    expect(first.steps).toMatchObject([{ status: "planned", attempt: 1, message: "attempt 1: LC068" }]);
    expect(first.run).toMatchObject({
      dueAtMs: now + 30_000,
      context: { cleaning: { job: { attempt: 1, lookAt: iso(now + 30_000) } } },
    });
    const waiting = {
      row: { status: "planned", attempt: 1, message: "attempt 1: LC068" },
      job: jobOf({ lookAt: iso(now + 30_000) }),
    } as const;
    expect(asked(decideOn(view(waiting)))).toEqual([]);
    const second = decideOn(view({ ...waiting, job: jobOf({ lookAt: iso(now) }) }));
    expect(asked(second)).toMatchObject([{ attempt: 2, phase: "begin" }]);
    expect(second.steps).toMatchObject([{ status: "running", attempt: 2, message: "attempt 1: LC068" }]);
  });

  it("for the last time stops the host with the step's cause and all messages", () => {
    const decision = decideOn(
      view({
        step: "bios.recommit",
        row: begun({ attempt: 3, message: "attempt 1: a\nattempt 2: b" }),
        job: jobOf({ attempt: 3 }),
        effects: [answer("done", { value: { kind: "failed", message: "c" } }, { attempt: 3 })],
      }),
    );
    expect(path(decision)).toEqual(["Failed/BiosSetupFailed"]);
    expect(decision.run).toMatchObject({
      lastError: "bios.recommit failed in the BMC: c.",
      maintenance: true,
      erasing: false,
    });
    expect(decision.steps).toMatchObject([{ status: "failed" }]);
  });

  it("because its argument does not fit the machine is final", () => {
    const decision = decideOn(
      view({
        step: "bios.recommit",
        effects: told({ kind: "failed", message: "the BIOS has no setting Sriov", final: true }),
      }),
    );
    expect(path(decision)).toEqual(["Failed/BiosSetupFailed"]);
    expect(decision.run.lastError).toBe("bios.recommit failed in the BMC: the BIOS has no setting Sriov.");
  });

  it("of the BMC counts as an attempt", () => {
    expect(decideOn(view({ effects: wrong("refused", "403 Forbidden") })).steps).toMatchObject([
      { status: "planned", message: "attempt 1: 403 Forbidden" },
    ]);
  });

  it("because the hardware has no such step is final", () => {
    const decision = decideOn(
      view({ effects: wrong("unsupported", "hardware type dell does not offer management.lock_bmc") }),
    );
    expect(path(decision)).toEqual(["Failed/PlatformCleanFailed"]);
    expect(decision.run.lastError).toBe(
      "The BMC does not support a required feature: hardware type dell does not offer management.lock_bmc.",
    );
  });

  it("to say something that can be understood counts as an attempt", () => {
    expect(decideOn(view({ effects: told({ kind: "perhaps" }) })).steps).toMatchObject([
      { status: "planned", attempt: 1 },
    ]);
  });
});

describe("a BMC that does not answer", () => {
  it.each([
    ["did not", wrong("unreachable", "connect ETIMEDOUT")],
    [
      "cannot be said to have",
      [answer("unknown", { phase: "step", error: { kind: "unreachable", message: "socket hang up" } })],
    ],
  ])("is asked again later in the same attempt when it %s", (_what, effects) => {
    const decision = decideOn(view({ effects, job: jobOf({ handle: "JID_7" }) }));
    expect(decision.steps).toEqual([]);
    expect(decision.effects).toEqual([]);
    expect(decision.run).toMatchObject({
      dueAtMs: now + 30_000,
      context: { cleaning: { job: { handle: "JID_7", failures: 1, lookAt: iso(now + 30_000) } } },
    });
    expect(decision.run.lastError).not.toBeNull();
  });

  it.each([
    ["failed", 500],
    ["failed", 200],
    ["unsupported", 404],
  ])("well (%s, status %i) has not ended its job, which is asked about again", (kind, http) => {
    const effects = [answer("failed", { error: { kind, message: "no", answer: { http, messageIds: [] } } })];
    const decision = decideOn(view({ effects, job: jobOf({ handle: "JID_7" }) }));
    expect([decision.steps, decision.effects]).toEqual([[], []]);
    expect(decision.run.context.cleaning.job).toMatchObject({ handle: "JID_7", failures: 1 });
    const again = decideOn(view({ effects, job: jobOf({ handle: "JID_7", failures: 9 }) }));
    expect(path(again)).toEqual(["Failed/PlatformCleanFailed"]);
    // What it does not know after ten times it will not know after a retry.
    expect(again.run.context.cleaning.job?.handle).toBe(kind === "failed" ? "JID_7" : undefined);
  });

  it("a second time, after a stop, is asked about its job no more: the step begins anew", () => {
    const again = decideOn(
      view({
        effects: wrong("unreachable", "connect ETIMEDOUT"),
        job: jobOf({ handle: "JID_7", failures: 9, stops: 1 }),
      }),
    );
    expect([path(again), again.run.context.cleaning.job]).toEqual([["Failed/BmcUnreachable"], null]);
  });

  it("as expected, until the time limit, is asked about its job after a retry", () => {
    const silent = decideOn(
      view({
        effects: told({ kind: "running", handle: "JID_7", percent: null, message: "away", silent: true }),
        job: jobOf({ handle: "JID_7", failures: 1 }),
      }),
    );
    expect(silent.run.context.cleaning.job).toMatchObject({ handle: "JID_7", failures: 1 });
    const late = decideOn(
      view({ row: begun({ deadlineAtMs: now }), job: jobOf({ handle: "JID_7", failures: 1 }) }),
    );
    expect([path(late), late.run.context.cleaning.job?.handle]).toEqual([["Failed/StepTimeout"], "JID_7"]);
  });

  it("well during an erase, too often: the erase may still be running", () => {
    const decision = decideOn(
      view({
        step: "raid.secure_erase_drives",
        platform: { ...noPlatformFacts, erasableDrives: ["SSD1"] },
        run: { erasing: true },
        effects: [
          answer("failed", {
            error: { kind: "failed", message: "no", answer: { http: 500, messageIds: [] } },
          }),
        ],
        job: jobOf({ handle: { task: "/Tasks/1" }, failures: 9 }),
      }),
    );
    expect([path(decision)[0]?.startsWith("Failed/"), decision.run.erasing]).toEqual([true, true]);
    expect(decision.run.context.cleaning.job).toBeNull();
  });

  it("too often stops the host, until it answers again", () => {
    const decision = decideOn(
      view({ effects: wrong("unreachable", "connect ETIMEDOUT"), job: jobOf({ failures: 9 }) }),
    );
    expect(path(decision)).toEqual(["Failed/BmcUnreachable"]);
    const failed = decideOn(
      view({
        state: "Failed/BmcUnreachable",
        reclamation: planned({ stoppedIn: "WaitingForCleanup/PlatformCleanup" }),
        row: { ...begun(), status: "failed" },
        job: null,
        effects: [{ ...answer("done", { value: {} }), id: "effect-read", kind: "readSystem" }],
      }),
    );
    expect(path(failed)).toEqual(["WaitingForCleanup/PlatformCleanup"]);
    expect(asked(failed)).toMatchObject([{ attempt: 2, phase: "begin" }]);
  });
});

describe("a BMC that no longer lets us in while it does something", () => {
  const stopped = (error: { readonly kind: string; readonly answer?: object }) =>
    decideOn(
      view({
        effects: [answer("failed", { error: { message: "no", ...error } })],
        job: jobOf({ handle: "JID_7" }),
      }),
    );

  it.each([
    ["Failed/BmcCertificateChanged", { kind: "untrusted" }],
    ["Failed/BmcOfAnotherHost", { kind: "otherHost" }],
    ["Failed/BmcRefused", { kind: "refused", answer: { http: 401, messageIds: [] } }],
  ])("stops the host at once in %s, and a retry asks about the job", (state, error) => {
    const decision = stopped(error);
    expect(path(decision)).toEqual([state]);
    const kept = decision.run.context?.cleaning.job ?? null;
    expect(kept).toMatchObject({ handle: "JID_7" });
    const next = decideOn(view({ row: { status: "planned", attempt: 1, message: "no" }, job: kept }));
    expect(asked(next)).toMatchObject([{ attempt: 2, phase: "check", handle: "JID_7" }]);
  });

  it("too often silent, is asked about its job after a retry as well", () => {
    const decision = decideOn(
      view({
        effects: wrong("unreachable", "connect ETIMEDOUT"),
        job: jobOf({ handle: "JID_7", failures: 9 }),
      }),
    );
    expect(path(decision)).toEqual(["Failed/BmcUnreachable"]);
    expect(decision.run.context?.cleaning.job).toMatchObject({ handle: "JID_7", failures: 0 });
  });

  // After its restart a BMC may number its tasks from 1 again: the job at that path may be another one, and completed.
  it.each([
    ["refused", "Failed/BmcRefused", wrong("refused", "no").map((each) => ({ ...each, result: lockOut }))],
    ["silent", "Failed/BmcUnreachable", wrong("unreachable", "connect ETIMEDOUT")],
  ])(
    "forgets the job of an erase when it is %s: a retry begins anew, and looks at the drives",
    (_what, state, effects) => {
      const erase = {
        step: "raid.secure_erase_drives",
        platform: { ...noPlatformFacts, erasableDrives: ["SSD1"] },
      };
      const decision = decideOn(
        view({
          ...erase,
          effects,
          run: { erasing: true },
          job: jobOf({ handle: { task: "/Tasks/1" }, failures: 9 }),
        }),
      );
      expect([path(decision), decision.run.erasing]).toEqual([[state], true]);
      const kept = decision.run.context?.cleaning.job ?? null;
      expect(kept).toBeNull();
      const next = decideOn(
        view({ ...erase, row: { status: "planned", attempt: 1, message: "no" }, job: kept }),
      );
      expect(asked(next)).toMatchObject([{ attempt: 2, phase: "begin", handle: null }]);
    },
  );
});

it.each([
  ["that waited for a restart", { restartEpoch: 4 }, "management.lock_bmc"],
  ["of an erase", {}, "raid.secure_erase_drives"],
])("a job %s is not taken up by a later attempt, however the one before ended", (_what, job, step) => {
  const decision = decideOn(
    view({
      step,
      platform: { ...noPlatformFacts, erasableDrives: ["SSD1"] },
      row: { status: "planned", attempt: 1, message: "aborted" },
      job: jobOf({ handle: "JID_7", ...job }),
    }),
  );
  expect(asked(decision)).toMatchObject([{ attempt: 2, phase: "begin", handle: null }]);
});

it("a retry goes on in the state of the failed step, with a new attempt", () => {
  const decision = decideOn(
    view({
      state: "Failed/BiosSetupFailed",
      step: "bios.recommit",
      reclamation: planned({ stoppedIn: "WaitingForCleanup/PlatformCleanup" }),
      row: { ...begun({ attempt: 3, message: "attempt 3: c" }), status: "failed" },
      job: null,
      signals: [{ kind: "retry", payload: { by: { personId: null, name: "operator", requestId: "r" } } }],
    }),
  );
  expect(path(decision)).toEqual(["WaitingForCleanup/PlatformCleanup"]);
  expect(decision.steps).toMatchObject([{ status: "running", attempt: 4, maxAttempts: 8, message: null }]);
});

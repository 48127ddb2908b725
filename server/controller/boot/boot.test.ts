// Getting an agent onto a host: boot window, reboot rule, unknown outcomes, and no restart into an erase.
import { describe, expect, it } from "vitest";
import { otherCause } from "@/server/domain/cleaning/failures/cause";
import { checkNext } from "@/server/domain/cleaning/failures/text";
import { emptyContext } from "@/server/domain/lifecycle/context";
import type { BootContext } from "@/server/domain/lifecycle/context";
import type { State } from "@/server/domain/lifecycle/states";
import type { JournalEvent } from "@/server/domain/cleaning/sanitization/device-result";
import { freezeDevices } from "@/server/domain/cleaning/sanitization/known-devices";
import { allDrives, ssd1 } from "@/server/controller/testing/hardware";
import {
  alerted,
  by,
  decideOn,
  effectKindsOf,
  hostView,
  minute,
  now,
  path,
  withTimes,
} from "@/server/controller/testing/host-view";
import {
  acksOf,
  agent,
  attempt,
  inventory,
  networkContext,
  plan,
  planned,
  reclamation,
  succeededPlan,
  endsAt,
} from "@/server/controller/testing/view-parts";
import {
  clockAt,
  effect,
  failedEffect,
  restarted,
  systemRead,
} from "@/server/controller/testing/effect-views";
import type { ViewChanges } from "@/server/controller/testing/host-view";
import { kinds } from "@/server/testing/failure-kinds";

const network = networkContext("admin");
const iso = (ms: number): string => new Date(ms).toISOString();
const boot = (changes: Partial<BootContext> = {}): BootContext => ({
  epoch: 3,
  attempt: 1,
  orderedAt: null,
  bmcFailures: 0,
  retryAt: null,
  ...changes,
});

const booting = (of: BootContext | null, changes: ViewChanges = {}) =>
  decideOn(
    hostView("WaitingForCleanup/BootingAgent", {
      reclamation: reclamation(),
      acks: acksOf(network),
      ...changes,
      context: { network, minEpoch: 3, boot: of, ...changes.context },
    }),
  );

describe("the first boot", () => {
  it("opens a window and orders it in one decision", () => {
    const decision = booting(null);
    expect(decision.effects).toMatchObject([
      { kind: "bootAgent", request: { bootEpoch: 4, powerCycle: false } },
    ]);
    expect(decision.run).toMatchObject({
      bootEpoch: 4,
      command: null,
      erasing: false,
      context: { boot: { epoch: 4, attempt: 1 } },
    });
    expect(decision.bootWindowMs).toBe(now + 30 * minute);
  });

  it("is not needed where an agent of the boot was heard of", () => {
    const decision = booting(boot(), {
      agent: agent(),
      inventory: inventory(),
      effects: [effect("bootAgent", "done"), effect("lookBoot", "done")],
    });
    expect(path(decision)[0]).toBe("WaitingForCleanup/Init");
    expect(decision.run.context.boot).toBeNull();
    expect(decision.readEffects).toEqual(["effect-bootAgent", "effect-lookBoot"]);
  });
});

describe("a host that somebody may have touched", () => {
  const hidden = freezeDevices([...allDrives, { ...ssd1, serial: "RAID1" }], allDrives, [], ["RAID1"]);
  const touched = (changes: ViewChanges & { readonly in?: State } = {}) =>
    decideOn(
      hostView(changes.in ?? "Validation/RebootHost", {
        reclamation: planned({ devices: hidden }),
        steps: succeededPlan(),
        acks: acksOf(network),
        ...changes,
        run: { touched: true, ...changes.run },
        context: { network, minEpoch: 4, ...changes.context },
      }),
    ).run;

  it("stays touched through a boot that cannot show what was done to a drive that no agent reads", () => {
    expect(touched()).toMatchObject({ bootEpoch: 4, touched: true });
    expect(touched({ run: { touched: false } }).touched).toBe(false);
  });

  it.each<readonly [string, ViewChanges & { readonly in?: State }]>([
    ["every drive is read", { reclamation: planned() }],
    ["nothing was erased yet", { steps: plan() }],
    [
      "everything is erased again",
      {
        in: "WaitingForCleanup/BootingAgent",
        context: { network, minEpoch: 4, returnTo: "WaitingForCleanup/Init" },
      },
    ],
  ])("is not touched any more by a boot after which %s", (_what, changes) => {
    expect(touched(changes)).toMatchObject({ bootEpoch: 4, touched: false });
  });
});

describe("a boot source that was set for every boot", () => {
  const withAgent = (bootToClear: number | undefined, effects: NonNullable<ViewChanges["effects"]> = []) =>
    booting(boot(), {
      agent: agent(),
      inventory: inventory(),
      effects,
      context: bootToClear === undefined ? {} : { bootToClear },
    });
  const clearing = { bootEpoch: 3, clearBoot: true };

  it("is taken away once the agent is there", () => {
    const done = effect("bootAgent", "done", { value: { ...restarted().value, continuous: true } });
    const decision = withAgent(undefined, [done]);
    expect(decision.effects).toContainEqual(expect.objectContaining({ kind: "lookBoot", request: clearing }));
    expect(decision.run.context).not.toHaveProperty("bootToClear");
  });

  it.each(["done", "failed", "unknown"] as const)("is asked for once, also when that was %s", (status) => {
    const clearingOnce = withAgent(0);
    expect(effectKindsOf(clearingOnce)).toContain("lookBoot");
    expect(clearingOnce.run.context).not.toHaveProperty("bootToClear");
    const tried = {
      ...effect("lookBoot", status, status === "done" ? systemRead(false) : {}),
      request: clearing,
    };
    const after = withAgent(undefined, [tried]);
    expect(effectKindsOf(after)).not.toContain("lookBoot");
    expect(after.readEffects).toContain("effect-lookBoot");
  });

  it("costs nothing where the BMC takes one for one boot", () => {
    const done = effect("bootAgent", "done", restarted());
    expect(effectKindsOf(withAgent(undefined, [done]))).not.toContain("lookBoot");
  });
});

describe("what became of the restart", () => {
  it("done, and nobody looked until the next boot is due: that one is ordered", () => {
    const settled = effect("bootAgent", "done", restarted(), now - 90 * minute);
    expect(booting(boot(), { effects: [settled] }).effects).toMatchObject([
      { kind: "bootAgent", request: { bootEpoch: 4 }, quietMs: 90 * minute },
    ]);
    expect(booting(boot(), { effects: [{ ...settled, settledAtMs: now - 89 * minute }] }).run).toMatchObject({
      dueAtMs: now + minute,
      context: { boot: { orderedAt: iso(now - 89 * minute) } },
    });
  });

  it("done: counts from then", () => {
    const decision = booting(boot({ bmcFailures: 2 }), {
      effects: [effect("bootAgent", "done", restarted())],
      run: { lastError: "before" },
    });
    expect(decision.run).toMatchObject({
      lastError: null,
      dueAtMs: now + 90 * minute,
      context: { boot: { orderedAt: iso(now), bmcFailures: 0 } },
    });
    expect(decision.effects).toEqual([]);
  });

  it("pending: waits", () => {
    expect(
      booting(boot(), {
        effects: [{ ...effect("bootAgent", "permitted", { phase: "reset" }), generation: "7" }],
      }).effects,
    ).toEqual([]);
  });

  it("failed: asks again after a while, and says so", () => {
    const decision = booting(boot(), { effects: [failedEffect("bootAgent")] });
    expect(decision.effects).toEqual([]);
    expect(decision.run).toMatchObject({
      dueAtMs: now + 30_000,
      lastError: "503 Service Unavailable",
      context: { boot: { bmcFailures: 1 } },
    });
    const again = booting(boot({ bmcFailures: 1, retryAt: iso(now) }));
    expect(again.effects).toMatchObject([{ kind: "bootAgent", request: { bootEpoch: 3 } }]);
    expect(again.run.bootEpoch).toBe(3);
  });

  it("failed ten times: the BMC is unreachable", () => {
    expect(path(booting(boot({ bmcFailures: 9 }), { effects: [failedEffect("bootAgent")] }))).toEqual([
      "Failed/BmcUnreachable",
    ]);
  });

  it.each([
    ["unsupported", "BmcRefused"],
    ["rejected", "BmcRefused"],
    ["otherHost", "BmcOfAnotherHost"],
    ["untrusted", "BmcCertificateChanged"],
    ["refused", "BmcRefused"],
    ["unreachable", "BmcUnreachable"],
  ])("that was answered %s ten times ends as %s", (kind, cause) => {
    const answered = effect("bootAgent", "failed", {
      error: { kind, message: "PATCH /redfish/v1/Systems/1 was answered 412" },
    });
    expect(path(booting(boot({ bmcFailures: 8 }), { effects: [answered] }))).toEqual([]);
    const stopped = booting(boot({ bmcFailures: 9 }), { effects: [answered] });
    expect(path(stopped)).toEqual([`Failed/${cause}`]);
    expect(stopped.run.lastError).toMatch(
      kind === "unreachable" ? /^The BMC does not respond; 10 tries/ : /answered 412/,
    );
  });

  it("that was refused is asked again by a person only", () => {
    expect(
      decideOn(
        hostView("Failed/BmcRefused", { reclamation: planned(), run: { stateSinceMs: now - 60 * minute } }),
      ).effects,
    ).toEqual([]);
  });

  it.each([
    ["never sent", effect("bootAgent", "written")],
    ["never permitted", effect("bootAgent", "permitted", {})],
    [
      "lost before the restart: setting the boot source moves nothing",
      effect("bootAgent", "unknown", { phase: "setBoot" }),
    ],
  ])("%s: orders the same boot again", (_what, found) => {
    const decision = booting(boot(), { effects: [found] });
    expect(decision.effects).toMatchObject([{ kind: "bootAgent", request: { bootEpoch: 3 } }]);
  });

  it.each([
    ["unknown", effect("bootAgent", "unknown", { phase: "reset" })],
    ["of a controller that died after its permit", effect("bootAgent", "permitted", { phase: "reset" })],
  ])("%s: is looked up, never sent again blindly", (_what, found) => {
    expect(booting(boot(), { effects: [found] }).effects).toMatchObject([
      { kind: "lookBoot", request: { bootEpoch: 3 } },
    ]);
  });

  const before = "2026-11-01T10:00:00Z";
  const marked = { resetMark: before, markClock: clockAt("2026-11-01T11:59:50Z") };
  const looked = (reading: unknown, of: Partial<BootContext> = marked) =>
    booting(boot(of), { effects: [effect("lookBoot", "done", reading)] });

  it("lost: keeps the mark that the host had before", () => {
    expect(
      booting(boot(), { effects: [effect("bootAgent", "unknown", { phase: "reset", ...marked })] }).run
        .context.boot,
    ).toMatchObject({ lookUp: true, ...marked });
  });

  it("looked up: a mark that moved on means that it happened, and opens the window", () => {
    const decision = looked(systemRead(false, "on", "2026-11-01T12:00:00Z"));
    expect(decision.effects).toEqual([]);
    expect(decision).toMatchObject({ bootProven: true, run: { context: { boot: { orderedAt: iso(now) } } } });
  });

  it.each([
    ["the mark is as it was, though the one-time boot is gone", systemRead(false, "on", before), marked],
    ["the mark went back", systemRead(false, "on", "2026-10-01T00:00:00Z"), marked],
    ["the BMC tells of none any more", systemRead(false, "on", null), marked],
    ["the mark moved less than the restart is ago", systemRead(false, "on", "2026-11-01T11:00:00Z"), marked],
    [
      "nobody knows when the first mark was read",
      systemRead(false, "on", "2026-11-01T12:00:00Z"),
      { resetMark: before },
    ],
    ["none is known from before", systemRead(false, "on", "2026-11-01T12:00:00Z"), {}],
    ["the host is off", systemRead(false, "off", "2026-11-01T12:00:00Z"), marked],
  ])("looked up: nothing is proven where %s, and it is sent again, off and on", (_what, reading, of) => {
    const decision = looked(reading, of);
    expect(decision.effects).toMatchObject([
      { kind: "bootAgent", request: { bootEpoch: 3, offAndOn: true } },
    ]);
    expect(decision.bootProven).toBe(false);
  });

  it("looked up: marks that a clock has moved are not used for the next restarts of this reclamation", () => {
    const moved = looked(systemRead(false, "on", "2026-11-01T11:00:00Z"));
    expect(moved.run.context.cleaning).toMatchObject({ marksUnreliable: true });
    expect(looked(systemRead(false, "on", before)).run.context.cleaning.marksUnreliable).toBeUndefined();
  });

  it("that cannot be confirmed again and again stops the host, in its own words", () => {
    const decision = looked(systemRead(false, "on", before), { resetMark: before, unconfirmed: 5 });
    expect(path(decision)).toEqual(["Failed/ResetNotConfirmed"]);
    const { says, check } = kinds["BMC: ignoreResets"] ?? {};
    expect(decision.run.lastError).toMatch(says ?? "a row of the table");
    const causes = decision.entered.at(-1)?.causes ?? [otherCause("none")];
    expect(checkNext(causes, "Failed/ResetNotConfirmed")).toMatch(check ?? "a row of the table");
  });

  it("done by a version that looked for no proof is sent again", () => {
    expect(
      booting(boot(), { effects: [effect("bootAgent", "done", systemRead(false))] }).effects,
    ).toMatchObject([{ kind: "bootAgent", request: { bootEpoch: 3, offAndOn: true } }]);
  });

  it("a look-up that failed or was lost is repeated; failures count", () => {
    expect(effectKindsOf(booting(boot(), { effects: [effect("lookBoot", "written")] }))).toEqual([
      "lookBoot",
    ]);
    const failed = booting(boot({ lookUp: true }), { effects: [failedEffect("lookBoot")] });
    expect(failed.effects).toEqual([]);
    expect(failed.run.context.boot).toMatchObject({ bmcFailures: 1, retryAt: iso(now + 30_000) });
    expect(effectKindsOf(booting(boot({ lookUp: true, bmcFailures: 1, retryAt: iso(now) })))).toEqual([
      "lookBoot",
    ]);
    expect(path(booting(boot({ bmcFailures: 9 }), { effects: [failedEffect("lookBoot")] }))).toEqual([
      "Failed/BmcUnreachable",
    ]);
  });
});

describe("the reboot rule", () => {
  it("restarts a host that does not register, 15 times, every fourth a full power cycle", () => {
    for (let attemptNumber = 1; attemptNumber < 15; attemptNumber += 1) {
      const decision = booting(boot({ attempt: attemptNumber, orderedAt: iso(now - 90 * minute) }));
      expect(decision.effects).toMatchObject([
        { kind: "bootAgent", request: { bootEpoch: 4, powerCycle: (attemptNumber + 1) % 4 === 0 } },
      ]);
      expect(decision.run.context.boot?.attempt).toBe(attemptNumber + 1);
    }
  });

  it("waits its time", () => {
    const decision = booting(boot({ orderedAt: iso(now - 89 * minute) }));
    expect(decision.effects).toEqual([]);
    expect(decision.run).toMatchObject({
      dueAtMs: now + minute,
      waitReason: "boot 1 of 15: no agent has registered yet",
    });
  });

  it("says why an agent was not registered, while it waits and when it gives up", () => {
    const bootRefusal = "Ironic's agent is not registered: it reports no serial number";
    const waiting = booting(boot({ orderedAt: iso(now - 89 * minute) }), { bootRefusal });
    expect(waiting.run.waitReason).toBe(`boot 1 of 15: ${bootRefusal}`);
    const over = booting(boot({ attempt: 15, orderedAt: iso(now - 90 * minute) }), { bootRefusal });
    expect(over.run.lastError).toContain(`no agent registered: ${bootRefusal}.`);
  });

  it("withholds the next restart while an alert says so, and goes on when it ends", () => {
    const late = boot({ orderedAt: iso(now - 90 * minute) });
    const run = { health: alerted("StopRebootForAutomaticRecoveryFromStateMachine") };
    const decision = booting(late, { run });
    expect(decision.effects).toEqual([]);
    expect(decision.run.waitReason).toContain("an alert blocks the next restart: FanFailed by monitor");
    expect(effectKindsOf(booting(late, { run: { health: null } }))).toEqual(["bootAgent"]);
    // The first restart of a boot is not a recovery.
    expect(effectKindsOf(booting(null, { run }))).toEqual(["bootAgent"]);
  });

  it("then needs a person", () => {
    const decision = booting(boot({ attempt: 15, orderedAt: iso(now - 90 * minute) }));
    expect(path(decision)).toEqual(["Failed/ManualInterventionRequired"]);
    expect(decision.effects).toEqual([]);
  });

  it("follows the policy of the reclamation", () => {
    const policy = withTimes({ maxBoots: 2, failureRetryMs: minute });
    expect(
      path(
        booting(boot({ attempt: 2, orderedAt: iso(now - minute) }), { reclamation: reclamation({ policy }) }),
      ),
    ).toEqual(["Failed/ManualInterventionRequired"]);
  });
});

describe("no restart into an erase", () => {
  const erasing = {
    reclamation: planned(),
    steps: plan({ erase_nvme: { status: "planned", attempt: 1, deadlineAtMs: now + 100 * minute } }),
    run: { erasing: true },
  } satisfies ViewChanges;

  it.each([
    ["the devices' own estimate", now + 20 * minute, now + 20 * minute],
    ["else the step's time limit", null, now + 100 * minute],
  ])("before %s", (_what, expectedEndMs, dueAtMs) => {
    const decision = booting(null, { ...erasing, attempt: attempt({ progress: endsAt(expectedEndMs) }) });
    expect(decision.effects).toEqual([]);
    expect(decision.run).toMatchObject({ bootEpoch: 3, erasing: true, dueAtMs });
  });

  it("but after it", () => {
    const decision = booting(null, {
      ...erasing,
      attempt: attempt({ progress: endsAt(now) }),
      context: { eraseUntil: iso(now - minute) },
    });
    expect(effectKindsOf(decision)).toEqual(["bootAgent"]);
    expect(decision.run).toMatchObject({ erasing: false, context: { eraseUntil: null } });
  });

  describe("but a reset into a sanitize, once no agent can be asked", () => {
    const line = (technique: JournalEvent["technique"]): JournalEvent => ({
      ...{ serial: "NVME1", model: "P5520", event: "about-to-send", technique },
      at: "2026-01-01T00:00:00.000Z",
    });
    const progress = endsAt(now + 20 * minute);
    const drives = Object.keys(progress.ends);
    const sanitizes = attempt({
      verdict: "lost",
      progress,
      journal: drives.map((serial) => ({ ...line("nvme-sanitize-block"), serial })),
    });
    const silent = agent({ lastSeenMs: now - 10 * minute });
    const resetMark = "2026-01-01T00:00:00Z";
    const lost = (changes: ViewChanges = {}, of: BootContext | null = null) =>
      booting(of, {
        ...erasing,
        attempt: sanitizes,
        agent: silent,
        ...changes,
        context: { minEpoch: 4, resetMark, ...changes.context },
      });
    const until = iso(now + 20 * minute);

    it("is ordered, and the erase stays on record", () => {
      const decision = lost();
      expect(decision.effects).toMatchObject([
        { kind: "bootAgent", request: { bootEpoch: 4, powerCycle: false, resetOnly: true } },
      ]);
      expect(decision.run).toMatchObject({
        bootEpoch: 4,
        erasing: true,
        context: { boot: { resetOnly: true } },
      });
      // A command that is announced meanwhile would be one that was not looked at.
      expect(decision.expectEvidenceSeq).not.toBeNull();
    });

    it("is looked for with the next claim, which reads the journal", () => {
      const running = plan({
        erase_nvme: { status: "running", attempt: 1, deadlineAtMs: now + 100 * minute },
      });
      const decision = decideOn(
        hostView("WaitingForCleanup/HostCleanup", {
          ...erasing,
          steps: running,
          reclamation: planned(),
          acks: acksOf(network),
          attempt: attempt({ progress }),
          agent: silent,
          context: { network, resetMark },
        }),
      );
      expect(path(decision)).toEqual(["WaitingForCleanup/BootingAgent"]);
      expect(decision.effects).toEqual([]);
      expect(decision.run).toMatchObject({ erasing: true, dueAtMs: now + 50 });
    });

    it.each<readonly [string, ViewChanges]>([
      ["one of which the journal says nothing", { attempt: { ...sanitizes, journal: [] } }],
      [
        "one that a reset breaks off",
        { attempt: { ...sanitizes, journal: [...sanitizes.journal, line("nvme-format-user-data")] } },
      ],
      [
        "one of a BMC",
        {
          steps: plan({
            erase_nvme: {
              status: "planned",
              where: "controller",
              attempt: 1,
              deadlineAtMs: now + 100 * minute,
            },
          }),
        },
      ],
      ["an agent that is heard and is too old to be asked", { agent: agent({ agentVersion: "0.1.0" }) }],
      ["an agent that can be asked", { agent: agent() }],
      ["what an earlier plan left", { context: { eraseUntil: iso(now + 10 * minute) } }],
      ["a BMC that does not tell when it was reset", { context: { resetMark: undefined } }],
      [
        "marks that prove no restart",
        { context: { cleaning: { ...emptyContext().cleaning, marksUnreliable: true } } },
      ],
    ])("is not made into %s", (_what, changes) => {
      const decision = lost(changes);
      expect(decision.effects).toEqual([]);
      expect(decision.run).toMatchObject({ bootEpoch: 3, erasing: true });
    });

    it("is not made if the next restart is a power cycle", () => {
      const late = boot({ attempt: 3, orderedAt: iso(now - 90 * minute) });
      expect(lost({}, late).effects).toEqual([]);
      expect(lost({}, { ...late, attempt: 2 }).effects).toHaveLength(1);
    });

    const ordered = boot({ resetOnly: true });
    it.each([
      ["that the BMC did not carry out", failedEffect("bootAgent", "ignored")],
      ["that left no proof", effect("bootAgent", "done", { value: { power: "on" } })],
    ])("%s is not repeated before the erase is over", (_what, outcome) => {
      const first = lost({ effects: [outcome] }, ordered);
      const again =
        first.run.context.boot?.retryAt === until
          ? first
          : lost({ run: { ...erasing.run } }, boot({ resetOnly: true, bmcFailures: 1, retryAt: iso(now) }));
      expect(again.effects).toEqual([]);
      expect(again.run).toMatchObject({
        erasing: true,
        dueAtMs: now + 20 * minute,
        waitReason: expect.stringContaining("nothing else is sent while the erase may still be running"),
        context: { boot: { retryAt: until } },
      });
    });

    it("is sent again if it was never sent", () => {
      expect(lost({ effects: [effect("bootAgent", "written")] }, ordered).effects).toMatchObject([
        { request: { resetOnly: true } },
      ]);
    });

    it("is followed by any restart once the erase is over", () => {
      const over = { ...sanitizes, progress: endsAt(now) };
      const decision = lost({ attempt: over }, boot({ resetOnly: true, unconfirmed: 1, retryAt: iso(now) }));
      expect(decision.effects).toMatchObject([{ request: { offAndOn: true } }]);
      expect(decision.effects[0]?.request).not.toHaveProperty("resetOnly");
      expect(decision.run.erasing).toBe(false);
    });
  });

  it("of a reclamation that has ended", () => {
    const ended = decideOn(
      hostView("Failed/AgentLost", {
        ...erasing,
        attempt: attempt({ attempt: 1, progress: endsAt(now + 20 * minute) }),
        steps: plan({ erase_nvme: { status: "failed", attempt: 1, deadlineAtMs: now + 100 * minute } }),
        signals: [{ kind: "manage", payload: { by } }],
        context: { ...emptyContext(), network, minEpoch: 4 },
        acks: acksOf(network),
      }),
    );
    expect(path(ended)).toEqual(["Manageable"]);
    expect(ended.run.context.eraseUntil).toBe(iso(now + 20 * minute));
    const provided = decideOn(
      hostView("Manageable", {
        run: { erasing: true },
        context: ended.run.context,
        acks: acksOf(network),
        inventory: inventory(),
        signals: [{ kind: "provide", payload: { by } }],
      }),
    );
    expect(path(provided).at(-1)).toBe("WaitingForCleanup/BootingAgent");
    expect(effectKindsOf(provided)).toEqual([]);
    expect(provided.run.dueAtMs).toBe(now + 20 * minute);
  });
});

describe("something that asks before the restart is done", () => {
  const asked = (bootEpoch: number, changes: ViewChanges = {}) =>
    booting(boot({ orderedAt: iso(now) }), {
      signals: [
        { kind: "bootContested", payload: { bootEpoch, message: "a token was asked for too early" } },
      ],
      ...changes,
    });

  it("costs its boot: the host is restarted once more, in another", () => {
    const decision = asked(3);
    expect(decision.effects).toMatchObject([{ kind: "bootAgent", request: { bootEpoch: 4 } }]);
    expect(decision.run.context.contestedBoots).toBe(1);
  });

  it("in an earlier boot costs nothing", () => {
    expect(asked(2).effects).toEqual([]);
  });

  it("four boots in a row stops the host", () => {
    expect(path(asked(3, { context: { contestedBoots: 3 } }))).toEqual(["Failed/BootContested"]);
  });
});

describe("an agent whose boot proves nothing", () => {
  it.each([
    ["registered before its restart was done", { afterReset: false }],
    ["was not alone", { contested: true }],
  ])("is not used when it %s", (_what, of) => {
    const decision = booting(null, {
      agent: agent(of),
      inventory: inventory(),
      reclamation: reclamation({ kind: "onboarding" }),
    });
    expect(path(decision)[0]).not.toBe("WaitingForCleanup/Init");
  });
});

describe("what was erased counts no more", () => {
  const erased = {
    reclamation: planned(),
    steps: plan({ erase_nvme: { status: "succeeded", attempt: 1 } }),
  } satisfies ViewChanges;
  const voided = (decision: ReturnType<typeof booting>) =>
    decision.reclamation?.row.plan?.voided?.map(({ reason }) => reason) ??
    decision.run.context.cleaning.voided?.reason;

  it("when a boot restarted the host and led to no agent", () => {
    const decision = booting(boot({ orderedAt: iso(now - 90 * minute) }), {
      ...erased,
      context: { sentEpoch: 3 },
    });
    expect(decision.effects).toMatchObject([{ kind: "bootAgent", request: { bootEpoch: 4 } }]);
    expect(voided(decision)).toBe("bootWithoutAgent");
  });

  it("not when that was before the first erase, nor when the restart was never sent", () => {
    expect(
      voided(
        booting(boot({ orderedAt: iso(now - 90 * minute) }), {
          reclamation: planned(),
          steps: plan(),
          context: { sentEpoch: 3 },
        }),
      ),
    ).toBeUndefined();
    expect(voided(booting(boot({ orderedAt: iso(now - 90 * minute) }), erased))).toBeUndefined();
  });

  it("when the BMC tells of a restart that nobody had ordered", () => {
    const told = (before: string) =>
      voided(
        booting(boot(), {
          ...erased,
          effects: [effect("bootAgent", "done", restarted(before))],
          context: { resetMark: "2026-11-01T10:00:00Z" },
        }),
      );
    expect(told("2026-11-01T11:00:00Z")).toBe("unorderedReset");
    // With the BMC's own time the restart is certain; the marks stay in use.
    const certain = booting(boot(), {
      ...erased,
      effects: [effect("bootAgent", "done", restarted("2026-11-01T11:00:00Z"))],
      context: { resetMark: "2026-11-01T10:00:00Z", markClock: clockAt("2026-11-01T10:01:00Z") },
    });
    expect(voided(certain)).toBe("unorderedReset");
    expect(certain.run.context.cleaning.marksUnreliable).not.toBe(true);
    expect(told("2026-11-01T05:00:00-05:00")).toBeUndefined();
    expect(told("2026-11-01T10:00:03Z")).toBeUndefined();
    expect(told("2026-11-01T09:59:57Z")).toBeUndefined();
  });

  it("once when the BMC's clock was set back; its marks are not used any more in this reclamation", () => {
    const back = booting(boot(), {
      ...erased,
      effects: [effect("bootAgent", "done", restarted("2026-11-01T09:00:00Z", "2026-11-01T09:10:00Z"))],
      context: { resetMark: "2026-11-01T10:00:00Z" },
    });
    expect(voided(back)).toBe("unorderedReset");
    expect(back.run.context.cleaning).toMatchObject({
      marksUnreliable: true,
      voided: {
        message:
          "the BMC's time of the last restart went from 2026-11-01T10:00:00Z to 2026-11-01T09:00:00Z, so a restart in between cannot be ruled out",
      },
    });
    expect(back.run.context.resetMark).toBeUndefined();
    const cleaning = { ...emptyContext().cleaning, marksUnreliable: true as const };
    expect(
      voided(
        booting(boot(), {
          ...erased,
          effects: [effect("bootAgent", "done", restarted("2026-11-01T07:00:00Z"))],
          context: { resetMark: "2026-11-01T10:00:00Z", cleaning },
        }),
      ),
    ).toBeUndefined();
    // The next restart is proven without a reset mark.
    expect(
      booting(boot({ orderedAt: iso(now - 90 * minute) }), { context: { cleaning } }).effects,
    ).toMatchObject([{ kind: "bootAgent", request: { bootEpoch: 4, offAndOn: true } }]);
  });

  it("a fourth time stops the host, until a person begins the plan again", () => {
    const often = {
      ...erased,
      agent: agent(),
      acks: acksOf(network),
      context: {
        network,
        minEpoch: 3,
        cleaning: {
          ...emptyContext().cleaning,
          voids: 3,
          voided: { reason: "unorderedReset", message: "it booted", at: iso(now) },
        },
      },
    } satisfies ViewChanges;
    expect(path(decideOn(hostView("WaitingForCleanup/HostCleanup", often)))).toEqual(["Failed/EraseVoided"]);
    const again = decideOn(
      hostView("Failed/EraseVoided", {
        ...often,
        reclamation: planned({ stoppedIn: "WaitingForCleanup/HostCleanup", stoppedCause: "EraseVoided" }),
        signals: [{ kind: "restart", payload: { by } }],
      }),
    );
    expect(path(again).at(-1)).toBe("WaitingForCleanup/BootingAgent");
    expect(again.run.context.cleaning.voids).toBe(1);
  });

  it("an agent that was not alone stops the host in the middle of its step", () => {
    const decision = decideOn(
      hostView("WaitingForCleanup/HostCleanup", {
        ...erased,
        steps: plan({ erase_nvme: { status: "running", attempt: 1, deadlineAtMs: now + minute } }),
        attempt: attempt(),
        agent: agent({ contested: true }),
        acks: acksOf(network),
        context: { network, minEpoch: 3 },
      }),
    );
    expect(path(decision)).toEqual(["Failed/AgentIdentityConflict"]);
    expect(decision.attempts).toMatchObject([{ verdict: "lost", ended: true }]);
    expect(decision.run.context).toMatchObject({
      minEpoch: 4,
      cleaning: { voided: { reason: "contestedBoot" } },
    });
  });
});

describe("a second identity in one boot window", () => {
  const conflict = (bootEpoch: number) =>
    booting(boot({ orderedAt: iso(now) }), {
      signals: [{ kind: "agentIdentityConflict", payload: { bootEpoch, message: "another UUID answered" } }],
    });

  it("stops the host", () => {
    expect(path(conflict(3))).toEqual(["Failed/AgentIdentityConflict"]);
  });

  it("of an earlier boot does not", () => {
    expect(path(conflict(2))).toEqual([]);
  });
});

// Waiting for an erase that no agent reports: the idle agent is asked, the end of the wait is shown, and a person may end it only if no drive can answer.
import { momentText } from "@/server/domain/lifecycle/moment-text";
import { describe, expect, it } from "vitest";
import type { Signal } from "@/server/domain/lifecycle/signals";
import {
  by,
  decideOn,
  effectKindsOf,
  hostView,
  minute,
  now,
  path,
} from "@/server/controller/testing/host-view";
import {
  acksOf,
  agent,
  attempt,
  endsAt,
  inventory,
  networkContext,
  plan,
  planned,
} from "@/server/controller/testing/view-parts";
import type { ViewChanges } from "@/server/controller/testing/host-view";
import { deviceResultOf, nvme1, nvme2, reportOf, ssd1 } from "@/server/controller/testing/hardware";

const network = networkContext("admin");
const lostStep = {
  erase_nvme: {
    status: "planned" as const,
    attempt: 1,
    startedAtMs: now - 20 * minute,
    deadlineAtMs: now + 100 * minute,
  },
};
const silent = agent({ lastSeenMs: now - 2 * minute });

/** Its agent was lost during an erase and polls again. */
const waiting = (changes: ViewChanges = {}) =>
  decideOn(
    hostView("WaitingForCleanup/BootingAgent", {
      reclamation: planned(),
      acks: acksOf(network),
      steps: plan(lostStep),
      attempt: attempt({ verdict: "lost" }),
      agent: agent(),
      inventory: inventory(),
      ...changes,
      run: { erasing: true, ...changes.run },
      context: { network, minEpoch: 4, returnTo: "WaitingForCleanup/HostCleanup", ...changes.context },
    }),
  );

type Drive = Extract<Signal, { kind: "drives" }>["payload"]["drives"][number];
const drive = (serial: string, changes: Partial<Drive> = {}): Drive => ({
  serial,
  state: "idle",
  status: "SSTAT 1h",
  remainingMs: 0,
  ...changes,
});
const idle = [drive("NVME1"), drive("NVME2"), drive("SSD1")];
const said = (
  drives: readonly Drive[],
  changes: Partial<Extract<Signal, { kind: "drives" }>["payload"]> = {},
): Signal => ({
  kind: "drives",
  payload: { bootEpoch: 3, command: "look:3:1", busy: false, drives: [...drives], ...changes },
});

describe("an agent that polls again after it was lost", () => {
  it("is asked what the drives say, and until when they are waited for is said", () => {
    const { run, effects } = waiting();
    expect(effects).toEqual([]);
    expect(run).toMatchObject({
      erasing: true,
      command: { kind: "look" },
      commandEpoch: 3,
      dueAtMs: now + 10_000,
    });
    expect(run.waitReason).toBe(
      `no restart yet: an erase may still be running, until ${momentText(now + 100 * minute)} at the latest; asking the agent for the status of the drives`,
    );
  });

  it("ends the wait when every drive says that none erases", () => {
    const decision = waiting({ signals: [said(idle)] });
    expect(effectKindsOf(decision)).toEqual(["bootAgent"]);
    expect(decision.run).toMatchObject({ erasing: false, context: { eraseUntil: null } });
  });

  it.each([
    [
      "a drive erases",
      [
        drive("NVME1", { state: "erasing", status: "SPROG 8000h", remainingMs: 5 }),
        drive("NVME2"),
        drive("SSD1"),
      ],
      {},
      /NVME1 is erasing: SPROG 8000h/,
    ],
    [
      "a drive does not tell",
      [drive("NVME1", { state: "unknown" }), drive("NVME2"), drive("SSD1")],
      {},
      /no status of NVME1/,
    ],
    ["a known drive is not named", idle.slice(1), {}, /no status of NVME1/],
    ["an unknown one does not tell", [...idle, drive("OTHER", { state: "unknown" })], {}, /asking the agent/],
    ["no drive is named", [], {}, /no status of NVME1, NVME2, SSD1/],
    ["it carries out a step", [], { busy: true }, /is running a step/],
    ["it is of another boot", idle, { bootEpoch: 2 }, /asking the agent/],
  ] as const)("does not when %s", (_what, drives, changes, reason) => {
    const decision = waiting({ signals: [said(drives, changes)] });
    expect(decision.effects).toEqual([]);
    expect(decision.run).toMatchObject({ erasing: true, command: { kind: "look" } });
    expect(decision.run.waitReason).toMatch(reason);
  });

  it("asks for a removable drive like for any other, and for no virtual medium of the BMC", () => {
    const usb = { ...ssd1, serial: "USB1", transport: "usb", removable: true } as const;
    const virtual = { ...ssd1, serial: "CD1", transport: "virtual", removable: true } as const;
    const known = { ...inventory(), bmc: [...(inventory().bmc ?? []), usb, virtual] };
    expect(waiting({ inventory: known, signals: [said(idle)] }).run).toMatchObject({
      erasing: true,
      waitReason: expect.stringMatching(/no status of USB1$/),
    });
    expect(waiting({ inventory: known, signals: [said([...idle, drive("USB1")])] }).run.erasing).toBe(false);
  });

  it.each([
    ["silent", silent],
    ["of a version that does not know how to look", agent({ agentVersion: "0.1.0" })],
    ["gone", null],
  ])("is not asked when it is %s", (_what, its) => {
    const { run } = waiting({ agent: its });
    expect(run).toMatchObject({ erasing: true, dueAtMs: now + 100 * minute, command: undefined });
    expect(run.waitReason).toMatch(/no agent to ask$/);
  });

  it("ends an abort that waits for it, and a failed host's protection", () => {
    const abort = { by: { personId: null, name: "ann" }, at: new Date(now - minute).toISOString() };
    const { cleaning } = hostView("Ready").run.context;
    const aborting = (signals: readonly Signal[]) =>
      waiting({ context: { cleaning: { ...cleaning, abort } }, signals });
    expect(aborting([]).run).toMatchObject({
      state: "WaitingForCleanup/BootingAgent",
      waitReason: expect.stringMatching(/^aborted by ann: an erase may still be running, until 2026/),
    });
    expect(path(aborting([said(idle)]))).toEqual(["Failed/CleanFailed"]);
    const failed = (signals: readonly Signal[]) =>
      decideOn(
        hostView("Failed/AgentLost", {
          reclamation: planned(),
          steps: plan(lostStep),
          attempt: attempt({ verdict: "lost" }),
          agent: agent(),
          inventory: inventory(),
          context: { network },
          run: { erasing: true, lastError: "silent" },
          signals,
        }),
      );
    expect(failed([]).run).toMatchObject({ erasing: true, command: { kind: "look" } });
    expect(failed([said(idle)]).run).toMatchObject({
      state: "Failed/AgentLost",
      erasing: false,
      waitReason: "silent",
    });
  });

  it("still brings the result of that attempt, which is judged like any other", () => {
    const report = reportOf(1, [deviceResultOf(nvme1), deviceResultOf(nvme2)]);
    const decision = waiting({
      attempt: attempt({ verdict: "lost", report }),
      signals: [{ kind: "stepReport", payload: { stepRunId: plan()[0]?.id ?? "", attempt: 1 } }],
    });
    expect(path(decision)[0]).toBe("WaitingForCleanup/HostCleanup");
    expect(decision.steps).toMatchObject([{ step: "erase_nvme", status: "succeeded" }]);
    expect(decision.attempts).toMatchObject([{ attempt: 1, verdict: "succeeded" }]);
  });
});

describe("a person who skips the wait", () => {
  const skip: Signal = { kind: "skipEraseWait", payload: { by } };

  it("is followed where nobody can be asked", () => {
    const decision = waiting({
      agent: silent,
      signals: [skip],
      context: { eraseUntil: new Date(now + 50 * minute).toISOString() },
    });
    expect(effectKindsOf(decision)).toEqual(["bootAgent"]);
    expect(decision.run).toMatchObject({ erasing: false, context: { eraseUntil: null } });
  });

  it("is refused where an agent can be asked, or reports still come", () => {
    for (const changes of [
      {},
      {
        agent: agent({ agentVersion: "0.1.0" }),
        attempt: attempt({ verdict: "lost", progress: { ...endsAt(null), reportedAtMs: now } }),
      },
    ]) {
      const decision = waiting({ ...changes, signals: [skip] });
      expect(decision.effects).toEqual([]);
      expect(decision.refused).toMatchObject([
        { intent: "skipEraseWait", reason: expect.stringMatching(/agent responds/) },
      ]);
    }
  });
});

describe("no restart into what was told since the last one was ordered", () => {
  it("the reboot rule waits for it, too", () => {
    const boot = {
      epoch: 3,
      attempt: 1,
      orderedAt: new Date(now - 90 * minute).toISOString(),
      bmcFailures: 0,
      retryAt: null,
    };
    const decision = waiting({
      agent: null,
      context: { boot },
      attempt: attempt({ verdict: "lost", progress: endsAt(now + 30 * minute) }),
    });
    expect(decision.effects).toEqual([]);
    expect(decision.run).toMatchObject({ erasing: true, bootEpoch: 3, dueAtMs: now + 30 * minute });
  });
});

describe("a report that does not say that every drive rests", () => {
  const reported = (
    changes: Parameters<typeof reportOf>[2],
    devices = [
      deviceResultOf(nvme1),
      deviceResultOf(nvme2, { result: "ERROR", message: "no progress for 600 s" }),
    ],
  ) =>
    decideOn(
      hostView("WaitingForCleanup/HostCleanup", {
        reclamation: planned(),
        agent: agent(),
        acks: acksOf(network),
        context: { network, minEpoch: 3 },
        run: { erasing: true },
        steps: plan({
          erase_nvme: {
            status: "running",
            attempt: 2,
            startedAtMs: now - minute,
            deadlineAtMs: now + 100 * minute,
          },
        }),
        attempt: attempt({ attempt: 2, report: reportOf(2, devices, { result: "ERROR", ...changes }) }),
      }),
    );

  it("leaves the protection of the drives as it is", () => {
    expect(reported({ erasing: true }).run).toMatchObject({ state: "Failed/NVMECleanFailed", erasing: true });
    const { verification: _, ...unread } = deviceResultOf(nvme2, {
      result: "ERROR",
      message: "no progress for 600 s",
    });
    expect(reported({}, [deviceResultOf(nvme1), unread]).run.erasing).toBe(true);
    expect(reported({}, []).run.erasing).toBe(true);
  });

  it("ends it where none erases", () => {
    expect(reported({ erasing: false }).run).toMatchObject({
      state: "Failed/NVMECleanFailed",
      erasing: false,
    });
    expect(reported({}, [deviceResultOf(nvme1), deviceResultOf(ssd1)]).run.erasing).toBe(false);
  });
});

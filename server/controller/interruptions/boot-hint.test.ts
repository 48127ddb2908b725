// A boot request that nobody ordered starts a check, and voids erases only if the check confirms a restart or cannot be made.
import { describe, expect, it } from "vitest";
import type { EffectView } from "@/server/domain/hosts/record/effect";
import { signLagMs } from "@/server/domain/agents/signs-of-life";
import { newVoid } from "@/server/controller/loop/void-events";
import { emptyContext } from "@/server/domain/lifecycle/context";
import { clockAt, effect, failedEffect, systemRead } from "@/server/controller/testing/effect-views";
import { decideOn, effectKindsOf, hostView, minute, now, path } from "@/server/controller/testing/host-view";
import type { ViewChanges } from "@/server/controller/testing/host-view";
import {
  acksOf,
  agent,
  attempt,
  networkContext,
  plan,
  planned,
} from "@/server/controller/testing/view-parts";

const network = networkContext("admin");
const mark = "2026-11-01T10:00:00Z";
const iso = (ms: number): string => new Date(ms).toISOString();
const hint = { at: iso(now - minute), bootEpoch: 3, message: "the host asked for a boot script" };
const asked = { kind: "bootUnordered", payload: { bootEpoch: 3, message: hint.message } } as const;

const cleaning = (changes: ViewChanges & { readonly cleaning?: object } = {}) =>
  decideOn(
    hostView("WaitingForCleanup/HostCleanup", {
      reclamation: planned(),
      steps: plan({ erase_nvme: { status: "succeeded", attempt: 1 } }),
      agent: agent(),
      acks: acksOf(network),
      ...changes,
      context: {
        network,
        minEpoch: 3,
        resetMark: mark,
        markClock: clockAt("2026-11-01T10:00:30Z"),
        cleaning: { ...emptyContext().cleaning, ...changes.cleaning },
        ...changes.context,
      },
    }),
  );
const checked = (changes: ViewChanges & { readonly cleaning?: object } = {}) =>
  cleaning({ cleaning: { bootHint: hint }, ...changes });
const voided = (decision: ReturnType<typeof cleaning>) =>
  decision.reclamation?.row.plan?.voided?.map(({ reason }) => reason) ??
  decision.run.context.cleaning.voided?.reason;

const readOf = (found: EffectView): EffectView => ({ ...found, request: { bootHint: true } });
const same = readOf(effect("readSystem", "done", systemRead(false, "on", mark)));
const unread = readOf(failedEffect("readSystem"));
const silent = agent({ lastSeenMs: now - 30 * minute });
const alive = agent({ lastSeenMs: now - minute + signLagMs + 1 });

describe("a boot that nobody ordered", () => {
  it("starts a reading of the BMC, and nothing new begins before its outcome", () => {
    const decision = cleaning({ signals: [asked] });
    expect(effectKindsOf(decision)).toEqual(["readSystem"]);
    expect(path(decision)).toEqual([]);
    expect(voided(decision)).toBeUndefined();
    expect(decision.run.context.cleaning.bootHint).toMatchObject({ at: iso(now), bootEpoch: 3 });
    expect(decision.run.command).toBeFalsy();
  });

  it("is dropped where the agent goes on", () => {
    const decision = checked({ effects: [same], agent: alive });
    expect(voided(decision)).toBeUndefined();
    expect(decision.run.context.cleaning.bootHint).toBeUndefined();
    expect(decision.run.command).toMatchObject({ kind: "execute" });
  });

  it("is waited for, and the step that runs goes on meanwhile", () => {
    const waits = checked({ effects: [same], agent: agent({ lastSeenMs: now - minute }) });
    expect(waits.run.context.cleaning.bootHint?.bmc).toMatchObject({ power: "on", resetMark: mark });
    expect(waits.run.dueAtMs).toBe(now + 5_000);
    const running = checked({
      steps: plan({ erase_nvme: { status: "running", attempt: 1, deadlineAtMs: now + 90 * minute } }),
      attempt: attempt(),
      agent: agent({ lastSeenMs: now - minute }),
    });
    expect(path(running)).toEqual([]);
    expect(running.run.dueAtMs).toBe(now + 5_000);
  });

  it.each<readonly [string, ViewChanges]>([
    [
      "the mark moved on",
      {
        effects: [readOf(effect("readSystem", "done", systemRead(false, "on", "2026-11-01T12:00:00Z")))],
        agent: alive,
      },
    ],
    [
      "the host is off",
      { effects: [readOf(effect("readSystem", "done", systemRead(false, "off", mark)))], agent: alive },
    ],
    ["the agent fell silent", { effects: [same], agent: silent }],
  ])("voids, in a new boot and a new plan, where %s, and that counts", (_what, changes) => {
    const decision = checked(changes);
    expect(voided(decision)).toEqual(["unorderedReset"]);
    expect(path(decision).slice(0, 2)).toEqual(["WaitingForCleanup/Init", "WaitingForCleanup/BootingAgent"]);
    expect(decision.entered[0]?.reason).toContain("the host asked for a boot script");
    expect(decision.reclamation?.row.planEpoch).toBe(2);
    expect(decision.run).toMatchObject({ bootEpoch: 4, bootHeld: true });
    expect(decision.run.context.cleaning.voids).toBe(1);
  });

  it("that voided is told to people once", () => {
    const view = hostView("WaitingForCleanup/HostCleanup", {
      reclamation: planned(),
      steps: plan({ erase_nvme: { status: "succeeded", attempt: 1 } }),
      agent: silent,
      acks: acksOf(network),
      effects: [same],
      context: { network, minEpoch: 3, cleaning: { ...emptyContext().cleaning, bootHint: hint } },
    });
    const decision = decideOn(view);
    expect(newVoid({ view, decision })).toMatchObject({ reason: "unorderedReset" });
    const later = { ...view, reclamation: decision.reclamation?.row ?? null };
    expect(newVoid({ view: later, decision })).toBeNull();
  });

  it("voids where neither BMC nor agent can be read, and that does not count", () => {
    const decision = checked({
      effects: [unread],
      agent: null,
      cleaning: { bootHint: hint, voids: 3 },
    });
    expect(voided(decision)).toEqual(["unorderedBoot"]);
    expect(decision.run.context.cleaning.voids).toBe(3);
    expect(path(decision)[0]).toBe("WaitingForCleanup/Init");
  });

  it("of Ironic's agent is not refuted by a session that Reclaim keeps for it", () => {
    const guest = agent({ ...alive, agentVersion: "ironic-python-agent 9.1.0" });
    const of = { effects: [unread], agent: guest };
    expect(voided(checked(of))).toEqual(["unorderedBoot"]);
    expect(voided(checked({ ...of, effects: [same] }))).toBeUndefined();
  });

  it("before the first erase costs nothing", () => {
    const decision = cleaning({ signals: [asked], steps: plan() });
    expect(effectKindsOf(decision)).not.toContain("readSystem");
    expect(voided(decision)).toBeUndefined();
  });
});

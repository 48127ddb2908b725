// Power, NMI and boot settings requested by a person: an ordinary effect, sent while no other of ours is in progress, and read back
// (docs/adr/0005-effects-with-phases.md).
import { z } from "zod";
import { notAsSet, notChangedIn, partsAsSet, storedBootSettings } from "@/server/domain/hosts/boot-settings";
import { bmcIntents, hardPowerIntents, maxSoftMs } from "@/server/domain/lifecycle/signals";
import type { BmcIntent } from "@/server/domain/lifecycle/signals";
import { isFailed } from "@/server/domain/lifecycle/states";
import { releaseDeadlineMs } from "@/server/controller/network/release";
import type { PowerState } from "@/server/hardware/interfaces";
import { readOutcome, stepProgress, systemReading } from "@/server/controller/host/effect-outcome";
import type { EffectView } from "@/server/domain/hosts/record/effect";
import { isHeld, voidErase } from "@/server/controller/interruptions/voided";
import type { Draft } from "@/server/controller/host/draft";
import type { PayloadOf } from "@/server/controller/host/inbox";
import { endsWithRelease } from "@/server/controller/host/intent-kinds";
import { earliest, wait } from "@/server/controller/host/handler-result";
import type { HandlerResult } from "@/server/controller/host/handler-result";

const words = {
  powerOn: "power on",
  powerOff: "power off",
  reboot: "restart",
  softPowerOff: "power off",
  softReboot: "restart",
  injectNmi: "NMI",
  setBoot: "boot setting",
} as const satisfies Record<BmcIntent, string>;

/** The boot settings in the result of a call that set or read them. */
const withSettings = z.object({ settings: storedBootSettings });

/** How often the power state is read while the system shuts down. */
const softLookMs = 5_000;
const iso = (ms: number): string => new Date(ms).toISOString();

/**
 * Runs before any handler: follows up the action in progress, then takes the next one. Everything else waits until the action ends, so that it
 * cannot collide with a state's boot or a step. Null: nothing was requested, or it is over.
 */
export function ensurePower(draft: Draft): HandlerResult | null {
  const waiting = followUp(draft);
  if (waiting !== null) return waiting;
  const past = draft.inbox.firstOf(hardPowerIntents);
  if (past !== null) dropSoft(draft, words[past]);
  // In order of arrival: a restart requested after a boot setting must use that setting.
  for (;;) {
    const intent = draft.inbox.firstOf(bmcIntents);
    if (intent === null) return null;
    const asked = draft.takeIntent(intent);
    if (asked !== null && mayChange(draft, asked)) return begin(draft, intent, asked);
  }
}

type AskedFor = PayloadOf<BmcIntent>;

/** Refuses a setting that would outlive the release of a tenant's host. */
function mayChange(draft: Draft, asked: AskedFor): boolean {
  const reason = "change" in asked ? notChangedIn(asked.change, draft.state) : null;
  if (reason !== null) draft.inbox.refuse({ intent: "setBoot", reason, requestId: asked.by.requestId });
  return reason === null;
}

function begin(draft: Draft, intent: BmcIntent, asked: AskedFor): HandlerResult | null {
  draft.memory.keep({
    power: {
      intent,
      by: { personId: asked.by.personId, name: asked.by.name },
      look: false,
      ...("change" in asked ? { change: asked.change } : {}),
      ...("forMs" in asked
        ? { soft: { until: iso(draft.nowMs + Math.min(asked.forMs, maxSoftMs)), lookAt: null } }
        : {}),
    },
  });
  draft.run.setError(failure(draft));
  // A boot setting does not affect anything that is running.
  if (intent === "setBoot") return send(draft);
  if (intent !== "powerOff" && intent !== "softPowerOff") draft.memory.forgetBootDevice("once");
  // The erase estimate has passed, so it no longer restricts restarts.
  draft.erase.over();
  // safety: void: a person's power
  voidErase(draft, "personPower", `${asked.by.name} requested: ${words[intent]}`);
  draft.memory.forget("resetMark");
  // A power action ends the agent: none of an earlier boot is used again.
  // safety: power: no agent of before it
  if (intent !== "powerOn") draft.needNewBoot();
  return send(draft);
}

/** Refuses pending soft power requests: a hard one supersedes them. */
function dropSoft(draft: Draft, by: string): void {
  for (const kind of ["softPowerOff", "softReboot"] as const) {
    const asked = draft.inbox.take(kind);
    if (asked !== null)
      draft.inbox.refuse({
        intent: kind,
        reason: `superseded by ${by}`,
        requestId: asked.by.requestId,
      });
  }
}

function send(draft: Draft): HandlerResult | null {
  const { power } = draft.context;
  if (power === null) return null;
  // A held host must boot from the network, where it is told to wait, and never from its disks.
  draft.request("power", {
    intent: power.intent,
    look: power.look,
    ...(power.change === undefined ? {} : { change: power.change }),
    ...(isHeld(draft) ? { network: true } : {}),
  });
  return underWay(draft, power);
}

/** Waits for the BMC; everything else requested of the host is read afterwards. */
function underWay(
  draft: Draft,
  { intent, by }: { readonly intent: BmcIntent; readonly by: { readonly name: string } },
): HandlerResult {
  // safety: power: nothing else while it is under way
  draft.inbox.leaveRest();
  return wait(`${words[intent]} requested by ${by.name}; waiting for the BMC`, null);
}

/** Never resends what may have been sent: an unknown outcome is read from the BMC, once. */
function followUp(draft: Draft): HandlerResult | null {
  const { power } = draft.context;
  if (power === null) return null;
  const effect = draft.inbox.takeEffect("power");
  const lookAtMs = power.soft?.lookAt == null ? null : Date.parse(power.soft.lookAt);
  if (effect === null && isSuperseded(draft)) return over(draft, superseded);
  if (effect === null && lookAtMs !== null && draft.nowMs < lookAtMs)
    return awaitShutdown(draft, power, lookAtMs);
  if (effect === null) return isTooLate(draft, power) ? over(draft, tooLate) : send(draft);
  const outcome = readOutcome(effect, draft.view.run.generation);
  switch (outcome.kind) {
    case "pending":
      return underWay(draft, power);
    case "neverSent":
      if (isTooLate(draft, power)) return over(draft, tooLate);
      return isSuperseded(draft) ? over(draft, superseded) : send(draft);
    case "unknown":
      if (isSuperseded(draft)) return over(draft, superseded);
      // safety: power: what may have been sent is looked up
      draft.memory.keep({ power: { ...power, look: true } });
      return send(draft);
    case "failed":
      if (power.intent === "setBoot") return bootNotSet(draft, power, outcome.message);
      return over(
        draft,
        power.look
          ? `the outcome is unknown, and the BMC could not be read: ${outcome.message}`
          : outcome.message,
      );
    case "done":
      if (power.soft !== undefined)
        return shuttingDown(draft, power, power.soft, systemReading.parse(outcome.value).power);
      if (power.intent === "setBoot") return over(draft, bootWasSet(draft, power, outcome.value));
      return over(
        draft,
        power.look ? notAsWanted(power.intent, systemReading.parse(outcome.value).power) : null,
      );
  }
}

type PowerRequest = NonNullable<Draft["context"]["power"]>;

const superseded = "stopped waiting for the system, because something else was requested";

const tooLate = "the host is being released";

/** An action that was never sent is dropped once the host is being released. */
const isTooLate = (draft: Draft, { intent, look }: PowerRequest): boolean =>
  !look && endsWithRelease.has(intent) && draft.tenancy.isReleasing;

/** A system asked to shut down may never do it, so it must not delay later requests or an overdue release. */
function isSuperseded(draft: Draft): boolean {
  const releaseMs = releaseDeadlineMs(draft);
  return (
    draft.context.power?.soft !== undefined &&
    (draft.inbox.asksForMore || (releaseMs !== null && releaseMs <= draft.nowMs))
  );
}

function awaitShutdown(draft: Draft, { intent, by }: PowerRequest, lookAtMs: number): HandlerResult {
  draft.inbox.leaveRest();
  return wait(
    `${words[intent]} requested by ${by.name}; waiting for the system to shut down`,
    earliest(lookAtMs, releaseDeadlineMs(draft)),
  );
}

/** Reads the power state until the system has shut down. A restart then powers the host on. */
function shuttingDown(
  draft: Draft,
  power: PowerRequest,
  { until }: NonNullable<PowerRequest["soft"]>,
  read: PowerState,
): HandlerResult | null {
  if (read === "off") {
    if (power.intent !== "softReboot") return over(draft, null);
    draft.memory.keep({ power: { intent: "powerOn", by: power.by, look: false } });
    return send(draft);
  }
  if (isSuperseded(draft)) return over(draft, superseded);
  const untilMs = Math.min(Date.parse(until), draft.nowMs + maxSoftMs);
  if (draft.nowMs >= untilMs)
    return over(draft, `the system did not shut down in time; the power state is ${read}`);
  const lookAtMs = Math.min(draft.nowMs + softLookMs, untilMs);
  draft.memory.keep({
    power: { ...power, look: true, soft: { until: iso(untilMs), lookAt: iso(lookAtMs) } },
  });
  return awaitShutdown(draft, power, lookAtMs);
}

/** Records the boot settings as read. Null: they are as requested. */
function bootWasSet(draft: Draft, { change = {}, failed }: PowerRequest, value: unknown): string | null {
  const { settings } = withSettings.parse(value);
  draft.memory.keep({ bootSettings: settings });
  const other = notAsSet(change, settings);
  if (other === null || failed === undefined) return other;
  const parts = partsAsSet(change, settings);
  return parts.length === 0 ? failed : `${failed}; reads as requested: ${parts.join(", ")}`;
}

/** One part of a two-part change may have been made: reads the settings once before giving up. If that fails as well, they are unknown. */
function bootNotSet(draft: Draft, power: PowerRequest, message: string): HandlerResult | null {
  if (!power.look) {
    draft.memory.keep({ power: { ...power, look: true, failed: message } });
    return send(draft);
  }
  draft.memory.forget("bootSettings");
  return over(
    draft,
    power.failed === undefined
      ? `the outcome is unknown, and the BMC could not be read: ${message}`
      : `${power.failed}; what was set is unknown, because the BMC could not be read: ${message}`,
  );
}

/** What the power state says about a request whose answer was lost. Null: it was done. */
function notAsWanted(intent: BmcIntent, power: PowerState): string | null {
  if (intent === "injectNmi") return "it is unknown whether it was sent";
  if (intent === "reboot") return `the outcome is unknown; the power state is ${power}`;
  return power === (intent === "powerOn" ? "on" : "off")
    ? null
    : `it was sent, but the power state is ${power}`;
}

function over(draft: Draft, trouble: string | null): null {
  const { power } = draft.context;
  draft.memory.keep({ power: null });
  if (power !== null && trouble !== null)
    draft.run.setError(
      [failure(draft), `${words[power.intent]} failed: ${trouble}`]
        .filter((part) => part !== null)
        .join("; "),
    );
  return null;
}

/** The error of a failed host stays visible, whatever happens to its power. */
const failure = (draft: Draft): string | null =>
  isFailed(draft.state) ? (draft.reclamation?.message ?? draft.run.kept.lastError) : null;

const ofPowerStep = { power_on: "on", power_off: "off" } as const;

function readingOf({ kind, status, request, result }: EffectView): PowerState | null {
  if (status !== "done" || typeof result !== "object" || result === null || !("value" in result)) return null;
  if (kind !== "step") return systemReading.safeParse(result.value).data?.power ?? null;
  const name = typeof request === "object" && request !== null && "step" in request ? request.step : null;
  const switched = name === "power_on" || name === "power_off" ? ofPowerStep[name] : null;
  return switched !== null && stepProgress.safeParse(result.value).data?.kind === "done" ? switched : null;
}

/**
 * The host's power from the newest of these outcomes that read it; null if none did. A BMC reports `PoweringOn` right after a restart and is not
 * asked again while the agent of that boot works: a host whose agent runs is on.
 */
export function powerRead(effects: readonly EffectView[], agentRuns = false): PowerState | null {
  const read = effects.map(readingOf).findLast((power) => power !== null) ?? null;
  return read === "poweringOn" && agentRuns ? "on" : read;
}

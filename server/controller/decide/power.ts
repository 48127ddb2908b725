// Power, an NMI or a boot setting that a person asked for: an effect like any other, sent while nothing else of ours is under way, and read back (docs/adr/0005-effects-with-phases.md).
import { z } from "zod";
import { notAsSet, notChangedIn, partsAsSet, storedBootSettings } from "@/server/domain/hosts/boot-settings";
import { bmcIntents, hardPowerIntents, longestSoftMs } from "@/server/domain/lifecycle/signals";
import type { BmcIntent } from "@/server/domain/lifecycle/signals";
import { isFailed } from "@/server/domain/lifecycle/states";
import { releaseDeadlineMs } from "@/server/controller/network/release";
import type { PowerState } from "@/server/hardware/interfaces";
import { readOutcome, stepProgress, systemReading } from "@/server/controller/host/effect-outcome";
import type { EffectView } from "@/server/domain/host-record/effect";
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

/** What a call that set or read the boot tells besides the system. */
const withSettings = z.object({ settings: storedBootSettings });

/** How often the power of a host is read whose system shuts down. */
const softLookMs = 5_000;
const iso = (ms: number): string => new Date(ms).toISOString();

/**
 * Before any handler: follows up what is under way, then takes the next that was asked for. While one is under way everything else waits for its
 * end, so no boot of a state and no step can meet it. Null: nothing was asked for, or it is over.
 */
export function ensurePower(draft: Draft): HandlerResult | null {
  const waiting = followUp(draft);
  if (waiting !== null) return waiting;
  const past = draft.inbox.firstOf(hardPowerIntents);
  if (past !== null) dropSoft(draft, words[past]);
  // In the order in which they came: a restart that was asked for after a boot setting is to start by it.
  for (;;) {
    const intent = draft.inbox.firstOf(bmcIntents);
    if (intent === null) return null;
    const asked = draft.takeIntent(intent);
    if (asked !== null && mayChange(draft, asked)) return begin(draft, intent, asked);
  }
}

type AskedFor = PayloadOf<BmcIntent>;

/** A setting that does not end with the release is not made on a tenant's host. */
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
        ? { soft: { until: iso(draft.nowMs + Math.min(asked.forMs, longestSoftMs)), lookAt: null } }
        : {}),
    },
  });
  draft.run.setError(failure(draft));
  // It touches nothing that runs.
  if (intent === "setBoot") return send(draft);
  if (intent !== "powerOff" && intent !== "softPowerOff") draft.memory.forgetBootDevice("once");
  // An estimate that has passed is over: no restart is owed to it any more.
  draft.erase.over();
  // safety: void: a person's power
  voidErase(draft, "personPower", `${asked.by.name} requested: ${words[intent]}`);
  draft.memory.forget("resetMark");
  // The agent goes with the power: none of an earlier boot is used again.
  // safety: power: no agent of before it
  if (intent !== "powerOn") draft.needNewBoot();
  return send(draft);
}

/** What asked the host's own system, and was not begun, is not done behind what goes past it. */
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
  // A host that is held boots from the network, where it is told to wait: never from its disks.
  draft.request("power", {
    intent: power.intent,
    look: power.look,
    ...(power.change === undefined ? {} : { change: power.change }),
    /* safety: held: a person's power boots from the network */ ...(isHeld(draft) ? { network: true } : {}),
  });
  return underWay(draft, power);
}

/** What else was asked for is read when it is over. */
function underWay(
  draft: Draft,
  { intent, by }: { readonly intent: BmcIntent; readonly by: { readonly name: string } },
): HandlerResult {
  // safety: power: nothing else while it is under way
  draft.inbox.leaveRest();
  return wait(`${words[intent]} requested by ${by.name}; waiting for the BMC`, null);
}

/** Nothing is sent again that may have been sent: what nobody knows is read from the BMC, once. */
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

type Asked = NonNullable<Draft["context"]["power"]>;

const superseded = "stopped waiting for the system, because something else was requested";

const tooLate = "the host is being released";

/** What was never sent is not sent any more once the host is being released. */
const isTooLate = (draft: Draft, { intent, look }: Asked): boolean =>
  !look && endsWithRelease.has(intent) && draft.tenancy.isReleasing;

/** A system that was only asked to shut down may never do it: it holds up nothing that is asked for after it, and no release that is overdue. */
function isSuperseded(draft: Draft): boolean {
  const releaseMs = releaseDeadlineMs(draft);
  return (
    draft.context.power?.soft !== undefined &&
    (draft.inbox.asksForMore || (releaseMs !== null && releaseMs <= draft.nowMs))
  );
}

function awaitShutdown(draft: Draft, { intent, by }: Asked, lookAtMs: number): HandlerResult {
  draft.inbox.leaveRest();
  return wait(
    `${words[intent]} requested by ${by.name}; waiting for the system to shut down`,
    earliest(lookAtMs, releaseDeadlineMs(draft)),
  );
}

/** The system was asked to shut down: until it has, its power is read again. A restart then goes on with power on. */
function shuttingDown(
  draft: Draft,
  power: Asked,
  { until }: NonNullable<Asked["soft"]>,
  read: PowerState,
): HandlerResult | null {
  if (read === "off") {
    if (power.intent !== "softReboot") return over(draft, null);
    draft.memory.keep({ power: { intent: "powerOn", by: power.by, look: false } });
    return send(draft);
  }
  if (isSuperseded(draft)) return over(draft, superseded);
  const untilMs = Math.min(Date.parse(until), draft.nowMs + longestSoftMs);
  if (draft.nowMs >= untilMs)
    return over(draft, `the system did not shut down in time; the power state is ${read}`);
  const lookAtMs = Math.min(draft.nowMs + softLookMs, untilMs);
  draft.memory.keep({
    power: { ...power, look: true, soft: { until: iso(untilMs), lookAt: iso(lookAtMs) } },
  });
  return awaitShutdown(draft, power, lookAtMs);
}

/** Keeps how the host starts by now; null: it is as it was to be. */
function bootWasSet(draft: Draft, { change = {}, failed }: Asked, value: unknown): string | null {
  const { settings } = withSettings.parse(value);
  draft.memory.keep({ bootSettings: settings });
  const other = notAsSet(change, settings);
  if (other === null || failed === undefined) return other;
  const parts = partsAsSet(change, settings);
  return parts.length === 0 ? failed : `${failed}; reads as requested: ${parts.join(", ")}`;
}

/** Of a change in two parts one may have been made: it is read, once, before it is over. What cannot be read either is not known. */
function bootNotSet(draft: Draft, power: Asked, message: string): HandlerResult | null {
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

/** What a reading tells of a request whose answer was lost; null: it was done. */
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

/** What made the host fail stays said, whatever becomes of its power. */
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
 * The host's power as the newest of some outcomes read it, whoever asked; null: none of them did. A BMC reads `PoweringOn` right after a
 * restart, and nobody asks it again while the agent of that boot works: a host on which it runs is on.
 */
export function powerRead(effects: readonly EffectView[], agentRuns = false): PowerState | null {
  const read = effects.map(readingOf).findLast((power) => power !== null) ?? null;
  return read === "poweringOn" && agentRuns ? "on" : read;
}

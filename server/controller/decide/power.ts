// Power that a person asked for: an effect like any other, sent while nothing else of ours is under way, and read back (docs/adr/0005-effects-with-phases.md).
import { powerIntents } from "@/server/domain/lifecycle/signals";
import type { PowerIntent } from "@/server/domain/lifecycle/signals";
import { isFailed } from "@/server/domain/lifecycle/states";
import type { PowerState } from "@/server/hardware/interfaces";
import { readOutcome, stepProgress, systemReading } from "@/server/controller/host/effect-outcome";
import type { EffectView } from "@/server/domain/host-record/effect";
import { isHeld, voidErase } from "@/server/controller/interruptions/voided";
import type { Draft } from "@/server/controller/host/draft";
import { wait } from "@/server/controller/host/handler-result";
import type { HandlerResult } from "@/server/controller/host/handler-result";

const words = { powerOn: "power on", powerOff: "power off", reboot: "restart" } as const satisfies Record<
  PowerIntent,
  string
>;

/**
 * Before any handler: follows up what is under way, then takes the next that was asked for. While one is under way everything else waits for its
 * end, so no boot of a state and no step can meet it. Null: nothing was asked for, or it is over.
 */
export function ensurePower(draft: Draft): HandlerResult | null {
  const waiting = followUp(draft);
  if (waiting !== null) return waiting;
  for (const intent of powerIntents) {
    const asked = draft.takeIntent(intent);
    if (asked === null) continue;
    draft.memory.keep({
      power: { intent, by: { personId: asked.by.personId, name: asked.by.name }, look: false },
    });
    draft.run.setError(failure(draft));
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
  return null;
}

function send(draft: Draft): HandlerResult | null {
  const { power } = draft.context;
  if (power === null) return null;
  // A host that is held boots from the network, where it is told to wait: never from its disks.
  draft.request("power", {
    intent: power.intent,
    look: power.look,
    /* safety: held: a person's power boots from the network */ ...(isHeld(draft) ? { network: true } : {}),
  });
  return underWay(draft, power);
}

/** What else was asked for is read when it is over. */
function underWay(
  draft: Draft,
  { intent, by }: { readonly intent: PowerIntent; readonly by: { readonly name: string } },
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
  if (effect === null) return send(draft);
  const outcome = readOutcome(effect, draft.view.run.generation);
  switch (outcome.kind) {
    case "pending":
      return underWay(draft, power);
    case "neverSent":
      return send(draft);
    case "unknown":
      // safety: power: what may have been sent is looked up
      draft.memory.keep({ power: { ...power, look: true } });
      return send(draft);
    case "failed":
      return over(
        draft,
        power.look
          ? `the outcome is unknown, and the BMC could not be read: ${outcome.message}`
          : outcome.message,
      );
    case "done":
      return over(
        draft,
        power.look ? notAsWanted(power.intent, systemReading.parse(outcome.value).power) : null,
      );
  }
}

/** What a reading tells of a request whose answer was lost; null: it was done. */
function notAsWanted(intent: PowerIntent, power: PowerState): string | null {
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

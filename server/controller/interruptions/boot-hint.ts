// Checks whether a held host restarted that something asked a boot for: the BMC is read, and the agent listened for, before any erase is voided
// (docs/adr/0122-who-may-give-evidence.md).
import { z } from "zod";
import type { MarkReading } from "@/server/domain/hosts/reset-mark";
import type { EffectView } from "@/server/domain/hosts/record/effect";
import { judgeBootHint } from "@/server/domain/cleaning/sanitization/boot-hint";
import { readOutcome, systemValue } from "@/server/controller/host/effect-outcome";
import type { Draft } from "@/server/controller/host/draft";
import { wait } from "@/server/controller/host/handler-result";
import type { HandlerResult } from "@/server/controller/host/handler-result";
import { mayVoid, voidErase } from "@/server/controller/interruptions/voided";

const ofHint = z.object({ bootHint: z.literal(true) });

/** Whether a reading of the BMC was requested for this check. */
export const isOfBootHint = ({ request }: EffectView): boolean => ofHint.safeParse(request).success;

/** How often to look whether the agent was heard from. */
const lookMs = 5_000;
const checking = "checking whether the host restarted: something asked how it should boot";

/** Null: there is nothing to check, or a step runs meanwhile. */
export function checkBootHint(draft: Draft): HandlerResult | null {
  const read = draft.inbox.takeEffect("readSystem", isOfBootHint);
  const { bootHint } = draft.context.cleaning;
  if (bootHint === undefined) return begin(draft);
  // One check at a time: a host that restarted and is held asks again every few seconds.
  draft.inbox.leave("bootUnordered");
  const outcome = read === null ? null : readOutcome(read, draft.view.run.generation);
  if (outcome?.kind === "pending") return waiting(draft);
  if (!mayVoid(draft) || draft.context.cleaning.voided !== undefined) return over(draft);
  const { agent } = draft.view;
  const verdict =
    bootHint.bootEpoch === draft.bootEpoch
      ? judgeBootHint({
          atMs: Date.parse(bootHint.at),
          nowMs: draft.nowMs,
          bmc: outcome?.kind === "done" ? systemValue(outcome.value) : (bootHint.bmc ?? null),
          knownMark: knownMark(draft),
          agentSeenMs: agent?.bootEpoch === draft.bootEpoch && showsLife(agent) ? agent.lastSeenMs : null,
          agentFreshMs: draft.policy.times.agentFreshMs,
        })
      : // Another boot was ordered meanwhile: this one has no agent any more that could be heard from.
        "restarted";
  if (verdict === "undecided") {
    if (outcome?.kind === "done") {
      const { power, resetMark, markClock } = systemValue(outcome.value);
      draft.memory.keepCleaning({ bootHint: { ...bootHint, bmc: { power, resetMark, markClock } } });
    }
    return waiting(draft);
  }
  // safety: void: a boot that nobody had ordered
  if (verdict === "restarted")
    voidErase(draft, "unorderedReset", `${bootHint.message}, and it had restarted`);
  // safety: void: a boot that cannot be looked into
  if (verdict === "unreadable")
    voidErase(draft, "unorderedBoot", `${bootHint.message}, and whether it restarted cannot be read`);
  if (verdict !== "notRestarted") draft.needNewBoot();
  return over(draft);
}

/** Null: none is known, or this BMC's marks are not used in this reclamation. */
function knownMark({ context: { cleaning, resetMark, markClock } }: Draft): MarkReading | null {
  return resetMark === undefined || cleaning.marksUnreliable === true ? null : { resetMark, markClock };
}

/** Reclaim speaks for Ironic's agent, so the session does not show that the agent itself lives. */
const showsLife = (agent: { readonly agentVersion: string }): boolean =>
  !agent.agentVersion.startsWith("ironic-python-agent");

function begin(draft: Draft): HandlerResult | null {
  const asked = draft.inbox.take("bootUnordered");
  if (asked === null) return null;
  while (draft.inbox.take("bootUnordered") !== null);
  if (!mayVoid(draft) || draft.context.cleaning.voided !== undefined) return null;
  draft.memory.keepCleaning({
    bootHint: {
      at: new Date(draft.nowMs).toISOString(),
      bootEpoch: asked.bootEpoch,
      message: asked.message.slice(0, 300),
    },
  });
  draft.request("readSystem", { bootHint: true });
  return waiting(draft);
}

/** Nothing new begins until it is known; a step that runs goes on. */
function waiting(draft: Draft): HandlerResult | null {
  // safety: boot hint: nothing new begins before it is checked (always)
  if (draft.steps.running !== null) return null;
  draft.inbox.leaveRest();
  return wait(checking, draft.nowMs + lookMs);
}

function over(draft: Draft): null {
  const { bootHint: _checked, ...cleaning } = draft.context.cleaning;
  draft.memory.keep({ cleaning });
  return null;
}

/** When to look again while a step runs; null: nothing is being checked. */
export const hintDueMs = (draft: Draft): number | null =>
  draft.context.cleaning.bootHint === undefined ? null : draft.nowMs + lookMs;

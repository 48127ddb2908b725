// Waits while an erase may run that no agent reports: says until when, and asks an idle agent for the state of the drives
// (docs/adr/0022-durations-travel.md).
import { momentText } from "@/server/domain/lifecycle/moment-text";
import { mayLook } from "@/server/domain/agents/protocol";
import { heardUntilMs } from "@/server/domain/agents/signs-of-life";
import { goOnOverReset } from "@/server/domain/cleaning/sanitization/journal";
import { exclusion } from "@/server/domain/cleaning/sanitization/media-rules";
import type { Draft } from "@/server/controller/host/draft";
import { earliest, wait } from "@/server/controller/host/handler-result";
import type { HandlerResult } from "@/server/controller/host/handler-result";
import type { PayloadOf } from "@/server/controller/host/inbox";

/**
 * Null: no erase may be running any more, and nothing protects the host. `what` begins the message. `forReset`: also null if the host may be reset,
 * and only that (docs/adr/0020-a-boot-is-proven.md); `erase.untilMs` then says that one may run.
 */
export function eraseWait(draft: Draft, what: string, forReset = false): HandlerResult | null {
  const said = draft.inbox.take("drives");
  const { drives, ...heard } = said === null ? notAsked : heardOf(draft, said);
  if (heard.idle) {
    draft.erase.over();
    return null;
  }
  const untilMs = draft.erase.untilMs;
  if (untilMs === null) return null;
  const againMs = askDrives(draft);
  const reset = forReset && againMs === null ? resetDuring(draft) : "harms";
  if (reset === "harmless") return null;
  const asked =
    againMs === null ? "no agent to ask" : (drives ?? "asking the agent for the status of the drives");
  return wait(
    `${what}: an erase may still be running, until ${momentText(untilMs)} at the latest; ${asked}`,
    // The journal is read with the next claim, as for a step that is retried.
    reset === "unread" ? draft.nowMs : earliest(untilMs, againMs),
  );
}

/** What a reset of the host would do to the erase that a lost agent left. Anything that its journal does not show counts as harmed. */
function resetDuring(draft: Draft): "harmless" | "harms" | "unread" {
  const { attempt, rows } = draft.steps;
  const row = rows.find(({ id, status }) => id === attempt?.stepRunId && status === "planned");
  if (attempt === null || row === undefined || row.where !== "agent" || draft.erase.left || isHeard(draft))
    return "harms";
  if (!draft.view.steps.some(({ id, status }) => id === row.id && status === "planned")) return "unread";
  return goOnOverReset(attempt.journal, Object.keys(attempt.progress.ends)) ? "harmless" : "harms";
}

/** An agent of the present boot was heard from recently, whether or not it can be asked. */
const isHeard = ({ view: { agent }, bootEpoch, nowMs, policy }: Draft): boolean =>
  agent !== null &&
  agent.bootEpoch === bootEpoch &&
  nowMs <= heardUntilMs(agent.lastSeenMs, policy.times.agentFreshMs);

interface Heard {
  /** Every known drive of the host reports that it is not erasing. */
  readonly idle: boolean;
  readonly drives: string | null;
}
const notAsked: Heard = { idle: false, drives: null };

/** An agent's answer counts only for its own boot, and only if it names every known drive. */
function heardOf(draft: Draft, said: PayloadOf<"drives">): Heard {
  if (said.bootEpoch !== draft.bootEpoch || !isOurs(draft)) return notAsked;
  // safety: wait: an agent that works
  if (said.busy) return { idle: false, drives: "the agent is running a step" };
  const states = new Map(said.drives.map(({ serial, state }) => [serial, state]));
  const known = knownDrives(draft);
  const erasing = said.drives.filter(({ state }) => state === "erasing");
  // safety: wait: a drive that erases
  if (erasing.length > 0)
    return {
      idle: false,
      drives: erasing.map(({ serial, status }) => `${serial} is erasing: ${status}`).join("; "),
    };
  const silent = known.filter((serial) => states.get(serial) !== "idle");
  // safety: wait: every known drive is named
  if (silent.length > 0) return { idle: false, drives: `no status of ${silent.join(", ")}` };
  return { idle: known.length > 0 && said.drives.every(({ state }) => state === "idle"), drives: null };
}

/** The agent's boot has a proven restart and nothing contests it (docs/adr/0020-a-boot-is-proven.md); any other may be the tenant's own system. */
const isOurs = ({ view: { agent } }: Draft): boolean =>
  agent !== null && agent.afterReset && !agent.contested;

/** Serials of the drives named by reclamation, BMC, agent and reports. Includes drives that only the BMC reaches and no agent names. */
function knownDrives(draft: Draft): readonly string[] {
  const { bmc, agent } = draft.view.inventory;
  const rules = draft.policy.sanitization.excludedMedia;
  const seen = [...(bmc ?? []), ...(agent?.body.storage ?? [])].filter(
    (device) => exclusion(device, rules) === null,
  );
  const expected = draft.reclamation?.devices?.expected ?? [];
  return [
    ...new Set([
      ...seen.map(({ serial }) => serial),
      ...expected.map(({ serial }) => serial),
      ...Object.keys(draft.steps.attempt?.progress.ends ?? {}),
    ]),
  ];
}

/** Commands the present agent to look, once per interval. Returns when to ask again; null: no agent can be asked. */
function askDrives(draft: Draft): number | null {
  const { agent } = draft.view;
  const { jobPollMs } = draft.policy.times;
  if (agent === null || !isHeard(draft) || !isOurs(draft) || !mayLook(agent.agentVersion)) return null;
  const interval = Math.floor(draft.nowMs / jobPollMs);
  draft.run.setCommand({ kind: "look", id: `look:${draft.bootEpoch}:${interval}` });
  return (interval + 1) * jobPollMs;
}

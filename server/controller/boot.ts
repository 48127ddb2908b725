// Getting an agent onto a host: boot window, one-time boot, restart, and the reboot rule (design: agent.md, lifecycle.md).
import { readOutcome, systemValue } from "@/server/controller/effect-outcome";
import { earliest, fail, wait } from "@/server/controller/draft";
import type { Draft, Step } from "@/server/controller/draft";

const restart = (draft: Draft, attempt: number): void => {
  draft.bootEpoch += 1;
  draft.erasing = false;
  draft.context.eraseUntil = null;
  draft.command = null;
  draft.context.boot = { epoch: draft.bootEpoch, attempt, orderedAt: null, bmcFailures: 0, retryAt: null };
  order(draft);
};

/**
 * Asks for the boot of this epoch: the window is opened by the same commit that writes the effect. Every fourth is a full power cycle.
 * A restart that the BMC confirmed needs no decision: the agent's registration wakes the host, and its absence is looked at when the next one is due.
 */
const order = (draft: Draft): void => {
  const boot = draft.context.boot;
  if (boot === null) return;
  draft.bootWindowMs = draft.nowMs + draft.policy.times.bootWindowMs;
  draft.request("bootAgent", { bootEpoch: boot.epoch, powerCycle: boot.attempt % 4 === 0 }, draft.policy.times.failureRetryMs);
};

const iso = (ms: number): string => new Date(ms).toISOString();

/** The agent of the newest boot, if it may be used: of at least `minEpoch`, and heard of recently or at work. */
export function usableAgent(draft: Draft): boolean {
  const agent = draft.view.agent;
  if (agent === null || agent.bootEpoch !== draft.bootEpoch || agent.bootEpoch < draft.context.minEpoch) return false;
  return draft.nowMs - agent.lastSeenMs <= draft.policy.times.agentFreshMs;
}

/** Null when an agent is there; else orders a boot, follows it up, and says what it waits for. */
export function ensureAgent(draft: Draft): Step | null {
  if (usableAgent(draft)) {
    const sent = draft.takeEffect("bootAgent");
    if (sent?.status === "done") draft.lastError = null;
    draft.takeEffect("lookBoot");
    draft.context.boot = null;
    return null;
  }
  const conflict = draft.take("agentIdentityConflict");
  if (conflict !== null && conflict.bootEpoch === draft.bootEpoch) return fail("AgentIdentityConflict", conflict.message);
  const mayRunUntil = draft.eraseMayRunUntilMs;
  if (draft.context.boot === null && mayRunUntil !== null && mayRunUntil > draft.nowMs) {
    return wait("an erase may still be running; no restart before its own estimate has passed", mayRunUntil);
  }
  if (draft.context.boot === null) restart(draft, 1);
  else followUp(draft);
  const boot = draft.context.boot;
  if (boot === null) throw new Error("a boot was just ordered");
  const times = draft.policy.times;
  if (boot.bmcFailures >= times.bmcTries) return fail("BmcUnreachable", draft.lastError ?? "the BMC does not answer");
  if (boot.orderedAt === null) {
    if (boot.retryAt === null) return wait(`boot ${boot.attempt} of ${times.maxBoots} ordered from the BMC, no registration yet`, null);
    if (Date.parse(boot.retryAt) > draft.nowMs) return wait(`the BMC failed ${boot.bmcFailures} times: ${draft.lastError ?? ""}`, Date.parse(boot.retryAt));
    boot.retryAt = null;
    if (boot.lookUp === true) lookUp(draft);
    else order(draft);
    return wait(`boot ${boot.attempt} of ${times.maxBoots}: the BMC is asked again`, null);
  }
  const nextMs = Date.parse(boot.orderedAt) + times.failureRetryMs;
  if (nextMs > draft.nowMs) return wait(`boot ${boot.attempt} of ${times.maxBoots}, no registration yet`, earliest(nextMs));
  if (boot.attempt >= times.maxBoots) return fail("ManualInterventionRequired", `the host was restarted ${boot.attempt} times and never registered`);
  restart(draft, boot.attempt + 1);
  return wait(`boot ${boot.attempt + 1} of ${times.maxBoots} ordered from the BMC`, null);
}

/** Reads what became of the restart. One whose outcome is unknown is looked up, never sent again blindly. */
function followUp(draft: Draft): void {
  const boot = draft.context.boot;
  if (boot === null) return;
  const generation = draft.view.run.generation;
  const failed = (message: string): void => {
    boot.bmcFailures += 1;
    boot.retryAt = iso(draft.nowMs + draft.policy.times.bmcRetryMs);
    draft.lastError = message;
  };
  const looked = draft.takeEffect("lookBoot");
  const sent = draft.takeEffect("bootAgent");
  if (sent !== null) {
    const outcome = readOutcome(sent, generation);
    if (outcome.kind === "done") return booted(draft, sent.settledAtMs ?? draft.nowMs);
    if (outcome.kind === "failed") return failed(outcome.message);
    if (outcome.kind === "neverSent") return order(draft);
    if (outcome.kind === "unknown") {
      if (outcome.phase !== "setBoot") return lookUp(draft);
      // Setting the boot source is idempotent and moves nothing; only a restart must be looked up. A BMC that failed at it is given time.
      return outcome.message === null ? order(draft) : failed(outcome.message);
    }
  }
  if (looked !== null) {
    const outcome = readOutcome(looked, generation);
    if (outcome.kind === "failed") return failed(outcome.message);
    if (outcome.kind !== "done") return lookUp(draft);
    delete boot.lookUp;
    // A pending one-time boot means that the restart never happened; a consumed one, that it did. A host that is off is not booting,
    // whatever became of the override: a power cycle was cut in half. One that is sent again is not permitted once the agent has registered.
    const { bootOverride, power } = systemValue(outcome.value);
    return bootOverride.enabled || power === "off" ? order(draft) : booted(draft, looked.settledAtMs ?? draft.nowMs);
  }
}

function lookUp(draft: Draft): void {
  const boot = draft.context.boot;
  if (boot === null) return;
  boot.lookUp = true;
  draft.request("lookBoot", { bootEpoch: boot.epoch });
}

function booted(draft: Draft, atMs: number): void {
  const boot = draft.context.boot;
  if (boot === null) return;
  boot.orderedAt = iso(atMs);
  boot.bmcFailures = 0;
  boot.retryAt = null;
  draft.lastError = null;
}

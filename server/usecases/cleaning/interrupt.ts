// Abort, hold and resume of a cleaning. The table in domain/cleaning/interruptions.ts decides, here and again in the controller.
import { maxHoldMs } from "@/server/domain/cleaning/interruptions";
import { cleaning } from "@/server/contract/cleaning/cleaning";
import { defineTellingAct } from "@/server/usecases/define-act";
import { ask, defineHostIntent, findHost } from "@/server/usecases/hosts/acts/request-of-host";
import { refused } from "@/server/usecases/problem";

export const abortCleaning = defineHostIntent("abort", "host.abort");
export const resumeCleaning = defineHostIntent("resume", "host.resume");

/** Takes effect before the next step. A hold that is already in force gets a new expiry. */
export const holdCleaning = defineTellingAct({
  ...cleaning.hold,
  names: ({ hostId }) => ({ kind: "host", id: hostId }),
  find: ({ tx }, { hostId }) => findHost(tx, hostId),
  run: ({ by }, host, { stateVersion, reason, forMs, until }) => {
    if (forMs !== undefined && until !== undefined)
      return refused("invalid", "Give either a duration or an end time.", "until");
    const length = until === undefined ? (forMs ?? null) : Math.ceil(until.getTime() - Date.now());
    if (length !== null && (length < 1 || length > maxHoldMs))
      return refused("invalid", "A hold must end in the future, within 30 days.", "until");
    return ask(host, {
      signal: { kind: "hold", payload: { by, reason, forMs: length } },
      stateVersion,
      repeats: true,
      facts: { reason, forMs: length },
    });
  },
});

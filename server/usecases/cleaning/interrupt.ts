// Abort, hold and resume of a cleaning: the table in domain/cleaning/interruptions.ts decides, here and again in the controller.
import { z } from "zod";
import { intentActor } from "@/server/usecases/actor";
import { defineTellingAct } from "@/server/usecases/define-act";
import { ask, askOfHostInput, defineHostIntent, findHost } from "@/server/usecases/hosts/ask-of-host";
import { refused } from "@/server/usecases/problem";

/** 30 days: longer is no hold. */
export const longestHoldMs = 30 * 86_400_000;

export const holdInput = {
  reason: z.string().trim().min(1, "say why").max(500, "at most 500 characters"),
  /** How long, in ms; without it and `until`, the site's own time. */
  forMs: z.int().min(1).max(longestHoldMs, "at most 30 days").optional(),
};

export const abortCleaning = defineHostIntent("abort", "host.abort", "host.interrupt");
export const resumeCleaning = defineHostIntent("resume", "host.resume", "host.interrupt");

/** Before the next step; a hold that is in force gets another expiry. */
export const holdCleaning = defineTellingAct({
  action: "host.hold",
  right: "host.interrupt",
  input: z.strictObject({ ...askOfHostInput.shape, ...holdInput, until: z.date().optional() }),
  names: ({ hostId }) => ({ kind: "host", id: hostId }),
  find: ({ tx }, { hostId }) => findHost(tx, hostId),
  run: ({ actor, request }, host, { stateVersion, reason, forMs, until }) => {
    if (forMs !== undefined && until !== undefined) return refused("invalid", "Give either how long or until when.", "until");
    const length = until === undefined ? (forMs ?? null) : Math.ceil(until.getTime() - Date.now());
    if (length !== null && (length < 1 || length > longestHoldMs)) return refused("invalid", "A hold ends in the future, within 30 days.", "until");
    return ask(host, { signal: { kind: "hold", payload: { by: intentActor(actor, request), reason, forMs: length } }, stateVersion, repeats: true, facts: { reason, forMs: length } });
  },
});

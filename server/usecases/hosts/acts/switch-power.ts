// Switches a host's power, or sends it an NMI, at a person's request; the controller does it and reads it back (server/controller/decide/power.ts).
import { z } from "zod";
import { askOfHost } from "@/server/contract/hosts/host";
import type { AuditAction } from "@/server/domain/access/audit-actions";
import { maxSoftMs, usualSoftMs } from "@/server/domain/lifecycle/signals";
import { hostActions } from "@/server/domain/hosts/host-actions";
import { defineTellingAct } from "@/server/usecases/define-act";
import { ask, defineHostIntent, findHost } from "@/server/usecases/hosts/acts/request-of-host";
import { readOffersNmi } from "@/server/usecases/hosts/one/read-boot-settings";
import { refused } from "@/server/usecases/problem";

/** How long the host's operating system gets to shut down. */
const softInput = askOfHost.extend({ forMs: z.int().min(1).max(maxSoftMs).optional() });

const defineSoft = (intent: "softPowerOff" | "softReboot", action: AuditAction) =>
  defineTellingAct({
    action,
    right: hostActions[intent].right,
    input: softInput,
    names: ({ hostId }) => ({ kind: "host", id: hostId }),
    find: ({ tx }, { hostId }) => findHost(tx, hostId),
    run: ({ by }, host, { stateVersion, forMs = usualSoftMs }) =>
      ask(host, { signal: { kind: intent, payload: { by, forMs } }, stateVersion, facts: { forMs } }),
  });

export const powerOnHost = defineHostIntent("powerOn", "host.powerOn");
export const powerOffHost = defineHostIntent("powerOff", "host.powerOff");
export const rebootHost = defineHostIntent("reboot", "host.reboot");
export const softPowerOffHost = defineSoft("softPowerOff", "host.softPowerOff");
export const softRebootHost = defineSoft("softReboot", "host.softReboot");

/** Refused if the BMC offers no NMI: the attempt would only cost the host its agent. */
export const injectNmi = defineTellingAct({
  action: "host.injectNmi",
  right: hostActions.injectNmi.right,
  input: askOfHost,
  names: ({ hostId }) => ({ kind: "host", id: hostId }),
  find: async ({ tx }, { hostId }) => {
    const found = await findHost(tx, hostId);
    return found === null
      ? null
      : { ...found, value: { host: found.value, offered: await readOffersNmi(tx, hostId) } };
  },
  run: ({ by }, { host, offered }, { stateVersion }) =>
    offered
      ? ask(host, { signal: { kind: "injectNmi", payload: { by } }, stateVersion })
      : refused("invalid", "The BMC offers no NMI."),
});

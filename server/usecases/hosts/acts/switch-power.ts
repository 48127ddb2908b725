// Switches a host's power because a person asks for it; the controller does it and reads it back (server/controller/decide/power.ts).
import { defineHostIntent } from "@/server/usecases/hosts/acts/ask-of-host";

export const powerOnHost = defineHostIntent("powerOn", "host.powerOn");
export const powerOffHost = defineHostIntent("powerOff", "host.powerOff");
export const rebootHost = defineHostIntent("reboot", "host.reboot");

// Reads what is in a host anew: the BMC's inventory at once, the agent's with its next boot, or with one that is ordered for it.
import { defineHostIntent } from "@/server/usecases/hosts/acts/ask-of-host";

export const inspectHost = defineHostIntent("inspect", "host.inspect");
/** The agent is booted for it at once. */
export const inspectHostByAgent = defineHostIntent("inspectByAgent", "host.inspectByAgent");

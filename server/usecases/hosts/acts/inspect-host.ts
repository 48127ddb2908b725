// Reads a host's inventory again: the BMC's at once, the agent's at its next boot, or at one that is ordered for it.
import { defineHostIntent } from "@/server/usecases/hosts/acts/request-of-host";

export const inspectHost = defineHostIntent("inspect", "host.inspect");
/** Boots the agent for it at once. */
export const inspectHostByAgent = defineHostIntent("inspectByAgent", "host.inspectByAgent");

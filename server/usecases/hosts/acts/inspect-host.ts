// Reads what is in a host anew: the BMC's inventory at once, the agent's with its next boot.
import { defineHostIntent } from "@/server/usecases/hosts/acts/ask-of-host";

export const inspectHost = defineHostIntent("inspect", "host.inspect");

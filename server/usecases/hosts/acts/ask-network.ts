// Asks the site's network controller again for the network that a host waits for (docs/operations.md#a-network-that-does-not-come).
import { defineHostIntent } from "@/server/usecases/hosts/acts/request-of-host";

export const askNetwork = defineHostIntent("askNetwork", "host.askNetwork");

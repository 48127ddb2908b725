// Takes a host to Manageable, or verifies a new one: the provider's own, out of allocation.
import { defineHostIntent } from "@/server/usecases/hosts/acts/ask-of-host";

export const manageHost = defineHostIntent("manage", "host.manage");

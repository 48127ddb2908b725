// Takes a host to Manageable, or verifies a new one. The provider then has it, out of allocation.
import { defineHostIntent } from "@/server/usecases/hosts/acts/request-of-host";

export const manageHost = defineHostIntent("manage", "host.manage");

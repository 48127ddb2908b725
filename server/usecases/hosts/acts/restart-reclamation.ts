// Restarts the plan of a stopped reclamation from the beginning.
import { defineHostIntent } from "@/server/usecases/hosts/acts/request-of-host";

export const restartReclamation = defineHostIntent("restart", "host.restart");

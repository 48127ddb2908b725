// Begins the whole plan of a stopped reclamation again.
import { defineHostIntent } from "@/server/usecases/hosts/acts/ask-of-host";

export const restartReclamation = defineHostIntent("restart", "host.restart");

// Continues a stopped reclamation at the step that failed.
import { defineHostIntent } from "@/server/usecases/hosts/acts/request-of-host";

export const retryReclamation = defineHostIntent("retry", "host.retry");

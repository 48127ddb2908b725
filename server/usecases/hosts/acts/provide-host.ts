// Starts an onboarding reclamation of a Manageable host.
import { defineHostIntent } from "@/server/usecases/hosts/acts/ask-of-host";

export const provideHost = defineHostIntent("provide", "host.provide");

// Starts an onboarding reclamation of a Manageable host.
import { defineHostIntent } from "@/server/usecases/hosts/acts/request-of-host";

export const provideHost = defineHostIntent("provide", "host.provide");

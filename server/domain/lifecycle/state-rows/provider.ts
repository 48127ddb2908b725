// States of a host that is in the provider's hands or free.
import type { StateRow } from "@/server/domain/lifecycle/state-rows/state-row";
import type { State } from "@/server/domain/lifecycle/states";

export const providerRows = {
  Enroll: {
    tone: "neutral",
    label: "Enrolled",
    waitsFor: "Nothing: the BMC has not been verified yet",
    checkNext: "Correct the address and the credential of the BMC, or confirm its certificate",
    tenantWords: "not available",
    limit: "none",
  },
  Verifying: {
    tone: "working",
    label: "Verifying BMC",
    waitsFor: "The BMC to answer with identity, power and inventory",
    checkNext:
      "Check the BMC: does its address respond from the management network, and does it accept the credential",
    tenantWords: "not available",
    limit: "verifying",
  },
  Manageable: {
    tone: "neutral",
    label: "Manageable",
    waitsFor: "Nothing: the host is kept by the provider and is never allocated",
    checkNext: "Provide the host to bring it to allocation, or keep it",
    tenantWords: "not available",
    limit: "none",
  },
  "ManualCleaning/Queued": {
    tone: "waiting",
    label: "Manual cleaning, queued",
    waitsFor: "A free slot among the site's hosts in progress",
    checkNext: "See the queue for the limits and brakes of the site, or for its boot that waits for a bundle",
    tenantWords: "not available",
    limit: "none",
  },
  "ManualCleaning/BootingAgent": {
    tone: "working",
    label: "Manual cleaning, booting agent",
    waitsFor: "The agent to register",
    checkNext: "Check power and boot of the host: is it on, and does it boot from the network",
    tenantWords: "not available",
    limit: "plan",
  },
  "ManualCleaning/RunningStep": {
    tone: "working",
    label: "Manual cleaning",
    waitsFor: "The running step",
    checkNext:
      "See the progress of each device on the Reclamation tab; a running erase must not be interrupted",
    tenantWords: "not available",
    limit: "plan",
  },
  "ManualCleaning/OnHold": {
    tone: "waiting",
    label: "Manual cleaning, on hold",
    waitsFor: "The operator who holds it",
    checkNext: "Read who holds it, why and until when, and resume it when that is done",
    tenantWords: "not available",
    limit: "none",
  },
  Ready: {
    tone: "neutral",
    label: "Ready",
    waitsFor: "Nothing: its page says what is proven of it",
    checkNext: "Nothing",
    tenantWords: "available",
    limit: "none",
  },
} as const satisfies Partial<Record<State, StateRow>>;

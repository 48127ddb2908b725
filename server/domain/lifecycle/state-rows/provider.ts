// States of a host that is in the provider's hands or free.
import type { StateRow } from "@/server/domain/lifecycle/state-rows/state-row";
import type { State } from "@/server/domain/lifecycle/states";

export const providerRows = {
  Enroll: {
    tone: "neutral",
    label: "Enrolled",
    waitsFor: "Nothing: the BMC has not been verified yet",
    checkNext: "Address and credentials of the BMC",
    tenantWords: "not available",
    limit: "none",
  },
  Verifying: {
    tone: "working",
    label: "Verifying BMC",
    waitsFor: "The BMC to answer with identity, power and inventory",
    checkNext: "BMC address, credentials, network",
    tenantWords: "not available",
    limit: "verifying",
  },
  Manageable: {
    tone: "neutral",
    label: "Manageable",
    waitsFor: "Nothing: the host is kept by the provider and is never allocated",
    checkNext: "What to do with the host next",
    tenantWords: "not available",
    limit: "none",
  },
  "ManualCleaning/Queued": {
    tone: "waiting",
    label: "Manual cleaning, queued",
    waitsFor: "A free slot among the site's hosts in progress",
    checkNext: "Limits and brakes of the site, or its boot that waits for a bundle",
    tenantWords: "not available",
    limit: "none",
  },
  "ManualCleaning/BootingAgent": {
    tone: "working",
    label: "Manual cleaning, booting agent",
    waitsFor: "The agent to register",
    checkNext: "BMC power and boot override, boot network",
    tenantWords: "not available",
    limit: "plan",
  },
  "ManualCleaning/RunningStep": {
    tone: "working",
    label: "Manual cleaning",
    waitsFor: "The running step",
    checkNext: "Progress of the step",
    tenantWords: "not available",
    limit: "plan",
  },
  "ManualCleaning/OnHold": {
    tone: "waiting",
    label: "Manual cleaning, on hold",
    waitsFor: "The operator who holds it",
    checkNext: "Who holds it, why, and until when",
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

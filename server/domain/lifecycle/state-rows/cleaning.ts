// States of a host that is being cleaned after use.
import type { StateRow } from "@/server/domain/lifecycle/state-rows/state-row";
import type { State } from "@/server/domain/lifecycle/states";

export const cleaningRows = {
  "WaitingForCleanup/Queued": {
    tone: "waiting",
    label: "Queued for cleaning",
    waitsFor: "Admission to cleaning",
    checkNext: "Limits and brakes of the site, or its boot that waits for a bundle",
    tenantWords: "being cleaned",
    limit: "none",
  },
  "WaitingForCleanup/Init": {
    tone: "working",
    label: "Planning",
    waitsFor: "The plan to be made",
    checkNext:
      "What the BMC and the agent report about its drives, and whether the network controller responds",
    tenantWords: "being cleaned",
    limit: "state",
  },
  "WaitingForCleanup/OnHold": {
    tone: "waiting",
    label: "Cleaning, on hold",
    waitsFor: "The operator who holds it",
    checkNext: "Who holds it, why, and until when",
    tenantWords: "being cleaned",
    limit: "none",
  },
  "WaitingForCleanup/BootingAgent": {
    tone: "working",
    label: "Cleaning, booting agent",
    waitsFor: "The agent to register",
    checkNext: "BMC reachability, power, boot override, boot network",
    tenantWords: "being cleaned",
    limit: "boot",
  },
  "WaitingForCleanup/SecureEraseBoss/SecureEraseBoss": {
    tone: "working",
    label: "BOSS erase",
    waitsFor: "The BMC's job",
    checkNext: "The iDRAC's job queue, and whether its lockdown is on",
    tenantWords: "being cleaned",
    limit: "state",
  },
  "WaitingForCleanup/CreateBossVolume/CreateBossVolume": {
    tone: "working",
    label: "BOSS volume",
    waitsFor: "The BMC's job",
    checkNext: "The iDRAC's job queue, and whether its lockdown is on",
    tenantWords: "being cleaned",
    limit: "state",
  },
  "WaitingForCleanup/HostCleanup": {
    tone: "working",
    label: "Cleaning",
    waitsFor: "The step that the agent runs",
    checkNext: "Progress of each device, under Reclamation; a running erase must not be interrupted",
    tenantWords: "being cleaned",
    limit: "plan",
  },
  "WaitingForCleanup/PlatformCleanup": {
    tone: "working",
    label: "Cleaning platform",
    waitsFor: "The BMC's step",
    checkNext: "BMC jobs",
    tenantWords: "being cleaned",
    limit: "plan",
  },
} as const satisfies Partial<Record<State, StateRow>>;

// States of a host that is being cleaned after use.
import type { StateRow } from "@/server/domain/lifecycle/state-rows/state-row";
import type { State } from "@/server/domain/lifecycle/states";

export const cleaningRows = {
  "WaitingForCleanup/Queued": {
    tone: "waiting",
    label: "Queued for cleaning",
    waitsFor: "Admission to cleaning",
    checkNext: "See the queue for the limits and brakes of the site, or for its boot that waits for a bundle",
    tenantWords: "being cleaned",
    limit: "none",
  },
  "WaitingForCleanup/Init": {
    tone: "working",
    label: "Planning",
    waitsFor: "The plan to be made",
    checkNext:
      "Compare what the BMC and the agent report about its drives on the Inventory tab. If it waits for the network, ask the network again",
    tenantWords: "being cleaned",
    limit: "state",
  },
  "WaitingForCleanup/OnHold": {
    tone: "waiting",
    label: "Cleaning, on hold",
    waitsFor: "The operator who holds it",
    checkNext: "Read who holds it, why and until when, and resume it when that is done",
    tenantWords: "being cleaned",
    limit: "none",
  },
  "WaitingForCleanup/BootingAgent": {
    tone: "working",
    label: "Cleaning, booting agent",
    waitsFor: "The agent to register",
    checkNext:
      "Check BMC, power and boot of the host: does the BMC respond, is the host on, and does it boot from the network",
    tenantWords: "being cleaned",
    limit: "boot",
  },
  "WaitingForCleanup/SecureEraseBoss/SecureEraseBoss": {
    tone: "working",
    label: "BOSS erase",
    waitsFor: "The BMC's job",
    checkNext: "Look at the iDRAC's job queue, and whether its lockdown is on",
    tenantWords: "being cleaned",
    limit: "state",
  },
  "WaitingForCleanup/CreateBossVolume/CreateBossVolume": {
    tone: "working",
    label: "BOSS volume",
    waitsFor: "The BMC's job",
    checkNext: "Look at the iDRAC's job queue, and whether its lockdown is on",
    tenantWords: "being cleaned",
    limit: "state",
  },
  "WaitingForCleanup/HostCleanup": {
    tone: "working",
    label: "Cleaning",
    waitsFor: "The step that the agent runs",
    checkNext:
      "See the progress of each device on the Reclamation tab; a running erase must not be interrupted",
    tenantWords: "being cleaned",
    limit: "plan",
  },
  "WaitingForCleanup/PlatformCleanup": {
    tone: "working",
    label: "Cleaning platform",
    waitsFor: "The BMC's step",
    checkNext: "Look at the job queue of the BMC",
    tenantWords: "being cleaned",
    limit: "plan",
  },
} as const satisfies Partial<Record<State, StateRow>>;

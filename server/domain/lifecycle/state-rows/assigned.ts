// States of a host held by a tenant, and of its return from the tenant's network.
import type { StateRow } from "@/server/domain/lifecycle/state-rows/state-row";
import type { State } from "@/server/domain/lifecycle/states";

export const assignedRows = {
  "Assigned/WaitingForNetworkConfig": {
    tone: "working",
    label: "Assigning, network",
    waitsFor: "Every interface to acknowledge the tenant's network",
    checkNext:
      "See at the host's network what the network controller answered, then ask it again. Releasing the instance ends the wait",
    tenantWords: "being prepared",
    limit: "state",
  },
  "Assigned/WaitingForRebootToReady": {
    tone: "working",
    label: "Assigning, restart",
    waitsFor: "The host to restart into the tenant's image",
    checkNext: "Check power and boot of the host. Releasing the instance ends the wait",
    tenantWords: "being prepared",
    limit: "state",
  },
  "Assigned/Ready": {
    tone: "neutral",
    label: "In use",
    waitsFor: "Nothing: a tenant is using it",
    checkNext: "Nothing",
    tenantWords: "in use",
    limit: "none",
  },
  "Assigned/BootingWithDiscoveryImage": {
    tone: "working",
    label: "Released, booting agent",
    waitsFor: "The agent to register after the restart",
    checkNext:
      "Check BMC, power and boot of the host: does the BMC respond, is the host on, and does it boot from the network",
    tenantWords: "being returned",
    limit: "boot",
  },
  "Assigned/SwitchToAdminNetwork": {
    tone: "working",
    label: "Released, switching network",
    waitsFor: "The network controller to take the admin network",
    checkNext: "See at the host's network what the network controller answered",
    tenantWords: "being returned",
    limit: "state",
  },
  "Assigned/WaitingForNetworkReconfig": {
    tone: "working",
    label: "Released, network coming back",
    waitsFor: "Every interface to acknowledge the admin network, and extension services to end",
    checkNext:
      "Check the DPU agents of the interfaces that have not acknowledged, then ask the network again",
    tenantWords: "being returned",
    limit: "state",
  },
} as const satisfies Partial<Record<State, StateRow>>;

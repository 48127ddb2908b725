// States from the inventory after cleaning up to the gates.
import type { StateRow } from "@/server/domain/lifecycle/state-rows/state-row";
import type { State } from "@/server/domain/lifecycle/states";

export const checkingRows = {
  "BomValidating/BootingAgent": {
    tone: "working",
    label: "Inventory, booting agent",
    waitsFor: "The agent to register after the last restart of cleaning",
    checkNext:
      "Check BMC, power and boot of the host: does the BMC respond, is the host on, and does it boot from the network",
    tenantWords: "being checked",
    limit: "boot",
  },
  "BomValidating/UpdatingInventory": {
    tone: "working",
    label: "Taking inventory",
    waitsFor: "The agent's new inventory",
    checkNext: "Read the agent's log on the Reclamation tab",
    tenantWords: "being checked",
    limit: "inventory",
  },
  "BomValidating/MatchingSku": {
    tone: "working",
    label: "Matching SKU",
    waitsFor: "Nothing: a host without a SKU gets the only one it matches",
    checkNext: "Nothing",
    tenantWords: "being checked",
    limit: "inventory",
  },
  "BomValidating/VerifyingSku": {
    tone: "working",
    label: "Verifying inventory",
    waitsFor: "Nothing: compares at once",
    checkNext: "Nothing",
    tenantWords: "being checked",
    limit: "inventory",
  },
  "BomValidating/WaitingForSkuAssignment": {
    tone: "waiting",
    label: "No SKU",
    waitsFor: "A SKU that the host matches, a person to assign one, or a new inventory",
    checkNext:
      "Compare the inventory with the SKUs: none equals it, several do, or the one that does has no drives. Assign one",
    tenantWords: "being checked",
    limit: "none",
  },
  "BomValidating/SkuMissing": {
    tone: "attention",
    label: "SKU missing",
    waitsFor: "The host's SKU, which was deleted",
    checkNext: "Assign the SKU that the host should have now",
    tenantWords: "being checked",
    limit: "inventory",
  },
  "BomValidating/SkuVerificationFailed": {
    tone: "attention",
    label: "Inventory differs",
    waitsFor: "A person to repair the host or assign another SKU, or a new inventory",
    checkNext:
      "Compare the parts that differ, required and found, on the Parts tab. Repair the host and read the inventory again, or assign another SKU",
    tenantWords: "being checked",
    limit: "none",
  },
  "Validation/RebootHost": {
    tone: "working",
    label: "Validation, restart",
    waitsFor: "The agent to register after the restart",
    checkNext:
      "Check BMC, power and boot of the host: does the BMC respond, is the host on, and does it boot from the network",
    tenantWords: "being checked",
    limit: "boot",
  },
  "Validation/MachineValidating": {
    tone: "working",
    label: "Validating",
    waitsFor: "The site's tests",
    checkNext: "Read the agent's log on the Reclamation tab",
    tenantWords: "being checked",
    limit: "validation",
  },
  "HostInit/Discovered": {
    tone: "working",
    label: "Discovered",
    waitsFor: "Nothing: continues at once",
    checkNext: "Nothing",
    tenantWords: "being checked",
    limit: "state",
  },
  "ReturnToAllocation/EvaluatingGates": {
    tone: "working",
    label: "Evaluating gates",
    waitsFor: "Nothing: evaluates at once",
    checkNext: "Nothing",
    tenantWords: "being checked",
    limit: "state",
  },
  "ReturnToAllocation/AwaitingHealth": {
    tone: "waiting",
    label: "Awaiting health",
    waitsFor: "The alert or maintenance that keeps it out to end",
    checkNext:
      "See the Health tab for the alert and who raises it, or the reason for the maintenance. The host continues when the alert is cleared or its report removed, and the maintenance has ended",
    tenantWords: "being checked",
    limit: "none",
  },
  "ReturnToAllocation/AwaitingRepair": {
    tone: "waiting",
    label: "Awaiting repair",
    waitsFor: "A repair tenant to claim it, or the alert to be removed: every other gate lets it go on",
    checkNext: "See the issue on the Health tab, and ask who should repair the host",
    tenantWords: "being checked",
    limit: "none",
  },
  "ReturnToAllocation/AwaitingProcedure": {
    tone: "waiting",
    label: "Awaiting procedure",
    waitsFor: "A person to carry out a procedure on the machine and to record it",
    checkNext:
      "Carry out the procedures on the Assurance tab and record them. A rejected record shows the reason. After the last record, the host waits for sign-off",
    tenantWords: "being checked",
    limit: "people",
  },
  "ReturnToAllocation/AwaitingSignOff": {
    tone: "waiting",
    label: "Awaiting sign-off",
    waitsFor: "A person other than the one who recorded the procedure to sign it off",
    checkNext: "Ask somebody other than the person who recorded it to sign the record on the Assurance tab",
    tenantWords: "being checked",
    limit: "people",
  },
} as const satisfies Partial<Record<State, StateRow>>;

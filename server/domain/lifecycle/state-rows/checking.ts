// The rows from the inventory after cleaning to the gates.
import type { StateRow } from "@/server/domain/lifecycle/state-rows/state-row";
import type { State } from "@/server/domain/lifecycle/states";

export const checkingRows = {
  "BomValidating/BootingAgent": {
    tone: "working",
    label: "Inventory, booting agent",
    waitsFor: "The agent to register after the last restart of cleaning",
    checkNext: "BMC reachability, power, boot override, boot network",
    tenantWords: "being checked",
    limit: "boot",
  },
  "BomValidating/UpdatingInventory": {
    tone: "working",
    label: "Taking inventory",
    waitsFor: "The agent's new inventory",
    checkNext: "The agent's log",
    tenantWords: "being checked",
    limit: "inventory",
  },
  "BomValidating/MatchingSku": {
    tone: "working",
    label: "Matching SKU",
    waitsFor: "Nothing: a host without a SKU gets the only one that it matches",
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
      "Why no SKU was matched: none equals the inventory, several do, or the one that does has no drives",
    tenantWords: "being checked",
    limit: "none",
  },
  "BomValidating/SkuMissing": {
    tone: "attention",
    label: "SKU missing",
    waitsFor: "The SKU that the host is assigned to, which is gone",
    checkNext: "Which SKU the host should have now",
    tenantWords: "being checked",
    limit: "inventory",
  },
  "BomValidating/SkuVerificationFailed": {
    tone: "attention",
    label: "Inventory differs",
    waitsFor: "A person to repair the host or assign another SKU, or a new inventory",
    checkNext: "The parts that differ: what is wanted, and what was found",
    tenantWords: "being checked",
    limit: "none",
  },
  "Validation/RebootHost": {
    tone: "working",
    label: "Validation, restart",
    waitsFor: "The agent to register after the restart",
    checkNext: "BMC reachability, power, boot network",
    tenantWords: "being checked",
    limit: "boot",
  },
  "Validation/MachineValidating": {
    tone: "working",
    label: "Validating",
    waitsFor: "The site's tests",
    checkNext: "The agent's log",
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
      "The alert on the host's Health tab, and who raises it; or the maintenance and its reason. It goes on when the alert is cleared or its report is removed, and the maintenance has ended",
    tenantWords: "being checked",
    limit: "none",
  },
} as const satisfies Partial<Record<State, StateRow>>;

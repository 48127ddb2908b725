// States of a host that leaves the fleet, or that stopped and waits for a person.
import { failedNetworkRows } from "@/server/domain/lifecycle/state-rows/failed-network";
import type { StateRow } from "@/server/domain/lifecycle/state-rows/state-row";
import type { State } from "@/server/domain/lifecycle/states";

export const failedRows = {
  "Decommissioning/RemovingLeftovers": {
    tone: "working",
    label: "Removing leftovers",
    waitsFor: "The network controller to quarantine the ports, and the BMC to remove leftovers",
    checkNext:
      "See on the Reclamation tab what the BMC answered for each leftover. If it waits for the network, ask the network again",
    tenantWords: "removed",
    limit: "state",
  },
  Decommissioned: {
    tone: "good",
    label: "Decommissioned",
    waitsFor: "Nothing: the host has left the fleet, and its record stays",
    checkNext: "Nothing",
    tenantWords: "removed",
    limit: "none",
  },
  ForceDeletion: {
    tone: "working",
    label: "Deleting",
    waitsFor: "Nothing: the host is removed at once, not cleaned",
    checkNext: "Nothing",
    tenantWords: "removed",
    limit: "state",
  },
  "Failed/NVMECleanFailed": {
    tone: "failed",
    label: "Failed, NVMECleanFailed",
    waitsFor: "A person",
    checkNext:
      "Read what the drive answered on the Reclamation tab. Replace a drive that cannot be erased, and record its disposition",
    tenantWords: "not proven clean yet; the provider is working on it",
    limit: "always",
  },
  "Failed/HDDCleanFailed": {
    tone: "failed",
    label: "Failed, HDDCleanFailed",
    waitsFor: "A person",
    checkNext:
      "Read what the drive answered on the Reclamation tab. Replace a drive that cannot be erased, and record its disposition",
    tenantWords: "not proven clean yet; the provider is working on it",
    limit: "always",
  },
  "Failed/RaidCleanFailed": {
    tone: "failed",
    label: "Failed, RaidCleanFailed",
    waitsFor: "A person",
    checkNext: "Look at the RAID controller's jobs in the BMC, then retry",
    tenantWords: "not proven clean yet; the provider is working on it",
    limit: "always",
  },
  "Failed/BossCleanFailed": {
    tone: "failed",
    label: "Failed, BossCleanFailed",
    waitsFor: "A person",
    checkNext: "Look at the iDRAC's job queue and at the BOSS card itself, then retry",
    tenantWords: "not proven clean yet; the provider is working on it",
    limit: "always",
  },
  "Failed/MemOverwriteFailed": {
    tone: "failed",
    label: "Failed, MemOverwriteFailed",
    waitsFor: "A person",
    checkNext:
      "Check that the firmware stores the UEFI variable MemoryOverwriteRequestControl, then retry. Otherwise drain the host's power and record it, or ask for an exception on the Gates tab",
    tenantWords: "not proven clean yet; the provider is working on it",
    limit: "always",
  },
  "Failed/IbCleanFailed": {
    tone: "failed",
    label: "Failed, IbCleanFailed",
    waitsFor: "A person",
    checkNext:
      "Look at the InfiniBand device that the message names, then retry. Otherwise ask for an exception on the Gates tab",
    tenantWords: "not proven clean yet; the provider is working on it",
    limit: "always",
  },
  "Failed/PlatformCleanFailed": {
    tone: "failed",
    label: "Failed, PlatformCleanFailed",
    waitsFor: "A person",
    checkNext: "Correct the setting that the message names, then retry",
    tenantWords: "not proven clean yet; the provider is working on it",
    limit: "always",
  },
  "Failed/CleanFailed": {
    tone: "failed",
    label: "Failed, CleanFailed",
    waitsFor: "A person",
    checkNext: "Read what the failed step answered on the Reclamation tab, then retry",
    tenantWords: "not proven clean yet; the provider is working on it",
    limit: "always",
  },
  "Failed/DeviceMissing": {
    tone: "failed",
    label: "Failed, DeviceMissing",
    waitsFor: "A person",
    checkNext:
      "Check that the drives that the message names are seated and powered, and not known under another serial number. If a drive was removed, record its disposition",
    tenantWords: "not proven clean yet; the provider is working on it",
    limit: "always",
  },
  "Failed/ContentChanged": {
    tone: "failed",
    label: "Failed, ContentChanged",
    waitsFor: "A person",
    checkNext:
      "Find out who booted the host from another source, or worked on it: the content of a drive in the message changed after its erase. A retry erases every drive again",
    tenantWords: "not proven clean yet; the provider is working on it",
    limit: "always",
  },
  "Failed/StepTimeout": {
    tone: "failed",
    label: "Failed, StepTimeout",
    waitsFor: "A person",
    checkNext: "Read the step and the agent's log on the Reclamation tab, then retry; the host was left on",
    tenantWords: "not proven clean yet; the provider is working on it",
    limit: "always",
  },
  "Failed/AgentLost": {
    tone: "failed",
    label: "Failed, AgentLost",
    waitsFor: "A person",
    checkNext: "Look at the host's own console and at the link to the boot network, then retry",
    tenantWords: "not proven clean yet; the provider is working on it",
    limit: "always",
  },
  "Failed/AgentVersionMismatch": {
    tone: "failed",
    label: "Failed, AgentVersionMismatch",
    waitsFor: "A person",
    checkNext:
      "Check on Agent images which image the host boots, roll out a current one, and restart the plan",
    tenantWords: "not proven clean yet; the provider is working on it",
    limit: "always",
  },
  "Failed/MeasuringFailed": {
    tone: "failed",
    label: "Failed, MeasuringFailed",
    waitsFor: "A person",
    checkNext: "See the Attestation tab for what booted on the host, then retry",
    tenantWords: "not proven clean yet; the provider is working on it",
    limit: "always",
  },
  "Failed/AgentIdentityConflict": {
    tone: "failed",
    label: "Failed, AgentIdentityConflict",
    waitsFor: "A person",
    checkNext:
      "Find out whether another machine responded as this host, or the host has other names since its firmware or mainboard was changed: see Names on the Inventory tab",
    tenantWords: "not proven clean yet; the provider is working on it",
    limit: "always",
  },
  "Failed/BootContested": {
    tone: "failed",
    label: "Failed, BootContested",
    waitsFor: "A person",
    checkNext:
      "Find what responds as this host in the provisioning network before it restarts: the system on its drives, or another machine with its MAC address or UUID. Stop it, then retry",
    tenantWords: "not proven clean yet; the provider is working on it",
    limit: "always",
  },
  "Failed/EraseVoided": {
    tone: "failed",
    label: "Failed, EraseVoided",
    waitsFor: "A person",
    checkNext:
      "Find what restarts the host while it is cleaned: its power, its BMC, its boot order. Then restart the plan",
    tenantWords: "not proven clean yet; the provider is working on it",
    limit: "always",
  },
  "Failed/GateUnsatisfied": {
    tone: "failed",
    label: "Failed, GateUnsatisfied",
    waitsFor: "A person",
    checkNext:
      "See the Gates tab for the gate that is not satisfied and what it rests on. Mend that and restart the plan, or ask for an exception there",
    tenantWords: "not proven clean yet; the provider is working on it",
    limit: "always",
  },
  "Failed/MachineValidation": {
    tone: "failed",
    label: "Failed, MachineValidation",
    waitsFor: "A person",
    checkNext: "Read the test that failed and the agent's log on the Reclamation tab, then retry",
    tenantWords: "not proven clean yet; the provider is working on it",
    limit: "always",
  },
  "Failed/BiosSetupFailed": {
    tone: "failed",
    label: "Failed, BiosSetupFailed",
    waitsFor: "A person",
    checkNext: "Compare the BIOS settings of the host with its SKU's baseline, then retry",
    tenantWords: "not proven clean yet; the provider is working on it",
    limit: "always",
  },
  "Failed/BmcUnreachable": {
    tone: "failed",
    label: "Failed, BmcUnreachable",
    waitsFor: "A person",
    checkNext:
      "Check the BMC's power, cable, address and credential; the host continues by itself when the BMC responds",
    tenantWords: "not proven clean yet; the provider is working on it",
    limit: "always",
  },
  "Failed/BmcRefused": {
    tone: "failed",
    label: "Failed, BmcRefused",
    waitsFor: "A person",
    checkNext:
      "Read the BMC's answer under Device answers, and check its firmware, licence and account; then retry",
    tenantWords: "not proven clean yet; the provider is working on it",
    limit: "always",
  },
  "Failed/BmcOfAnotherHost": {
    tone: "failed",
    label: "Failed, BmcOfAnotherHost",
    waitsFor: "A person",
    checkNext:
      "Find out which machine has this BMC address: nothing was changed on it. Correct the address, then retry",
    tenantWords: "not proven clean yet; the provider is working on it",
    limit: "always",
  },
  "Failed/BmcCertificateChanged": {
    tone: "failed",
    label: "Failed, BmcCertificateChanged",
    waitsFor: "A person",
    checkNext:
      "Find out who replaced the BMC or its certificate: nothing was sent to it. Compare the fingerprint and confirm the certificate, which also retries. Reading the inventory again also reads the certificate",
    tenantWords: "not proven clean yet; the provider is working on it",
    limit: "always",
  },
  "Failed/BmcInventoryFailed": {
    tone: "failed",
    label: "Failed, BmcInventoryFailed",
    waitsFor: "A person",
    checkNext:
      "Read what the BMC answered on the Inventory tab, correct or restart the BMC, and read the inventory again",
    tenantWords: "not proven clean yet; the provider is working on it",
    limit: "always",
  },
  "Failed/ResetNotConfirmed": {
    tone: "failed",
    label: "Failed, ResetNotConfirmed",
    waitsFor: "A person",
    checkNext:
      "Look at the BMC's log and the host's own console: the BMC accepts restarts but does not carry them out, or does not report them. Then retry",
    tenantWords: "not proven clean yet; the provider is working on it",
    limit: "always",
  },
  ...failedNetworkRows,
  "Failed/DatabaseRestored": {
    tone: "failed",
    label: "Failed, DatabaseRestored",
    waitsFor: "A person",
    checkNext:
      "Find out who has used the host since the backup of the database that was restored. If it has an instance, use Release instance, or Restart if the release had begun. If not, use Manage, then Provide, which erases every drive",
    tenantWords: "not proven clean yet; the provider is working on it",
    limit: "always",
  },
  "Failed/ManualInterventionRequired": {
    tone: "failed",
    label: "Failed, ManualInterventionRequired",
    waitsFor: "A person",
    checkNext:
      "Look at the host's own console during a restart: it was restarted the maximum number of times and no agent registered. Then retry",
    tenantWords: "not proven clean yet; the provider is working on it",
    limit: "always",
  },
  "Failed/LeftoversRemain": {
    tone: "failed",
    label: "Failed, LeftoversRemain",
    waitsFor: "A person",
    checkNext:
      "Read the BMC's answer to each leftover that the message names. Remove them by hand and retry, or accept them with a reason",
    tenantWords: "not proven clean yet; the provider is working on it",
    limit: "always",
  },
} as const satisfies Partial<Record<State, StateRow>>;

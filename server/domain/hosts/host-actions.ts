// What a person can request for a host: one table of texts for buttons, command palette and bulk forms.
import type { ActionRow } from "@/server/domain/hosts/actions/action-row";
import { bmcActions } from "@/server/domain/hosts/actions/bmc-actions";
import type { IntentKind } from "@/server/domain/lifecycle/signals";

export const hostActionNames = [
  "retry",
  "restart",
  "inspect",
  "inspectByAgent",
  "disposeDrive",
  "assignSku",
  "setPlace",
  "setLabels",
  "confirmCertificate",
  "setBmc",
  "manage",
  "provide",
  "powerOn",
  "powerOff",
  "reboot",
  "softPowerOff",
  "softReboot",
  "injectNmi",
  "setBoot",
  "skipEraseWait",
  "askNetwork",
  "setMaintenance",
  "clearMaintenance",
  "confirmUntouched",
  "recheck",
  "acceptLeftovers",
  "decommission",
  "forceDelete",
] as const;
export type HostActionName = (typeof hostActionNames)[number];

/** Actions for or during a cleaning. Each needs more than a click, so pages offer them separately. */
export const cleaningActionNames = ["clean", "hold", "resume", "abort"] as const;
export type CleaningActionName = (typeof cleaningActionNames)[number];

/** Actions that are intents for the controller and need no input besides the host. */
export type HostIntent = Exclude<
  Extract<HostActionName, IntentKind>,
  "acceptLeftovers" | "decommission" | "setBoot"
>;

export const hostActions = {
  retry: {
    words: "Retry step",
    summary: "continues at the failed step with a new attempt",
    consequence: "The reclamation continues at the failed step with a new attempt.",
    danger: false,
    right: "host.retry",
    command: "retry",
  },
  restart: {
    words: "Restart plan",
    summary: "makes a new plan for a reclamation that stopped, and runs it from the beginning",
    consequence: "A new plan is made from the current device list, and every clean step runs again.",
    danger: true,
    right: "host.restart",
    command: "hosts restart",
  },
  inspect: {
    words: "Read inventory again",
    summary: "reads the inventory of a host again: from the BMC now, from the agent at its next boot",
    consequence:
      "The BMC is asked for the host's drives and parts now; the agent reports what it finds at its next boot. Nothing is erased, and the state of the host does not change.",
    danger: false,
    right: "host.manage",
    command: "hosts inspect",
  },
  inspectByAgent: {
    words: "Inspect by agent",
    summary: "boots the agent on a host and takes the inventory that it reports",
    consequence:
      "The host restarts into the agent now, which reports its drives and parts. Nothing is erased. Outside Manageable, the agent reports at its next boot.",
    danger: true,
    right: "host.manage",
    command: "hosts inspect-by-agent",
  },
  disposeDrive: {
    words: "Record disposition",
    summary: "records what became of a missing drive that is expected or in the host's debt",
    consequence:
      "Once another person has signed the disposition, the missing drive no longer blocks the host. It is recorded with both names and shown at the gate.",
    danger: true,
    right: "host.dispose",
    command: "hosts dispose-drive",
  },
  assignSku: {
    words: "Assign SKU",
    summary: "assigns a SKU to a host, or removes it",
    consequence:
      "The host is compared with the SKU at its next inventory check; a host waiting for a SKU is compared at once.",
    danger: true,
    right: "host.edit",
    command: "hosts assign-sku",
  },
  setPlace: {
    words: "Change place",
    summary: "sets where a host is: rack, slot, network segment, power domain",
    consequence:
      "The host counts towards the limits of its new segment and power domain from the next admission on. Its state does not change.",
    danger: false,
    right: "host.edit",
    command: "hosts place",
  },
  setLabels: {
    words: "Change labels",
    summary: "sets the labels of a host: notes for people and programs, at most ten",
    consequence:
      "All labels are replaced by these. Tenants that repair hosts read them while no other tenant has the host. Its state does not change.",
    danger: false,
    right: "host.label",
    command: "hosts labels set",
  },
  confirmCertificate: {
    words: "Confirm certificate",
    summary: "confirms the certificate that a host's BMC presented; from then on it must present this one",
    consequence:
      "The BMC must present this certificate from now on. Credentials are sent to whoever presents it, so compare the fingerprint with the one the BMC displays. The host then continues where it stopped.",
    danger: true,
    right: "host.edit",
    command: "hosts confirm-certificate",
  },
  setBmc: {
    words: "Change BMC",
    summary:
      "changes how a host's BMC is reached: address, user, password, certificate, MACs, expected serial",
    consequence:
      "The new settings apply from the next call to the BMC. A host that stopped continues where it stopped.",
    danger: false,
    right: "host.edit",
    command: "hosts set-bmc",
  },
  manage: {
    words: "Manage",
    summary: "takes a host out of allocation, for the provider's own use",
    consequence:
      "The host leaves allocation and is kept by the provider. A stopped reclamation ends as abandoned; what it has not erased must still be erased before anybody gets the host.",
    danger: true,
    right: "host.manage",
    command: "hosts manage",
  },
  provide: {
    words: "Provide",
    summary: "brings a host to allocation: cleaned, checked, Ready",
    consequence:
      "An onboarding reclamation begins: the host is cleaned, checked, and Ready when its gates let it go on.",
    danger: false,
    right: "host.provide",
    command: "hosts provide",
  },
  ...bmcActions,
  skipEraseWait: {
    words: "Skip erase wait",
    summary:
      "ends the wait for an erase that no agent reports on; a drive that is still erasing may be left unusable",
    consequence:
      "Reclaim no longer waits for an erase that may still run, and may restart the host or power it off. A drive that is still erasing may be left locked or unusable. It is erased again and read back before it counts.",
    danger: true,
    right: "host.power",
    command: "hosts skip-erase-wait",
  },
  askNetwork: {
    words: "Ask network again",
    summary: "repeats the request to the site's network controller for the network a host is waiting for",
    consequence:
      "The network controller gets the same request again, and its timeout restarts. Acknowledged interfaces stay acknowledged.",
    danger: false,
    right: "host.retry",
    command: "hosts ask-network",
  },
  setMaintenance: {
    words: "Set maintenance",
    summary: "keeps a host out of allocation until a person ends it",
    consequence: "The host is kept out of allocation until a person ends it.",
    danger: false,
    right: "host.maintenance",
    command: "hosts maintenance set",
  },
  clearMaintenance: {
    words: "End maintenance",
    summary: "ends the maintenance of a host; one that was Ready is checked before it is allocated",
    consequence:
      "A host that was Ready is booted, and its inventory and the content of its drives are checked, before it may be allocated again.",
    danger: false,
    right: "host.maintenance",
    command: "hosts maintenance clear",
  },
  confirmUntouched: {
    words: "End maintenance, untouched",
    summary: "ends the maintenance of a host that a person states nobody touched",
    consequence:
      "You state that nobody touched the host during its maintenance: it may be allocated without being checked again. Your name and your reason are recorded.",
    danger: true,
    right: "host.maintenance",
    command: "hosts maintenance clear --untouched <reason>",
  },
  recheck: {
    words: "Check again",
    summary: "checks a Ready host again, with its tests; it leaves allocation meanwhile",
    consequence:
      "The host leaves allocation and restarts into the agent. Its parts, its drives' content and its BMC's settings are compared, and the tests of its site and SKU run. Nothing is erased. If nothing differs and every test passes, the host is Ready again; otherwise it stops and says why.",
    danger: true,
    right: "host.maintenance",
    command: "hosts recheck",
  },
  acceptLeftovers: {
    words: "Accept leftovers",
    summary: "lets a host be decommissioned with leftovers that its BMC does not remove",
    consequence:
      "The decommission continues without removing the leftovers listed. They are recorded with your name and reason.",
    danger: true,
    right: "host.decommission",
    command: "hosts accept-leftovers",
  },
  decommission: {
    words: "Decommission",
    summary: "takes a host out of the fleet for good: erases it, removes its leftovers, keeps its record",
    consequence:
      "The host leaves allocation now. All its drives are erased, accounts and boot entries are removed from its BMC, its ports are quarantined, and it is removed from Reclaim. Its record stays. This cannot be undone once the erase has begun.",
    danger: true,
    right: "host.decommission",
    command: "hosts decommission",
  },
  forceDelete: {
    words: "Delete",
    summary: "removes a host; it is recorded as not cleaned",
    consequence:
      "The host is removed and recorded as not cleaned. Its debt stays, and applies again if a host with its serial numbers is enrolled.",
    danger: true,
    right: "host.delete",
    command: "hosts delete",
  },
  clean: {
    words: "Clean manually",
    summary: "cleans a host manually: a list of steps in the order given, or a runbook",
    consequence:
      "The steps run in the order given; afterwards the host is Manageable, with the run in its history. A stopped reclamation ends as abandoned, and its debt stays.",
    danger: true,
    right: "host.clean",
    command: "clean",
  },
  hold: {
    words: "Hold before next step",
    summary: "holds a cleaning before its next step",
    consequence:
      "The running step ends first; then the host waits until it is resumed or the hold expires. Its clock stops.",
    danger: false,
    right: "host.interrupt",
    command: "hold",
  },
  resume: {
    words: "Resume",
    summary: "resumes a cleaning that is on hold",
    consequence: "The hold ends, and the next step begins.",
    danger: false,
    right: "host.interrupt",
    command: "resume",
  },
  abort: {
    words: "Abort",
    summary: "ends a cleaning as failed, at once or after the running step",
    consequence:
      "The cleaning ends as failed: at once if the step can be stopped, otherwise after it. A running erase is always waited for.",
    danger: true,
    right: "host.interrupt",
    command: "abort",
  },
} satisfies Record<HostActionName | CleaningActionName, ActionRow>;

export const hostIntents = [
  "retry",
  "restart",
  "inspect",
  "inspectByAgent",
  "manage",
  "provide",
  "powerOn",
  "powerOff",
  "reboot",
  "softPowerOff",
  "softReboot",
  "injectNmi",
  "skipEraseWait",
  "askNetwork",
  "forceDelete",
] as const satisfies readonly HostIntent[];

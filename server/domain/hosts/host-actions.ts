// What a person may ask of a host, in words: one table for buttons, command palette and bulk forms.
import type { Right } from "@/server/domain/access/access";
import type { IntentKind } from "@/server/domain/lifecycle/signals";

export const hostActionNames = ["retry", "restart", "manage", "provide", "powerOn", "powerOff", "reboot", "setMaintenance", "clearMaintenance", "forceDelete"] as const;
export type HostActionName = (typeof hostActionNames)[number];

/** What is asked of a host for or during its cleaning: each needs more than a click, so pages offer them apart from the others. */
export const cleaningActionNames = ["clean", "hold", "resume", "abort"] as const;
export type CleaningActionName = (typeof cleaningActionNames)[number];

/** The actions that are intents of the controller. */
export type HostIntent = Extract<HostActionName, IntentKind>;

interface ActionRow {
  readonly words: string;
  /** What will happen, in one sentence. */
  readonly consequence: string;
  /** Asks again before it is done. */
  readonly danger: boolean;
  readonly right: Right;
}

export const hostActions = {
  retry: { words: "Retry step", consequence: "The reclamation goes on at the step that failed, with a new attempt.", danger: false, right: "host.retry" },
  restart: { words: "Restart plan", consequence: "A new plan is made from today's device list, and every clean step runs again.", danger: true, right: "host.restart" },
  manage: { words: "Manage", consequence: "The host leaves allocation and becomes the provider's own; a stopped reclamation ends as abandoned, and a debt stays.", danger: true, right: "host.manage" },
  provide: { words: "Provide", consequence: "An onboarding reclamation begins: the host is cleaned, checked, and Ready when every gate is proven.", danger: false, right: "host.provide" },
  powerOn: { words: "Power on", consequence: "The BMC switches the host on, and the result is read back. Its state stays as it is.", danger: false, right: "host.power" },
  powerOff: { words: "Power off", consequence: "The BMC switches the host off at once, without asking its system, and the result is read back. Its state stays as it is.", danger: true, right: "host.power" },
  reboot: { words: "Restart host", consequence: "The BMC restarts the host at once, without asking its system; one that is off is switched on. Its state stays as it is.", danger: true, right: "host.power" },
  setMaintenance: { words: "Set maintenance", consequence: "The host is kept out of allocation until a person ends it.", danger: false, right: "host.maintenance" },
  clearMaintenance: { words: "End maintenance", consequence: "The host may be allocated again when it is Ready.", danger: false, right: "host.maintenance" },
  forceDelete: { words: "Delete", consequence: "The host is removed and recorded as not cleaned. What it owes stays, and comes back with its serial numbers.", danger: true, right: "host.delete" },
  clean: { words: "Clean by hand", consequence: "The steps run in the order given; afterwards the host is Manageable, with the run in its history. A stopped reclamation ends as abandoned, and its debt stays.", danger: true, right: "host.clean" },
  hold: { words: "Hold before next step", consequence: "The step that runs ends first; then the host waits until somebody resumes it, or the hold expires. Its clock stands still.", danger: false, right: "host.interrupt" },
  resume: { words: "Resume", consequence: "The hold ends, and the next step begins.", danger: false, right: "host.interrupt" },
  abort: { words: "Abort", consequence: "The cleaning ends as failed: at once where the step can be stopped, otherwise after it. An erase that runs is waited for.", danger: true, right: "host.interrupt" },
} satisfies Record<HostActionName | CleaningActionName, ActionRow>;

export const hostIntents = ["retry", "restart", "manage", "provide", "powerOn", "powerOff", "reboot", "forceDelete"] as const satisfies readonly HostIntent[];

// Which acts a host's page offers, and in which order: what lets a stopped cleaning go on first, what takes something for good last.
import { bmcIntents } from "@/server/domain/lifecycle/signals";
import type { HostAction, HostDetail } from "@/server/surfaces/trpc/types";

const order = [
  "disposeDrive",
  "retry",
  "restart",
  "acceptLeftovers",
  "resume",
  "hold",
  "abort",
  "confirmCertificate",
  "setBmc",
  "provide",
  "manage",
  "clean",
  "assignSku",
  "inspect",
  "inspectByAgent",
  "setMaintenance",
  "clearMaintenance",
  "confirmUntouched",
  "setPlace",
  "setLabels",
  "powerOn",
  "reboot",
  "powerOff",
  "softPowerOff",
  "softReboot",
  "injectNmi",
  "setBoot",
  "skipEraseWait",
  "askNetwork",
  "decommission",
  "forceDelete",
] as const satisfies readonly HostAction["intent"][];

/** A hold that is asked for or in force is changed by another. */
function wordsOf(action: HostAction, { hold }: HostDetail["asked"]): HostAction {
  return action.intent === "hold" && hold !== null ? { ...action, words: "Change hold" } : action;
}

const ofBmc: ReadonlySet<HostAction["intent"]> = new Set(["inspectByAgent", ...bmcIntents]);

/** Only in the menu: a restart must not stand where the hand goes for something else. */
export const switchesPower = ({ intent }: Pick<HostAction, "intent">): boolean => ofBmc.has(intent);

/** Those of both lists, ordered. Pure. */
export function offeredActs({
  actions,
  cleaningActions,
  asked,
}: Pick<HostDetail, "actions" | "cleaningActions" | "asked">): readonly HostAction[] {
  const all = [...actions, ...cleaningActions];
  return order
    .flatMap((intent) => all.filter((action) => action.intent === intent))
    .map((action) => wordsOf(action, asked));
}

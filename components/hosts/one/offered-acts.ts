// Which acts a host's page offers, in which order: acts that unblock a stopped cleaning first, destructive ones last.
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
  "recheck",
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

/** A second hold changes the hold that is requested or in force. */
function textOf(action: HostAction, { hold }: HostDetail["asked"]): HostAction {
  return action.intent === "hold" && hold !== null ? { ...action, words: "Change hold" } : action;
}

const ofBmc: ReadonlySet<HostAction["intent"]> = new Set(["inspectByAgent", ...bmcIntents]);

/** In the menu only, where a restart is not clicked by mistake. */
export const switchesPower = ({ intent }: Pick<HostAction, "intent">): boolean => ofBmc.has(intent);

/** The acts of both lists, the advised one first, then in order. Pure. */
export function offeredActs({
  actions,
  cleaningActions,
  asked,
  advised,
}: Pick<HostDetail, "actions" | "cleaningActions" | "asked" | "advised">): readonly HostAction[] {
  const all = [...actions, ...cleaningActions];
  const [first, others] = [
    order.filter((intent) => intent === advised),
    order.filter((intent) => intent !== advised),
  ];
  return [...first, ...others]
    .flatMap((intent) => all.filter((action) => action.intent === intent))
    .map((action) => textOf(action, asked));
}

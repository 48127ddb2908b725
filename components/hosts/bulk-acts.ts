// The acts that make sense on many hosts at once; words and consequences are the domain's.
import { hostActions } from "@/server/domain/hosts/host-actions";

/** As buttons that say on how many they are possible. */
const buttons = ["retry", "manage", "provide"] as const;
/** Behind the button for more. */
const others = [
  "hold",
  "resume",
  "abort",
  "restart",
  "setMaintenance",
  "clearMaintenance",
  "decommission",
] as const;

export const bulkButtons = buttons.map((intent) => ({ intent, words: hostActions[intent].words }));
export const bulkMenu = others.map((intent) => ({ intent, words: hostActions[intent].words }));

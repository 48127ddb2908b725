// The acts that make sense on many hosts at once. Their labels and consequences come from the domain.
import { hostActions } from "@/server/domain/hosts/host-actions";

/** Shown as buttons with the number of hosts they are possible on. */
const buttons = ["retry", "manage", "provide"] as const;
/** Behind the "more" button. */
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

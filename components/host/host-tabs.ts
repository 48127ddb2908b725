// The tabs of a host's page, as the URL names them.
import { reachOf } from "@/server/domain/access/access";
import type { Role } from "@/server/domain/access/roles";

export const hostTabs = [
  "reclamation",
  "gates",
  "health",
  "repair",
  "assurance",
  "history",
  "inventory",
  "audit",
] as const;
export type HostTab = (typeof hostTabs)[number];

export const hostTabWords = {
  reclamation: "Reclamation",
  gates: "Gates",
  health: "Health",
  repair: "Repair",
  assurance: "Assurance",
  history: "History",
  inventory: "Inventory",
  audit: "Audit",
} as const satisfies Record<HostTab, string>;

/** The audit log is for who may read all of it: also of one host it tells who else is there. */
export const hostTabsOf = (role: Role): readonly HostTab[] =>
  hostTabs.filter((tab) => tab !== "audit" || reachOf(role, "audit.read") !== "none");

/** The URL's tab; anything else, and one that this person does not have, is the first. */
export function parseHostTab(text: string | undefined, role: Role): HostTab {
  return hostTabsOf(role).find((tab) => tab === text) ?? "reclamation";
}

// The tabs of a host's page, as named in the URL.
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
  "parts",
  "platform",
  "attestation",
  "audit",
] as const;
export type HostTab = (typeof hostTabs)[number];

export const hostTabLabels = {
  reclamation: "Reclamation",
  gates: "Gates",
  health: "Health",
  repair: "Repair",
  assurance: "Assurance",
  history: "History",
  inventory: "Inventory",
  parts: "Parts",
  platform: "Platform",
  attestation: "Attestation",
  audit: "Audit",
} as const satisfies Record<HostTab, string>;

/** Audit is only for users who may read the whole log: even one host's events reveal who else is on it. */
export const hostTabsOf = (role: Role): readonly HostTab[] =>
  hostTabs.filter((tab) => tab !== "audit" || reachOf(role, "audit.read") !== "none");

/** The tab in the URL; the first tab if it is unknown or not available to this user. */
export function parseHostTab(text: string | undefined, role: Role): HostTab {
  return hostTabsOf(role).find((tab) => tab === text) ?? "reclamation";
}

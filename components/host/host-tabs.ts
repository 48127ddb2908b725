// The tabs of a host's page, as the URL names them.

export const hostTabs = [
  "reclamation",
  "gates",
  "health",
  "repair",
  "assurance",
  "history",
  "inventory",
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
} as const satisfies Record<HostTab, string>;

/** The URL's tab; anything else is the first. */
export function parseHostTab(text: string | undefined): HostTab {
  return hostTabs.find((tab) => tab === text) ?? "reclamation";
}

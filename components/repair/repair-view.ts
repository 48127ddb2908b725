// What the URL of the *Repair* page holds: the tab, and the host open in the panel.
export const repairTabs = ["queue", "held", "outcomes", "offenders"] as const;
export type RepairTabName = (typeof repairTabs)[number];

export interface RepairView {
  tab: RepairTabName;
  /** Host name. */
  host: string | null;
}

export const parseRepairView = (search: { get: (name: string) => string | null }): RepairView => ({
  tab: repairTabs.find((tab) => tab === search.get("tab")) ?? "queue",
  host: search.get("host"),
});

/** List inputs, shared by the server's prefetch and the browser. */
export const queueQuery = { limit: 200 };
export const outcomesQuery = { limit: 100 };

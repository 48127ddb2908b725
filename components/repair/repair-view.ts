// What the address of the page *Repair* holds: the tab, and the host whose panel is open.
export const repairTabs = ["queue", "held", "outcomes", "offenders"] as const;
export type RepairTabName = (typeof repairTabs)[number];

export interface RepairView {
  tab: RepairTabName;
  /** By name. */
  host: string | null;
}

export const parseRepairView = (search: { get: (name: string) => string | null }): RepairView => ({
  tab: repairTabs.find((tab) => tab === search.get("tab")) ?? "queue",
  host: search.get("host"),
});

/** The inputs of the lists: the same on the server, which reads ahead, and in the browser. */
export const queueQuery = { limit: 200 };
export const outcomesQuery = { limit: 100 };

// What the address of the page *Assurance* holds: the tab, and the record whose panel is open.
export const assuranceTabs = [
  "due",
  "sign-off",
  "exceptions",
  "dispositions",
  "changes",
  "calendar",
] as const;
export type AssuranceTabName = (typeof assuranceTabs)[number];

export interface AssuranceView {
  tab: AssuranceTabName;
  /** Id of a record. */
  open: string | null;
  /** Only hosts over their limit of 24 hours, in the tabs that list waiting hosts. */
  late: boolean;
}

export const parseAssuranceView = (search: { get: (name: string) => string | null }): AssuranceView => ({
  tab: assuranceTabs.find((tab) => tab === search.get("tab")) ?? "due",
  open: search.get("open"),
  late: search.get("late") === "1",
});

/** Hosts at a time. */
export const dueQuery = { limit: 200 };

/** The input of the list: the same on the server, which reads ahead, and in the browser. */
export const waitingQuery = { kind: "signOff" as const, limit: 200 };
/** Those that are pending or approved. */
export const exceptionQuery = { limit: 200 };
export const overExceptionQuery = { over: true, limit: 50 };
/** Changes of sites that wait. */
export const changeQuery = { limit: 50 };
export const overChangeQuery = { over: true, limit: 50 };
export const endingQuery = { limit: 200 };
export const dispositionQuery = { kind: "disposition" as const, limit: 200 };
export const decidedDispositionQuery = { ...dispositionQuery, decided: true, limit: 50 };

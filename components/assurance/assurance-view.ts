// What the address of the page *Assurance* holds: the tab, and the record whose panel is open.
export const assuranceTabs = ["due", "sign-off", "exceptions", "dispositions", "calendar"] as const;
export type AssuranceTabName = (typeof assuranceTabs)[number];

export interface AssuranceView {
  tab: AssuranceTabName;
  /** Id of a record. */
  open: string | null;
}

export const parseAssuranceView = (search: { get: (name: string) => string | null }): AssuranceView => ({
  tab: assuranceTabs.find((tab) => tab === search.get("tab")) ?? "due",
  open: search.get("open"),
});

/** Hosts at a time. */
export const dueQuery = { limit: 200 };

/** The input of the list: the same on the server, which reads ahead, and in the browser. */
export const waitingQuery = { kind: "signOff" as const, limit: 200 };
/** Those that wait or count. */
export const exceptionQuery = { limit: 200 };
export const overExceptionQuery = { over: true, limit: 50 };
export const endingQuery = { limit: 200 };
export const dispositionQuery = { kind: "disposition" as const, limit: 200 };
export const decidedDispositionQuery = { ...dispositionQuery, decided: true, limit: 50 };

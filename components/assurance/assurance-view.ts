// What the URL of the *Assurance* page holds: the tab, and the record open in the panel.
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
  /** Record id. */
  open: string | null;
  /** Only hosts over their 24-hour limit, on the tabs that list waiting hosts. */
  late: boolean;
}

export const parseAssuranceView = (search: { get: (name: string) => string | null }): AssuranceView => ({
  tab: assuranceTabs.find((tab) => tab === search.get("tab")) ?? "due",
  open: search.get("open"),
  late: search.get("late") === "1",
});

export const idOf = ({ id }: { readonly id: string }): string => id;

/** Hosts per page. */
export const dueQuery = { limit: 200 };

/** List inputs, shared by the server's prefetch and the browser. */
export const waitingQuery = { kind: "signOff" as const, limit: 200 };
/** Pending or approved. */
export const exceptionQuery = { limit: 200 };
export const overExceptionQuery = { over: true, limit: 50 };
/** Pending site changes. */
export const changeQuery = { limit: 50 };
export const overChangeQuery = { over: true, limit: 50 };
export const endingQuery = { limit: 200 };
export const dispositionQuery = { kind: "disposition" as const, limit: 200 };
export const decidedDispositionQuery = { ...dispositionQuery, decided: true, limit: 50 };

// What the URL of the *Audit* page holds: the tab, the search, and the event open in the panel.
import type { AuditQuery } from "@/server/domain/console/routes";

export const auditTabs = ["events", "verify", "checks", "keys"] as const;
export type AuditTabName = (typeof auditTabs)[number];

/** Every field is present, empty if unset, as the form shows it. */
export type AuditSearch = Readonly<Record<keyof AuditQuery, string>>;

export interface AuditView {
  readonly tab: AuditTabName;
  /** Event id. */
  readonly open: string | null;
  readonly search: AuditSearch;
}

export const emptySearch: AuditSearch = {
  text: "",
  actor: "",
  action: "",
  target: "",
  site: "",
  outcome: "",
  since: "",
  until: "",
};

const outcomes = ["done", "refused"] as const;
const limits = {
  text: 200,
  actor: 128,
  action: 64,
  target: 128,
  site: 128,
  outcome: 8,
  since: 19,
  until: 19,
};
const timeForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?$/;

/** Empty if the text is not a time. */
const time = (text: string): string =>
  timeForm.test(text) && !Number.isNaN(Date.parse(`${text}Z`)) ? text : "";

/** Values that the server would reject are left out. */
export function parseAuditView(search: { get: (name: string) => string | null }): AuditView {
  const text = (name: keyof AuditSearch) => (search.get(name) ?? "").trim().slice(0, limits[name]);
  return {
    tab: auditTabs.find((tab) => tab === search.get("tab")) ?? "events",
    open: search.get("open"),
    search: {
      text: text("text"),
      actor: text("actor"),
      action: text("action"),
      target: text("target"),
      site: text("site"),
      outcome: outcomes.find((known) => known === text("outcome")) ?? "",
      since: time(text("since")),
      until: time(text("until")),
    },
  };
}

const orNone = (text: string): string | undefined => (text === "" ? undefined : text);

/** Without times, which only the list takes. */
export const followInput = ({ text, actor, action, target, site, outcome }: AuditSearch) => ({
  text: orNone(text),
  actor: orNone(actor),
  action: orNone(action),
  target: orNone(target),
  site: orNone(site),
  outcome: outcomes.find((known) => known === outcome),
});

const perPage = 100;

/** The list's input, shared by the server's prefetch and the browser. */
export const listInput = (search: AuditSearch, targetId?: string) => ({
  ...followInput(search),
  targetId,
  since: search.since === "" ? undefined : new Date(`${search.since}Z`),
  until: search.until === "" ? undefined : new Date(`${search.until}Z`),
  limit: perPage,
});

const moment = (text: string): string => (text === "" ? "" : new Date(`${text}Z`).toISOString());

/** The search as the CSV export takes it: times to the second, with their zone. */
export const fileSearch = (search: AuditSearch): AuditSearch => ({
  ...search,
  since: moment(search.since),
  until: moment(search.until),
});

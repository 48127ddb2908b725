// The console's route tree: every path that links, redirects, tests and hints of the command line use, and its pages.
import type { Right } from "@/server/domain/access/access";

type Query = Readonly<Record<string, string | undefined>>;

/** A path with those parameters that have a value. */
function withQuery(path: string, query: Query): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, value);
  return search.size === 0 ? path : `${path}?${search.toString()}`;
}

/** An empty string counts as undefined. */
const orNone = (text: string | undefined) => (text === "" ? undefined : text);

interface HostsQuery {
  /** A host filter. Empty: all hosts. Left out: those that need attention, if there are any. */
  q?: string | undefined;
  /** A column, with a leading minus sign for descending order. */
  sort?: string | undefined;
  hide?: readonly string[];
  /** Groups failed hosts by cause. */
  group?: "cause" | undefined;
  /** An act whose dialog opens, for all hosts of the filter. */
  act?: string | undefined;
}

interface FleetQuery {
  site?: string | undefined;
  sku?: string | undefined;
  /** The tenant's organization. */
  tenant?: string | undefined;
  hours?: number | undefined;
}

interface ManualCleaningQuery {
  /** A name, or ids. */
  hosts?: readonly string[];
  filter?: string | undefined;
  runbook?: string | undefined;
}

interface SettingsQuery {
  /** A site by name; left out: the first. */
  site?: string | undefined;
}

/** Search of the audit log, as in the page's address. Times are in UTC, without a zone. */
export interface AuditQuery {
  text?: string | undefined;
  actor?: string | undefined;
  action?: string | undefined;
  target?: string | undefined;
  site?: string | undefined;
  outcome?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

/** Filter of the certificates, as in the page's address. Days are in UTC. */
export interface ReclamationsQuery {
  /** Name, id or serial number. */
  host?: string | undefined;
  tenant?: string | undefined;
  site?: string | undefined;
  sku?: string | undefined;
  instance?: string | undefined;
  standing?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

const reclamationsSearch = (query: ReclamationsQuery) => ({
  host: orNone(query.host),
  tenant: orNone(query.tenant),
  site: orNone(query.site),
  sku: orNone(query.sku),
  instance: orNone(query.instance),
  standing: orNone(query.standing),
  since: orNone(query.since),
  until: orNone(query.until),
});

/** Filter of the security events, as in the page's address. */
export interface SecurityQuery {
  kind?: string | undefined;
  /** By name. */
  host?: string | undefined;
  address?: string | undefined;
  /** `all`: also those that somebody has acknowledged. */
  show?: string | undefined;
}

const securitySearch = ({ kind, host: named, address, show }: SecurityQuery) => ({
  kind: orNone(kind),
  host: orNone(named),
  address: orNone(address),
  show: show === "all" ? show : undefined,
});

const auditSearch = ({ text, actor, action, target, site, outcome, since, until }: AuditQuery) => ({
  text: orNone(text),
  actor: orNone(actor),
  action: orNone(action),
  target: orNone(target),
  site: orNone(site),
  outcome: orNone(outcome),
  since: orNone(since),
  until: orNone(until),
});

/** Selection of returns, as in the address of the proof desk. */
export interface ProofQuery {
  text?: string | undefined;
  /** The tenant's organization. */
  tenant?: string | undefined;
  /** Such as 2026-10, in UTC. */
  month?: string | undefined;
  site?: string | undefined;
  sku?: string | undefined;
  standing?: string | undefined;
  kind?: string | undefined;
  exception?: boolean | undefined;
}

const proofSearch = ({ text, exception, ...rest }: ProofQuery) => ({
  ...rest,
  text: orNone(text),
  exception: exception === undefined ? undefined : String(exception),
});

/** `next`: where to go after sign-in. `ended`: the session ended. */
const signIn = ({ next, ended }: { next?: string; ended?: boolean } = {}) =>
  withQuery("/signin", {
    ended: ended === true ? "1" : undefined,
    next: next === "/" ? undefined : orNone(next),
  });

const hosts = ({ q, sort, hide = [], group, act }: HostsQuery = {}) =>
  withQuery("/hosts", { q, sort, hide: orNone(hide.join(",")), group, act });

/** Filters by name. `hours`: the time range; left out: a day. */
const fleet = ({ site, sku, tenant, hours }: FleetQuery = {}) =>
  withQuery("/", {
    site,
    sku,
    tenant,
    hours: hours === undefined || hours === 24 ? undefined : String(hours),
  });

interface NextQuery {
  /** By name. */
  site?: string | undefined;
  /** `mine` or `nobody`; left out: everybody's. */
  owner?: string | undefined;
  /** Key of the group that the panel shows. */
  open?: string | undefined;
}

const next = ({ site, owner, open }: NextQuery = {}) => withQuery("/next", { site, owner, open });

/** A host by name. `reclamation` is the id of an earlier one; `act` opens the dialog of an act. */
const host = (
  name: string,
  { tab, reclamation, act }: { tab?: string; reclamation?: string; act?: string } = {},
) =>
  withQuery(`/hosts/${encodeURIComponent(name)}`, {
    tab: tab === "reclamation" ? undefined : tab,
    reclamation,
    act,
  });

/** `open` is the id of the instance whose history is shown, `release` of one whose release is asked for. */
const instances = ({
  show,
  open,
  release,
}: { show?: string; open?: string | undefined; release?: string } = {}) =>
  withQuery("/instances", { show: show === "open" ? undefined : show, open, release });

const manual = ({ hosts: chosen = [], filter, runbook }: ManualCleaningQuery = {}) =>
  withQuery("/cleaning/manual", { hosts: orNone(chosen.join(",")), filter, runbook });

export const routes = {
  signIn,
  next,
  fleet,
  hosts,
  host,
  enrolments: {
    list: () => "/enrolments",
    create: ({ by }: { by?: "list" } = {}) => withQuery("/enrolments/new", { by }),
    one: (id: string, { stage }: { stage?: string | undefined } = {}) =>
      withQuery(`/enrolments/${encodeURIComponent(id)}`, { stage }),
  },
  /** Hosts that have left the fleet. One is found by the id of its record or of the host. */
  gone: {
    list: () => "/gone",
    one: (id: string, { reclamation }: { reclamation?: string } = {}) =>
      withQuery(`/gone/${encodeURIComponent(id)}`, { reclamation }),
  },
  /** Drives of all hosts, including those that have left. One is found by its id or serial number; `model` distinguishes two with the same serial. */
  drives: {
    list: ({ q }: { q?: string | undefined } = {}) => withQuery("/drives", { q: orNone(q) }),
    models: ({ q }: { q?: string | undefined } = {}) => withQuery("/drives/models", { q: orNone(q) }),
    one: (drive: string, { model }: { model?: string | undefined } = {}) =>
      withQuery(`/drives/${encodeURIComponent(drive)}`, { model }),
  },
  firmware: ({ q }: { q?: string | undefined } = {}) => withQuery("/firmware", { q: orNone(q) }),
  measuredBoot: () => "/measured-boot",
  skus: () => "/skus",
  /** By name. */
  sku: (name: string) => `/skus/${encodeURIComponent(name)}`,
  instances,
  tickets: ({ show, q }: { show?: string; q?: string } = {}) =>
    withQuery("/tickets", { show: show === "open" ? undefined : show, q: orNone(q) }),
  /** Why machines left and came back. */
  capacity: () => "/tickets/capacity",
  /** By reference or id. */
  ticket: (ticket: string) => `/tickets/${encodeURIComponent(ticket)}`,
  /** A current notice, by reference. */
  notice: (ref: string) => `/tickets#${encodeURIComponent(ref)}`,
  /** `host`: name of the host that the panel shows. */
  repair: ({ tab, host: shown }: { tab?: string; host?: string | undefined } = {}) =>
    withQuery("/repair", { tab: tab === "queue" ? undefined : tab, host: shown }),
  /** `open`: id of the record that the panel shows. `late`: only hosts over their limit. */
  assurance: ({ tab, open, late }: { tab?: string; open?: string | undefined; late?: boolean } = {}) =>
    withQuery("/assurance", {
      ...{ tab: tab === "due" ? undefined : tab, open },
      late: late === true ? "1" : undefined,
    }),
  /** `open`: id of the event that the panel shows. */
  audit: ({ tab, open, ...search }: AuditQuery & { tab?: string; open?: string | undefined } = {}) =>
    withQuery("/audit", { tab: tab === "events" ? undefined : tab, ...auditSearch(search), open }),
  /** Security events. `open`: id of the one that the panel shows. */
  security: ({ open, ...search }: SecurityQuery & { open?: string | undefined } = {}) =>
    withQuery("/security", { ...securitySearch(search), open }),
  /** Certificates of ended reclamations. `open`: id of the one that the panel shows. */
  reclamations: ({ open, ...search }: ReclamationsQuery & { open?: string | undefined } = {}) =>
    withQuery("/reclamations", { ...reclamationsSearch(search), open }),
  /** What happened to the machine of a released instance, also after the instance has ended. */
  receipt: (instanceId: string) => `/instances/${encodeURIComponent(instanceId)}`,
  cleaning: {
    steps: (query: { host?: string; sku?: string; hardware?: string; site?: string | undefined } = {}) =>
      withQuery("/cleaning", query),
    runbooks: () => "/cleaning/runbooks",
    newRunbook: () => "/cleaning/runbooks/new",
    runbook: (id: string) => `/cleaning/runbooks/${encodeURIComponent(id)}`,
    manual,
    /** `lift`, `engage`: id of a brake; the dialog that lifts it or puts it on opens. */
    queue: (query: { lift?: string; engage?: string } = {}) => withQuery("/cleaning/queue", query),
    images: () => "/cleaning/images",
    runs: () => "/cleaning/runs",
    run: (id: string, { show }: { show?: string | undefined } = {}) =>
      withQuery(`/cleaning/runs/${encodeURIComponent(id)}`, { show }),
    failures: () => "/cleaning/failures",
  },
  /** Of the signed-in person: password, tokens and sessions. */
  account: () => "/account",
  /** A page of the docs, by its path below `docs/` without `.md`; empty: the list of all. */
  help: (page = "", anchor?: string) =>
    `/help${page === "" ? "" : `/${page}`}${anchor === undefined ? "" : `#${anchor}`}`,
  settings: {
    site: (query: SettingsQuery = {}) => withQuery("/settings", { site: query.site }),
    policy: (query: SettingsQuery = {}) => withQuery("/settings/policy", { site: query.site }),
    erase: (query: SettingsQuery = {}) => withQuery("/settings/erase", { site: query.site }),
    /** `open`: name of a procedure. `begin`: a new one, from a template or empty. */
    procedures: ({ site, open, begin }: SettingsQuery & { open?: string; begin?: "drain" | "empty" } = {}) =>
      withQuery("/settings/procedures", { site, open, begin }),
    tenants: () => "/settings/tenants",
    healthSources: () => "/settings/health-sources",
    repairSystems: () => "/settings/repair-systems",
    /** Tenants have this page too. */
    webhooks: () => "/settings/webhooks",
    history: ({ site, version }: SettingsQuery & { version?: number } = {}) =>
      withQuery("/settings/history", { site, version: version === undefined ? undefined : String(version) }),
    users: () => "/settings/users",
    tokens: () => "/settings/tokens",
    sessions: () => "/settings/sessions",
  },
  /** Selection as on the page; `open`: the return that the panel shows; `drawer`: the one that is open. */
  proof: ({
    open,
    drawer,
    ...selection
  }: ProofQuery & { open?: string | undefined; drawer?: "pack" | "check" | undefined } = {}) =>
    withQuery("/proof", { ...proofSearch(selection), drawer, open }),
  files: {
    /** Certificates of a selection as one archive. */
    proofPack: ({ pdf, ...selection }: ProofQuery & { pdf?: boolean }) =>
      withQuery("/api/proof/pack", { ...proofSearch(selection), pdf: pdf === true ? "true" : undefined }),
    /** All returns of a selection. */
    proofCsv: (selection: ProofQuery) => withQuery("/api/proof.csv", proofSearch(selection)),
    proofCheck: () => "/api/proof/check",
    hostsCsv: ({ filter, sort, descending }: { filter: string; sort: string; descending: boolean }) =>
      withQuery("/api/hosts.csv", { filter, sort, descending: String(descending) }),
    breakFixCsv: (
      list: "tickets" | "notices" | "capacity",
      { show, q }: { show?: string; q?: string } = {},
    ) => withQuery("/api/break-fix.csv", { list, status: show, q: orNone(q) }),
    repairCsv: (tab: string) => withQuery("/api/repair.csv", { tab }),
    assuranceCsv: (list: "exceptions" | "ending") => withQuery("/api/assurance.csv", { list }),
    /** Times include their zone. */
    auditCsv: (search: AuditQuery & { targetId?: string | undefined }) =>
      withQuery("/api/audit.csv", { targetId: search.targetId, ...auditSearch(search) }),
    securityEventsCsv: (search: SecurityQuery) =>
      withQuery("/api/security-events.csv", securitySearch(search)),
    /** A file of the signed log, by its path in the log. */
    auditLog: (path: string) => `/api/audit-log/${path}`,
    /** With the bundle embedded. */
    certificatePdf: (id: string) => `/api/certificates/${encodeURIComponent(id)}.pdf`,
    certificate: (id: string) => `/api/certificates/${encodeURIComponent(id)}`,
    /** All that the person may read, those of a search, or those with these ids. Times include their zone. */
    certificatesCsv: ({ ids = [], ...search }: ReclamationsQuery & { ids?: readonly string[] } = {}) =>
      withQuery("/api/certificates.csv", { ...reclamationsSearch(search), ids: orNone(ids.join(",")) }),
    runCsv: (id: string) => withQuery("/api/bulk.csv", { id }),
  },
} as const;

/** Whether a path is this route or below it. */
export const isBelow = (route: string, path: string): boolean =>
  path === route || (route !== "/" && path.startsWith(`${route}/`));

export interface ConsolePage {
  readonly href: string;
  readonly words: string;
  /** Pressed after `g`. */
  readonly key: string;
  /** The right that opens the page. */
  readonly right: Right;
}

/** The pages of the rail in order, shared by rail, palette, keyboard and access checks. */
export const pages = {
  next: { href: routes.next(), words: "Next", key: "N", right: "next.read" },
  fleet: { href: routes.fleet(), words: "Fleet", key: "f", right: "fleet.read" },
  hosts: { href: routes.hosts(), words: "Hosts", key: "h", right: "host.list" },
  instances: { href: routes.instances(), words: "Instances", key: "i", right: "instance.read" },
  repair: { href: routes.repair(), words: "Repair", key: "R", right: "repair.read" },
  tickets: { href: routes.tickets(), words: "Tickets", key: "T", right: "ticket.read" },
  cleaning: { href: routes.cleaning.steps(), words: "Cleaning", key: "c", right: "cleaning.read" },
  reclamations: {
    href: routes.reclamations(),
    words: "Reclamations",
    key: "C",
    right: "certificate.read",
  },
  assurance: { href: routes.assurance(), words: "Assurance", key: "A", right: "assurance.read" },
  security: { href: routes.security(), words: "Security", key: "S", right: "security.read" },
  proof: { href: routes.proof(), words: "Proof", key: "F", right: "certificate.read" },
  audit: { href: routes.audit(), words: "Audit", key: "L", right: "audit.read" },
  skus: { href: routes.skus(), words: "SKUs", key: "k", right: "site.read" },
  settings: { href: routes.settings.site(), words: "Settings", key: "s", right: "site.read" },
} as const satisfies Record<string, ConsolePage>;
export type PageName = keyof typeof pages;

const isPageName = (name: string): name is PageName => Object.hasOwn(pages, name);
export const pageNames: readonly PageName[] = Object.keys(pages).filter(isPageName);

// The route tree of the console: every path that a link, a redirect, a test or a hint of the command line leads to.

type Query = Readonly<Record<string, string | undefined>>;

/** A path with the parameters that have a value. */
function withQuery(path: string, query: Query): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, value);
  return search.size === 0 ? path : `${path}?${search.toString()}`;
}

/** An empty text is the same as none. */
const orNone = (text: string | undefined) => (text === "" ? undefined : text);

interface HostsQuery {
  /** A host filter. */
  q?: string | undefined;
  /** A column; descending with a minus sign before it. */
  sort?: string | undefined;
  hide?: readonly string[];
}

interface ManualCleaningQuery {
  /** A name, or ids. */
  hosts?: readonly string[];
  filter?: string | undefined;
  runbook?: string | undefined;
}

/** `next`: where to go after sign-in. `ended`: the session ended. */
const signIn = ({ next, ended }: { next?: string; ended?: boolean } = {}) =>
  withQuery("/signin", {
    ended: ended === true ? "1" : undefined,
    next: next === "/" ? undefined : orNone(next),
  });

const hosts = ({ q, sort, hide = [] }: HostsQuery = {}) =>
  withQuery("/hosts", { q: orNone(q), sort, hide: orNone(hide.join(",")) });

/** A host by name. `reclamation` is the id of an earlier one. */
const host = (name: string, { tab, reclamation }: { tab?: string; reclamation?: string } = {}) =>
  withQuery(`/hosts/${encodeURIComponent(name)}`, {
    tab: tab === "reclamation" ? undefined : tab,
    reclamation,
  });

/** `open` is the id of the instance whose history is shown. */
const instances = ({ show, open }: { show?: string; open?: string | undefined } = {}) =>
  withQuery("/instances", { show: show === "open" ? undefined : show, open });

const manual = ({ hosts: chosen = [], filter, runbook }: ManualCleaningQuery = {}) =>
  withQuery("/cleaning/manual", { hosts: orNone(chosen.join(",")), filter, runbook });

export const routes = {
  signIn,
  fleet: () => "/",
  hosts,
  host,
  instances,
  cleaning: {
    steps: (query: { host?: string; sku?: string; hardware?: string; site?: string | undefined } = {}) =>
      withQuery("/cleaning", query),
    runbooks: () => "/cleaning/runbooks",
    newRunbook: () => "/cleaning/runbooks/new",
    runbook: (id: string) => `/cleaning/runbooks/${encodeURIComponent(id)}`,
    manual,
    queue: () => "/cleaning/queue",
    images: () => "/cleaning/images",
    runs: () => "/cleaning/runs",
    run: (id: string, { show }: { show?: string | undefined } = {}) =>
      withQuery(`/cleaning/runs/${encodeURIComponent(id)}`, { show }),
    failures: () => "/cleaning/failures",
  },
  files: {
    hostsCsv: ({ filter, sort, descending }: { filter: string; sort: string; descending: boolean }) =>
      withQuery("/api/hosts.csv", { filter, sort, descending: String(descending) }),
    runCsv: (id: string) => withQuery("/api/bulk.csv", { id }),
  },
} as const;

/** Whether a path is this route or lies below it. */
export const isBelow = (route: string, path: string): boolean =>
  path === route || (route !== "/" && path.startsWith(`${route}/`));

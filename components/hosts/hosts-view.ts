// What the URL of the hosts page holds: filter, sort, hidden columns. Both ways, so that a link shows the same view.
import { columnIds, type ColumnId } from "@/components/hosts/column-looks";
import { routes } from "@/server/domain/console/routes";

export const sortNames = ["since", "name", "lastReady"] as const;
export type SortName = (typeof sortNames)[number];

export interface Sorting {
  name: SortName;
  descending: boolean;
}

export interface HostsView {
  filter: string;
  sorting: Sorting;
  hidden: ReadonlySet<ColumnId>;
}

export const defaultSorting: Sorting = { name: "since", descending: true };

/** Reads a view; what is not understood is left out. */
export function parseHostsView(search: { get: (name: string) => string | null }): HostsView {
  const sort = search.get("sort") ?? "";
  const name = sortNames.find((candidate) => candidate === sort.replace(/^-/, ""));
  const hidden = new Set(
    (search.get("hide") ?? "").split(",").flatMap((id) => columnIds.find((known) => known === id) ?? []),
  );
  return {
    filter: search.get("q") ?? "",
    sorting: name === undefined ? defaultSorting : { name, descending: sort.startsWith("-") },
    hidden,
  };
}

/** The address of a view; what is as by default is left out. */
export function hostsViewHref({ filter, sorting, hidden }: HostsView): string {
  const isDefault = sorting.name === defaultSorting.name && sorting.descending === defaultSorting.descending;
  const sort = isDefault ? undefined : `${sorting.descending ? "-" : ""}${sorting.name}`;
  return routes.hosts({ q: filter, sort, hide: [...hidden] });
}

/** The address of a view as CSV: all that match, not only those loaded. */
export const csvHref = ({ filter, sorting }: HostsView): string =>
  routes.files.hostsCsv({ filter, sort: sorting.name, descending: sorting.descending });

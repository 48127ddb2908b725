// What the URL of the hosts page holds: filter, sort, hidden columns. Both ways, so that a link shows the same view.
import { columnIds, type ColumnId } from "@/components/hosts/column-looks";
import { routes } from "@/server/domain/console/routes";
import type { Sorting } from "@/components/ui/table/columns";

export const sortNames = ["since", "name", "lastReady"] as const;
export type SortName = (typeof sortNames)[number];

export type HostSorting = Sorting<SortName>;

export interface HostsView {
  filter: string;
  sorting: HostSorting;
  hidden: ReadonlySet<ColumnId>;
}

export const defaultSorting: HostSorting = { id: "since", descending: true };

/** Whether the server orders hosts by a column. */
export const isSortName = (id: string): id is SortName => sortNames.some((name) => name === id);

/** Reads a view; what is not understood is left out. */
export function parseHostsView(search: { get: (name: string) => string | null }): HostsView {
  const sort = search.get("sort") ?? "";
  const id = sort.replace(/^-/, "");
  const hidden = new Set(
    (search.get("hide") ?? "").split(",").flatMap((id) => columnIds.find((known) => known === id) ?? []),
  );
  return {
    filter: search.get("q") ?? "",
    sorting: isSortName(id) ? { id, descending: sort.startsWith("-") } : defaultSorting,
    hidden,
  };
}

/** The address of a view; what is as by default is left out. */
export function hostsViewHref({ filter, sorting, hidden }: HostsView): string {
  const isDefault = sorting.id === defaultSorting.id && sorting.descending === defaultSorting.descending;
  const sort = isDefault ? undefined : `${sorting.descending ? "-" : ""}${sorting.id}`;
  return routes.hosts({ q: filter, sort, hide: [...hidden] });
}

/** The address of a view as CSV: all that match, not only those loaded. */
export const csvHref = ({ filter, sorting }: HostsView): string =>
  routes.files.hostsCsv({ filter, sort: sorting.id, descending: sorting.descending });

// What the URL of the hosts page holds: filter, sort order, hidden columns, grouping. A link shows the same view.
import { columnIds, type ColumnId } from "@/components/hosts/list/column-looks";
import { routes } from "@/server/domain/console/routes";
import type { Sorting } from "@/components/ui/table/columns";
import type { HostView, SavedView } from "@/server/surfaces/trpc/types";

export const sortNames = ["since", "name", "lastReady"] as const;
export type SortName = (typeof sortNames)[number];

export type HostSorting = Sorting<SortName>;

export interface HostsView {
  filter: string;
  sorting: HostSorting;
  hidden: ReadonlySet<ColumnId>;
  /** Groups hosts that failed for the same cause. */
  byCause: boolean;
}

export const defaultSorting: HostSorting = { id: "since", descending: true };

/** Whether the server can sort hosts by a column. */
export const isSortName = (id: string): id is SortName => sortNames.some((name) => name === id);

/** Parses a view; unknown values are ignored. */
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
    byCause: search.get("group") === "cause",
  };
}

/** The filter for a URL without parameters: hosts that need attention, if there are any. */
export function landingFilter(
  search: URLSearchParams,
  views: readonly Pick<HostView, "name" | "filter" | "count">[],
): string | null {
  if (search.size > 0) return null;
  const needPerson = views.find(({ name }) => name === "needPerson");
  return needPerson === undefined || needPerson.count === 0 ? null : needPerson.filter;
}

/** The URL of a view. Default order and columns are left out, but the filter is always present: a URL without parameters means something else. */
export const hostsViewHref = ({ filter, sorting, hidden, byCause }: HostsView): string =>
  routes.hosts({
    q: filter,
    sort: sortOf({ sorting }),
    hide: [...hidden],
    group: byCause ? "cause" : undefined,
  });

/** The order as the URL has it; undefined for the default. */
export function sortOf({ sorting }: Pick<HostsView, "sorting">): string | undefined {
  const isDefault = sorting.id === defaultSorting.id && sorting.descending === defaultSorting.descending;
  return isDefault ? undefined : `${sorting.descending ? "-" : ""}${sorting.id}`;
}

/** The URL of a saved view. Anything this version does not know is left out. */
export function savedViewHref(saved: Pick<SavedView, "filter" | "sort" | "hide" | "group">): string {
  const { filter, sort, hide, group } = saved;
  const search = new URLSearchParams({
    q: filter,
    sort: sort ?? "",
    hide: hide.join(","),
    group: group ?? "",
  });
  return hostsViewHref(parseHostsView(search));
}

/** The URL of a view's CSV export, with all matching hosts and not only those loaded. */
export const csvHref = ({ filter, sorting }: HostsView): string =>
  routes.files.hostsCsv({ filter, sort: sorting.id, descending: sorting.descending });

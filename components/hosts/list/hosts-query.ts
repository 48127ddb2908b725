// The hosts list's input for a view, shared by the server's prefetch and the browser.
import { sentFilter } from "@/server/domain/hosts/host-filter";
import type { HostsView } from "@/components/hosts/list/hosts-view";

/** Rows per page. */
export const hostsPageSize = 100;

export const hostsQuery = ({
  filter,
  sorting,
  byCause,
}: Pick<HostsView, "filter" | "sorting" | "byCause">) => ({
  filter: sentFilter(filter),
  sort: sorting.id,
  descending: sorting.descending,
  group: byCause ? ("cause" as const) : null,
  limit: hostsPageSize,
});

// The input of the hosts list for a view: the same on the server, which reads ahead, and in the browser.
import type { HostsView } from "@/components/hosts/hosts-view";

/** Rows per page. */
export const hostsPageSize = 100;

export const hostsQuery = ({
  filter,
  sorting,
  byCause,
}: Pick<HostsView, "filter" | "sorting" | "byCause">) => ({
  filter,
  sort: sorting.id,
  descending: sorting.descending,
  group: byCause ? ("cause" as const) : null,
  limit: hostsPageSize,
});

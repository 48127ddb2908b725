// The input of the hosts list for a view: the same on the server, which reads ahead, and in the browser.
import type { HostsView } from "@/components/hosts/hosts-view";

/** Rows per page. */
export const hostsPageSize = 100;

export const hostsQuery = ({ filter, sorting }: Pick<HostsView, "filter" | "sorting">) => ({
  filter,
  sort: sorting.id,
  descending: sorting.descending,
  limit: hostsPageSize,
});

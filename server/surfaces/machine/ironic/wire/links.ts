// Addresses within answers (docs/api-ironic.md#nodes-reading).
import type { Query } from "@/server/surfaces/machine/ironic/wire/query";

export interface Link {
  readonly href: string;
  readonly rel: "self" | "bookmark";
}

/** Links to one resource, or to a collection (`path` such as `nodes/…`). */
export const linksTo = (baseUrl: string, path: string): readonly Link[] => [
  { href: `${baseUrl}/v1/${path}`, rel: "self" },
  { href: `${baseUrl}/${path}`, rel: "bookmark" },
];

/** The `next` link of a full page of the list at `address`: the same query, from its last item on. The last page has none. */
export function nextPage(
  address: string,
  query: Query,
  limit: number,
  page: readonly { readonly id: string }[],
): { readonly next?: string } {
  const last = page.at(-1);
  if (last === undefined || page.length < limit) return {};
  const same = [...query].filter(([name]) => name !== "limit" && name !== "marker");
  const search = new URLSearchParams([...same, ["limit", String(limit)], ["marker", last.id]]);
  return { next: `${address}?${search.toString()}` };
}

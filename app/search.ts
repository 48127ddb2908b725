// The query of an address, as pages get it.

export type SearchParams = Promise<Record<string, string | string[] | undefined>>;

/** The first value of each name. */
export function toSearch(params: Awaited<SearchParams>): URLSearchParams {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    const first = Array.isArray(value) ? value[0] : value;
    if (first !== undefined) search.set(name, first);
  }
  return search;
}

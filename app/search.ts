// A URL's query parameters, as pages receive them.

export type SearchParams = Promise<Record<string, string | string[] | undefined>>;

/** The first value of each parameter. */
export function toSearch(params: Awaited<SearchParams>): URLSearchParams {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    const first = Array.isArray(value) ? value[0] : value;
    if (first !== undefined) search.set(name, first);
  }
  return search;
}

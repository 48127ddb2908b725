// The address of a host's page.

/** Hosts are named in URLs by their name. */
export const hostHref = (name: string) => `/hosts/${encodeURIComponent(name)}`;

// What an API token may do.
/** `read`: the token changes nothing, whatever its person may. */
export const tokenScopes = ["full", "read"] as const;
export type TokenScope = (typeof tokenScopes)[number];

/** Narrows a stored string. What this release does not know may do no more than the least. */
export const tokenScope = (stored: string): TokenScope => (stored === "full" ? "full" : "read");

// What an API token may do.
/** `read`: the token changes nothing, whatever its person may do. */
export const tokenScopes = ["full", "read"] as const;
export type TokenScope = (typeof tokenScopes)[number];

/** Narrows a stored string. A scope unknown to this release gets the fewest rights. */
export const tokenScope = (stored: string): TokenScope => (stored === "full" ? "full" : "read");

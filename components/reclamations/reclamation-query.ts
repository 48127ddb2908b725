// The query for the reclamation that a host's tab shows, shared by the server's prefetch and the browser.

/** Without an id: the current or last one. */
export const reclamationQuery = (hostId: string, reclamationId: string | undefined) =>
  reclamationId === undefined ? { hostId } : { hostId, reclamationId };

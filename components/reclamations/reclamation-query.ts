// Which reclamation of a host a tab shows: the same input on the server, which reads ahead, and in the browser.

/** Without an id: the running or last one. */
export const reclamationQuery = (hostId: string, reclamationId: string | undefined) =>
  reclamationId === undefined ? { hostId } : { hostId, reclamationId };

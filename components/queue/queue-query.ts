// What is asked of queues, limits and brakes: the same for the server's first page and the browser's.

/** A brake that goes on while no host moves, and limits that somebody else changed, are no event of a host, which the live stream tells. */
export const queueEveryMs = 10_000;

export const queueQuery = (siteId: string) => ({ siteId, limit: 100 });

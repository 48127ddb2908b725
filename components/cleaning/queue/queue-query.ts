// Queries for queues, limits and brakes, shared by the server's prefetch and the browser.

/** Polled: the live stream carries host events only, not a brake coming on while no host moves, or someone else changing limits. */
export const queueEveryMs = 10_000;

export const queueQuery = (siteId: string) => ({ siteId, limit: 100 });

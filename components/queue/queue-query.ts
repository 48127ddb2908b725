// What is asked for a site's queue: the same for the server's first page and the browser's.

export const queueQuery = (siteId: string) => ({ siteId, limit: 100 });

// What the Platform tab reads, on the server and in the browser.
/** The items of one host; no platform has more of them than one page. */
export const platformInput = (hostId: string) => ({ host: hostId, limit: 1000 });

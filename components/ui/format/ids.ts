// Shortening of ids.

const wholeLength = 24;
const shortLength = 8;

/** A long id as its first eight characters; serial numbers and names of usual length are kept whole. */
export const shortenId = (id: string): string =>
  id.length > wholeLength ? `${id.slice(0, shortLength)}…` : id;

// Ids, serials and paths.

const wholeLength = 24;
const shortLength = 8;

/** A long id by its first eight characters; serials and names of usual length stay whole. */
export const shortenId = (id: string): string =>
  id.length > wholeLength ? `${id.slice(0, shortLength)}…` : id;

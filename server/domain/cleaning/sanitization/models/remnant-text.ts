// The result of the remnant probe over many drives, as text for pages and commands.

const counts = new Intl.NumberFormat("en");
const shares = new Intl.NumberFormat("en", { maximumSignificantDigits: 2 });

/** "0 of 25,600, at most 0.012 %"; "not probed" if nothing was. Pure. */
export const formatRemnant = (found: number, of: number, bound: number | null): string =>
  bound === null
    ? "not probed"
    : `${counts.format(found)} of ${counts.format(of)}, at most ${shares.format(100 * bound)}\u00a0%`;

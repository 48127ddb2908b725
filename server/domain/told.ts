// What a server of the release before does not tell of yet: in an upgrade pages and commands of this release may ask one.

/** Pure. */
export const toldList = <T>(list: readonly T[] | undefined): readonly T[] => list ?? [];

/** Pure. */
export const toldOr = <T>(told: T | undefined, otherwise: T): T => told ?? otherwise;

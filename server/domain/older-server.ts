// Defaults for what a server of the previous release does not send yet. During an upgrade, pages and commands of this release may talk to one.

/** Pure. */
export const listOrEmpty = <T>(list: readonly T[] | undefined): readonly T[] => list ?? [];

/** Pure. */
export const valueOr = <T>(told: T | undefined, otherwise: T): T => told ?? otherwise;

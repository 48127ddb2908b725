// A safety check that the database makes: what disables it in a migrated database, and which tests cover it.

/** @typedef {{ name: string, tests: readonly string[], sql: string, find?: string, replace?: string }} DatabaseCheck `find` in the definition that `sql` answers with */

/** @param {string} table @param {string} trigger */
export const dropTrigger = (table, trigger) => `DROP TRIGGER "${trigger}" ON "${table}"`;

// One safety check and what its file looks like without it; the lists are beside this file, by room.

/**
 * @typedef {object} Mutant
 * @property {string} check what is taken out
 * @property {string} file
 * @property {string} find the exact text of the check, once in the file
 * @property {string} replace what stands there without it
 * @property {"unit" | "integration"} project
 * @property {readonly string[]} tests the files of which one test must fail
 * @property {string} only a pattern of the names of the tests that are run, where a file has slow ones; empty: all
 */

/**
 * @param {Mutant["project"]} project
 * @param {string} file
 * @param {string} test
 * @param {readonly (readonly [check: string, find: string, replace: string])[]} checks
 * @param {string} [only]
 * @returns {Mutant[]}
 */
export const of = (project, file, test, checks, only = "") => checks.map(([check, find, replace]) => ({ check, file, find, replace, project, tests: [test], only }));

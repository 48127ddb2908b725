// Whether demo data may be written into the database that a start was given.
import { pinnedNode } from "../folders.mjs";
import { CommandFailed, run } from "./command.mjs";

/**
 * Asks the seed whether demo data may go into the database. It prints a message itself if the database must not be used at all.
 * @param {string[]} args
 * @param {Record<string, string | undefined>} env
 * @param {AbortSignal} signal
 * @returns {Promise<boolean>} false: the database has its own data, and is served as it is
 */
export async function maySeed(args, env, signal) {
  try {
    return (
      JSON.parse(await run(pinnedNode, args, { name: "the check of the database", env, signal })).kind ===
      "seed"
    );
  } catch (error) {
    throw error instanceof CommandFailed && error.output.trim() !== ""
      ? new Error(error.output.trim())
      : error;
  }
}

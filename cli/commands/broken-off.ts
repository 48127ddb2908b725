// For an act on several things that an error ends early, such as an unreachable server: the results so far are printed first, then this error.
import { toCommandError } from "@/cli/client";
import { CommandError } from "@/cli/exit-codes";

/** @param left a sentence on what this means for the rest */
export function brokenOff(error: unknown, left: string): unknown {
  const problem = toCommandError(error);
  return problem === null
    ? error
    : new CommandError(problem.exit, `${problem.message}\n${left}`, problem.advice);
}

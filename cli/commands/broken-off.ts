// An act on many that an error ends in the middle, such as a server that is gone: what was done is printed first, then the error.
import { toCommandError } from "@/cli/client";
import { CommandError } from "@/cli/exit-codes";

/** @param left what became of the others, as a sentence */
export function brokenOff(error: unknown, left: string): unknown {
  const problem = toCommandError(error);
  return problem === null
    ? error
    : new CommandError(problem.exit, `${problem.message}\n${left}`, problem.advice);
}

// Runs one command line to its exit code.
import { CommanderError } from "commander";
import { toCommandError } from "@/cli/client";
import { CommandError, exitCodes } from "@/cli/exit-codes";
import { plain } from "@/cli/output/text";
import { createProgram } from "@/cli/program";
import type { Surroundings } from "@/cli/surroundings";

/** Help and version end with success; for other errors, commander has already printed a message. */
const exitOfParser = ({ exitCode }: CommanderError): number =>
  exitCode === 0 ? exitCodes.ok.code : exitCodes.usage.code;

/** Only lists of faults, and the position in a filter, take more than one line. */
const lines = (text: string): string => text.split("\n").map(plain).join("\n");

/** Never throws. */
export async function run(surroundings: Surroundings): Promise<number> {
  const { args, stderr, interrupted } = surroundings;
  try {
    await createProgram(surroundings).parseAsync([...args], { from: "user" });
    return exitCodes.ok.code;
  } catch (error) {
    if (error instanceof CommanderError) return exitOfParser(error);
    const problem = interrupted.aborted
      ? new CommandError("interrupted", "Interrupted.")
      : toCommandError(error);
    if (problem === null) {
      stderr.write(
        `reclaim: this is a fault of the command itself: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
      );
      return exitCodes.failed.code;
    }
    if (problem.exit !== "interrupted")
      stderr.write(
        `${lines(problem.message)}\n${problem.advice === null ? "" : `${lines(problem.advice)}\n`}`,
      );
    return exitCodes[problem.exit].code;
  }
}

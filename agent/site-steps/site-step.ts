// A site's own step as the agent runs it: one program with declared arguments, no shell; the exit code is the result.
import type { z } from "zod";
import type { StepFile } from "@/agent/site-steps/step-file";
import { clip, printable } from "@/agent/steps/results";
import type { Step, StepOutcome } from "@/agent/steps/step";
import type { Ran, RunTool } from "@/agent/tools/machine/program/run-tool";
import { offeredStep } from "@/server/domain/cleaning/steps/catalogue";
import type { OfferedStep } from "@/server/domain/agents/protocol";

/** How much of the end of a program's output is reported, where errors usually are. The log has more of it. */
const toldCharacters = 6_000;
const loggedCharacters = 64 * 1024;

/** The step as it is reported to the server. */
export const offeredOf = ({
  timeLimitSeconds,
  writesToDrives,
  args,
  command: _,
  ...file
}: StepFile): OfferedStep => ({
  ...file,
  timeLimitMs: timeLimitSeconds * 1_000,
  writes: writesToDrives,
  args: args.map(({ name, description, type, required }) => ({ name, description, type, required })),
});

type Values = Readonly<Record<string, z.core.util.JSONType>>;

/** The program's arguments, or why they cannot be built. Checked again although the server did, because the agent runs the program. Pure. */
export function commandLine(
  file: StepFile,
  values: Values,
):
  | { readonly ok: true; readonly args: readonly string[] }
  | { readonly ok: false; readonly problem: string } {
  const declared = new Map((offeredStep(offeredOf(file))?.args ?? []).map((arg) => [arg.name, arg]));
  for (const [name, value] of Object.entries(values))
    if (declared.get(name)?.schema.safeParse(value).success !== true)
      return { ok: false, problem: `the argument ${name} is not declared, or not of its type` };
  for (const { name, required } of declared.values())
    if (required && values[name] === undefined)
      return { ok: false, problem: `the argument ${name} is missing` };
  const [, ...parts] = file.command;
  const args = parts.flatMap((part): readonly string[] => {
    if (typeof part === "string") return [part];
    const value = values[part.argument];
    const option = part.option === undefined ? [] : [part.option];
    if (value === undefined || value === false) return [];
    return value === true ? option : [...option, String(value)];
  });
  return { ok: true, args };
}

function outcomeOf({ command, exitCode, stdout, stderr, cut }: Ran): StepOutcome {
  const printed = printable(`${Buffer.from(stdout).toString("utf8")}\n${stderr}`);
  const end = printed.length > toldCharacters ? `…${printed.slice(-toldCharacters)}` : printed;
  const more = cut ? " (more than 1 MiB was printed)" : "";
  return {
    result: exitCode === 0 ? "OK" : "ERROR",
    message: `${clip(command, 1_000)} answered ${exitCode}${more}${end === "" ? "" : `:\n${end}`}`,
    devices: [],
  };
}

/** The step reports no devices, so no erase can rely on it. */
export function siteStep(file: StepFile, run: RunTool): Step {
  const [program] = file.command;
  return {
    interface: file.interface,
    step: file.step,
    run: async ({ command, aborted, log }) => {
      const line = commandLine(file, command.args);
      if (!line.ok) return { result: "ERROR", message: line.problem, devices: [] };
      const stop = file.abortable ? { signal: aborted } : {};
      const ran = await run(program, line.args, { limitMs: file.timeLimitSeconds * 1_000, ...stop });
      const printed = printable(Buffer.from(ran.stdout).toString("utf8"));
      if (printed.length > toldCharacters)
        log("info", clip(`${file.step} printed:\n${printed}`, loggedCharacters));
      return outcomeOf(ran);
    },
  };
}

// All subcommands, and what they have in common: global options, help, completion.
import { Command, Option } from "commander";
import packageJson from "@/package.json";
import { groups, rows } from "@/cli/commands/rows";
import { placeOf } from "@/cli/completion/place";
import { completionScript, shells } from "@/cli/completion/scripts";
import { valuesOf } from "@/cli/completion/values";
import { CommandError, exitCodesText } from "@/cli/exit-codes";
import { readNames } from "@/cli/options";
import { outputSchema, outputVersion } from "@/cli/output/shapes";
import { plain } from "@/cli/output/text";
import { readAllSettings } from "@/cli/settings/settings";
import type { GlobalOptions } from "@/cli/settings/settings";
import { outputForms } from "@/cli/settings/settings-file";
import type { Surroundings } from "@/cli/surroundings";

function addGlobalOptions(program: Command): void {
  program
    .option("--url <address>", "address of the server (RECLAIM_URL; default: http://localhost:3000)")
    .option(
      "--token <token>",
      "API token (RECLAIM_TOKEN); other users of this machine can see it here, so prefer `reclaim login`",
    )
    .option("--config <file>", "settings file (RECLAIM_CONFIG; default: ~/.config/reclaim/config.json)")
    .addOption(new Option("-o, --output <form>", "output format").choices([...outputForms]))
    .option("--columns <names>", "columns of a list, such as name,state, including hidden ones", readNames)
    .option("--utc", "show times in UTC instead of local time")
    .option("-y, --yes", "skip confirmation prompts");
}

const childOf = (command: Command, name: string): Command | undefined =>
  command.commands.find((child) => child.name() === name || child.aliases().includes(name));

/** Used by the completion scripts: candidates for the last word, one per line. */
function addCandidates(program: Command, surroundings: Surroundings): void {
  program
    .command("__complete", { hidden: true })
    .argument("[word...]")
    .action(async (given: string[], _options: object, command: Command) => {
      const current = given.at(-1) ?? "";
      const { words, kind } = placeOf(program, given.slice(0, -1), current);
      const settings = await readAllSettings(command.optsWithGlobals<GlobalOptions>(), surroundings);
      const names =
        kind === null || settings.token === null ? [] : await valuesOf(kind, current, settings, surroundings);
      const found = [...words, ...names].filter((word) => word.startsWith(current));
      surroundings.stdout.write(found.map((word) => `${plain(word)}\n`).join(""));
    });
}

function addHelp(program: Command, { stdout }: Surroundings): void {
  program.helpCommand(false);
  program
    .command("help")
    .description("help for a command; `reclaim help exit-codes` explains the exit codes")
    .argument("[command...]", "such as: hosts list")
    .action((path: string[]) => {
      if (path.length === 1 && path[0] === "exit-codes") return void stdout.write(exitCodesText());
      let command: Command = program;
      for (const name of path) {
        const next = childOf(command, name);
        if (next === undefined)
          throw new CommandError(
            "usage",
            `There is no command ${path.join(" ")}.`,
            "`reclaim help` lists them.",
          );
        command = next;
      }
      command.outputHelp();
    });
  program
    .command("schema")
    .description("JSON Schema of what a command prints with -o json")
    .argument("<command...>", "such as: hosts list")
    .action((path: string[]) => {
      const schema = outputSchema(path.join(" "));
      if (schema === null)
        throw new CommandError(
          "usage",
          `${path.join(" ")} prints no data.`,
          "`reclaim help` lists commands.",
        );
      stdout.write(`${JSON.stringify({ outputVersion, schema }, null, 2)}\n`);
    });
  program
    .command("completion")
    .description(`completion for ${shells.join(", ")}: eval "$(reclaim completion bash)"`)
    .argument("<shell>", shells.join(", "))
    .action((shell: string) => void stdout.write(completionScript(shell)));
}

/** Adds the rows, each in its group, which is made where it is missing. */
function addRows(program: Command, surroundings: Surroundings): void {
  for (const { path, title, build } of rows) {
    const names = path.split(" ");
    const parent = names
      .slice(0, -1)
      .reduce((group, name) => childOf(group, name) ?? group.command(name), program);
    build(parent.command(names.at(-1) ?? "").description(title), surroundings);
  }
}

/** A group says what it is for, and names its commands. */
function describeGroups(command: Command, path: readonly string[] = []): void {
  const purpose = groups[path.join(" ")];
  if (purpose !== undefined)
    command.description(`${purpose}: ${command.commands.map((child) => child.name()).join(", ")}`);
  for (const child of command.commands) describeGroups(child, [...path, child.name()]);
}

/** Throws instead of ending the process; prints to the given surroundings. */
export function createProgram(surroundings: Surroundings): Command {
  const { stdout, stderr } = surroundings;
  const program = new Command("reclaim")
    .description("Takes bare-metal hosts back, cleans them, and proves that they are clean.")
    .version(packageJson.version, "-V, --version", "the version of this command")
    .exitOverride()
    .showHelpAfterError("See `reclaim help <command>`.")
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
      getOutHelpWidth: () => stdout.columns ?? 100,
      getErrHelpWidth: () => stderr.columns ?? 100,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .addHelpText(
      "after",
      '\nHost filters are the same as in the console. "reclaim help exit-codes" explains the exit codes.\n',
    );
  addGlobalOptions(program);
  addRows(program, surroundings);
  describeGroups(program);
  addHelp(program, surroundings);
  addCandidates(program, surroundings);
  return program;
}

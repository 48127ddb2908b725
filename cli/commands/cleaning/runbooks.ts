// `reclaim runbooks`: list, show, apply, delete. `reclaim clean --runbook` runs one.
import type { Command } from "commander";
import { stringify } from "yaml";
import { cleaning } from "@/server/contract/cleaning/cleaning";
import type { RunbookLine } from "@/server/surfaces/trpc/types";
import type { Client } from "@/cli/client";
import { readDocument } from "@/cli/documents";
import { findRunbook } from "@/cli/find";
import { counted } from "@/cli/output/text";
import type { Column } from "@/cli/output/printer";
import { confirm, openShell } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";

const columns: readonly Column<RunbookLine>[] = [
  { name: "name", value: (row) => row.name, whole: true },
  { name: "version", value: (row) => row.version },
  { name: "steps", value: (row) => row.steps.length },
  { name: "erases", value: (row) => row.erases },
  { name: "hosts", value: (row) => row.hosts },
  { name: "traits", value: (row) => row.traits },
  { name: "changed", value: (row) => row.updatedAt },
  { name: "by", value: (row) => row.updatedByName },
  { name: "description", value: (row) => row.description, long: true },
  { name: "id", value: (row) => row.id, extra: true },
];

/** A runbook as a file: everything, with the version that was edited. */
const runbookFile = cleaning.saveRunbook.input.omit({ id: true });

const documentOf = ({ name, description, version, traits, steps }: RunbookLine): string =>
  stringify({ name, description, version, traits, steps }, { lineWidth: 0 });

/** The runbook that the file is for: the one named on the command line, or the one with the file's name; null if there is none yet. */
async function targetOf(
  client: Client,
  named: string | undefined,
  name: string,
): Promise<RunbookLine | null> {
  if (named !== undefined) return findRunbook(client, named);
  return (await client.cleaning.runbooks.query()).find((runbook) => runbook.name === name) ?? null;
}

function addWriting(runbooks: Command, surroundings: Surroundings): void {
  runbooks
    .command("apply")
    .description("creates a runbook from a file, or changes the one with that name")
    .argument("[runbook]", "the one to change, if the file renames it")
    .requiredOption("-f, --file <file>", "all of it as `reclaim runbooks show` prints it, or - for stdin")
    .action(async (named: string | undefined, { file }: { file: string }, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const { version, ...runbook } = await readDocument("runbook", runbookFile, file, surroundings);
      const before = await targetOf(client, named, runbook.name);
      const saved = await client.cleaning.saveRunbook.mutate({
        ...runbook,
        id: before?.id ?? null,
        // Without a version in the file, the newest version is changed.
        ...(before === null ? {} : { version: version ?? before.version }),
      });
      printer.say(
        `Runbook ${runbook.name} ${before === null ? "created" : "changed"}, version ${saved.version}.`,
      );
    });
  runbooks
    .command("delete")
    .description(cleaning.removeRunbook.title)
    .argument("<runbook>", "name or id")
    .action(async (text: string, _options: object, command: Command) => {
      const shell = await openShell(command, surroundings);
      const { id, name, version } = await findRunbook(shell.client, text);
      await confirm(
        shell,
        [`Runbook ${name} is deleted. Cleanings in progress continue.`],
        `Delete runbook ${name}?`,
      );
      await shell.client.cleaning.removeRunbook.mutate({ id, version });
      shell.printer.say(`Runbook ${name} deleted.`);
    });
}

/** `reclaim runbooks` with its commands. */
export function addRunbooks(program: Command, surroundings: Surroundings): void {
  const runbooks = program
    .command("runbooks")
    .description("runbooks: list, show, apply, delete; `reclaim clean --runbook` runs one");
  runbooks
    .command("list")
    .alias("ls")
    .description(cleaning.runbooks.title)
    .action(async (_options: object, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      printer.list(await client.cleaning.runbooks.query(), columns, "No runbooks.");
    });
  runbooks
    .command("show")
    .description("one runbook as YAML that `reclaim runbooks apply -f` takes")
    .argument("<runbook>", "name or id")
    .action(async (text: string, _options: object, command: Command) => {
      const { client, printer, settings } = await openShell(command, surroundings);
      const { id } = await findRunbook(client, text);
      const runbook = await client.cleaning.runbook.query({ id });
      if (settings.output === "json") return printer.show(runbook, []);
      printer.text(`# for ${counted(runbook.hosts, "host")}\n${documentOf(runbook)}`);
    });
  addWriting(runbooks, surroundings);
}

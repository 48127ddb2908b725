// `reclaim runbooks`: list, show, apply, delete. `reclaim clean --runbook` runs one.
import { stringify } from "yaml";
import { cleaning } from "@/server/contract/cleaning/cleaning";
import type { RunbookLine } from "@/server/surfaces/trpc/types";
import type { Client } from "@/cli/client";
import { act, command, list } from "@/cli/define/command";
import { arg, found, needed, opt } from "@/cli/define/values";
import { readDocument } from "@/cli/documents";
import { findRunbook } from "@/cli/find";
import { formatCounted } from "@/server/domain/numbers";
import type { Column } from "@/cli/output/printer";

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

const runbook = found(arg("<runbook>", "name or id"), ({ client }, text) => findRunbook(client, text));

export const runbooks = [
  list("runbooks list", { of: "cleaning.runbooks", columns, none: "No runbooks." }),
  command("runbooks show", {
    title: "one runbook as YAML that `reclaim runbooks apply -f` takes",
    uses: ["cleaning.runbook"],
    shape: cleaning.runbook.output,
    args: { runbook },
    run: async ({ client, printer, settings }, { runbook: { id } }) => {
      const shown = await client.cleaning.runbook.query({ id });
      if (settings.output === "json") return printer.show(shown, []);
      printer.text(`# for ${formatCounted(shown.hosts, "host")}\n${documentOf(shown)}`);
    },
  }),
  command("runbooks apply", {
    title: "creates a runbook from a file, or changes the one with that name",
    uses: ["cleaning.saveRunbook"],
    args: { runbook: arg("[runbook]", "the one to change, if the file renames it") },
    options: {
      file: {
        ...needed(opt("<file>", "the runbook as printed by `reclaim runbooks show`, or - for stdin")),
        short: "f",
      },
    },
    run: async ({ client, printer, surroundings }, { runbook: named, file }) => {
      const { version, ...given } = await readDocument("runbook", runbookFile, file, surroundings);
      const before = await targetOf(client, named, given.name);
      const saved = await client.cleaning.saveRunbook.mutate({
        ...given,
        id: before?.id ?? null,
        // Without a version in the file, the newest version is changed.
        ...(before === null ? {} : { version: version ?? before.version }),
      });
      printer.say(
        `Runbook ${given.name} ${before === null ? "created" : "changed"}, version ${saved.version}.`,
      );
    },
  }),
  act("runbooks delete", {
    of: "cleaning.removeRunbook",
    args: { runbook },
    input: ({ runbook: { id, version } }) => ({ id, version }),
    asks: ({ runbook: { name } }) => [
      [`Runbook ${name} is deleted. Cleanings in progress continue.`],
      `Delete runbook ${name}?`,
    ],
    said: ({ runbook: { name } }) => `Runbook ${name} deleted.`,
  }),
];

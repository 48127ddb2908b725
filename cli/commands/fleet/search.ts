// `reclaim search`: finds hosts, drives, instances, reclamations, tenants, lists and acts by a text, and names the command for each.
import { z } from "zod";
import { list as listOf, record } from "@/server/contract/define";
import type { SearchAnswer } from "@/server/surfaces/trpc/types";
import { notSearched } from "@/server/domain/console/not-searched";
import { formatCounted } from "@/server/domain/numbers";
import { derived } from "@/cli/define/command";
import { arg } from "@/cli/define/values";
import type { Column } from "@/cli/output/printer";

const match = record({
  kind: z.enum(["host", "drive", "instance", "reclamation", "tenant", "act", "list"]),
  id: z.string(),
  name: z.string(),
  host: z.string().nullable(),
  words: z.string(),
  /** The command that shows or does it, for a shell. */
  command: z.string(),
});
type Match = z.infer<typeof match>;

/** Digits of an instance's id that the command names: a name can belong to several instances. */
const shownDigits = 8;

/** A word of a shell's command line. Serial numbers come from hardware, which may report anything. */
const quoted = (word: string): string =>
  /^[\w.:-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;

const shows = (command: string, named: string): string => `reclaim ${command} ${quoted(named)}`;

/** What was found, as rows; each kind in the order of the server. Pure. */
const matchesOf = (found: SearchAnswer): readonly Match[] => [
  ...found.hosts.map(({ id, name, words }): Match => ({
    ...{ kind: "host", id, name, host: null, words },
    command: shows("hosts show", name),
  })),
  ...found.drives.map(({ id, serial, words }): Match => ({
    ...{ kind: "drive", id, name: serial, host: null, words },
    command: shows("drives show", serial),
  })),
  ...found.instances.map(({ id, name, hostName, words }): Match => ({
    ...{ kind: "instance", id, name, host: hostName, words },
    command: shows("instances show", id.slice(0, shownDigits)),
  })),
  ...found.reclamations.map(({ id, number, hostName, words }): Match => ({
    ...{ kind: "reclamation", id, name: number, host: hostName, words },
    command: shows("reclamations show", number),
  })),
  ...found.tenants.map(({ id, name, words, filter }): Match => ({
    ...{ kind: "tenant", id, name, host: null, words },
    command: shows("hosts list", filter),
  })),
  // What is possible now, with a command.
  ...(found.acts ?? []).flatMap(({ id, words, on, refused, command }): readonly Match[] =>
    refused !== null || command === null
      ? []
      : [{ ...{ kind: "act", id, name: words, host: null, words: on ?? "" }, command: `reclaim ${command}` }],
  ),
  ...(found.lists ?? []).map(({ words, hosts, filter }): Match => ({
    ...{ kind: "list", id: filter, name: words, host: null, words: formatCounted(hosts, "host") },
    command: shows("hosts list", filter),
  })),
];

const columns: readonly Column<Match>[] = [
  { name: "kind", value: (row) => row.kind, whole: true },
  { name: "name", value: (row) => row.name },
  { name: "command", value: (row) => row.command, whole: true },
  { name: "host", value: (row) => row.host },
  { name: "details", value: (row) => row.words, long: true },
  { name: "id", value: (row) => row.id, extra: true },
];

export const search = derived("search", {
  of: "search.all",
  args: {
    text: arg(
      "<text>",
      "part of a name or serial number, a reclamation's number, or the words of an act or a list",
    ),
  },
  rows: matchesOf,
  shape: listOf(match),
  columns,
  none: ({ given: { text } }) => `Nothing found for ${text}.`,
  // The server answers with the first few of each kind, and does not say whether there are more.
  then: ({ rows, first }) => {
    const left = notSearched({ ...first, helpUnread: false });
    return [
      ...(left === null ? [] : [left]),
      ...(rows.length > 1
        ? [
            "Only the first matches of each kind are shown; `hosts list`, `drives list` and `instances list` show all.",
          ]
        : []),
    ];
  },
  examples: ["search 'retry r12'", "search failed", "search r12", "search S6XNNA0T412", "search R-1042"],
});

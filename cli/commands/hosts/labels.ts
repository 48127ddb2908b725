// `reclaim hosts labels`: notes on a host for people and programs; also for repair tenants.
import { z } from "zod";
import { list as listOf, record } from "@/server/contract/define";
import { hostActions } from "@/server/domain/hosts/host-actions";
import { command, derived } from "@/cli/define/command";
import { arg, flag } from "@/cli/define/values";
import { CommandError } from "@/cli/exit-codes";
import type { Column } from "@/cli/output/printer";

interface Label {
  readonly name: string;
  readonly value: string;
}

const columns: readonly Column<Label>[] = [
  { name: "name", value: (row) => row.name, whole: true },
  { name: "value", value: (row) => row.value, whole: true },
];

const host = arg("<host>", "its name or id");

export const labels = [
  derived("hosts labels show", {
    of: "host.labels",
    args: { host },
    rows: (found) => Object.entries(found.labels).map(([name, value]) => ({ name, value })),
    shape: listOf(record({ name: z.string(), value: z.string() })),
    columns,
    none: ({ first: { name } }) => `${name} has no labels.`,
  }),
  command("hosts labels set", {
    title: `${hostActions.setLabels.summary}; other labels stay, and those given as name- are removed`,
    uses: ["host.setLabels"],
    args: { host, label: arg("[label...]", "name=value to set, name- to remove") },
    options: { replace: flag("replace all labels with these") },
    run: async ({ client, printer }, { host: text, label: given, replace }) => {
      if (given.length === 0 && replace !== true)
        throw new CommandError("usage", "Name a label to set, such as rack_note=shaky.");
      const found = await client.host.labels.query({ host: text });
      const { changed } = await client.host.setLabels.mutate({
        hostId: found.id,
        labels: relabelled(replace === true ? {} : found.labels, given),
      });
      printer.say(`${found.name}: ${changed ? "labels changed" : "already set"}`);
    },
  }),
];

/** The syntax of `kubectl label`. */
export function relabelled(before: Readonly<Record<string, string>>, changes: readonly string[]) {
  const labels = new Map(Object.entries(before));
  for (const change of changes) {
    const at = change.indexOf("=");
    if (at > 0) labels.set(change.slice(0, at), change.slice(at + 1));
    else if (at < 0 && change.length > 1 && change.endsWith("-")) labels.delete(change.slice(0, -1));
    else
      throw new CommandError(
        "usage",
        `${change} is not a label.`,
        "Write name=value to set, name- to remove.",
      );
  }
  return Object.fromEntries(labels);
}

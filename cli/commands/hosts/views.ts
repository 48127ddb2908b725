// `reclaim hosts views`, `save-view`, `delete-view`, `filter-values`: the user's own views of the hosts list, and the values that a filter accepts.
import type { Command } from "commander";
import { hosts as contract } from "@/server/contract/hosts/hosts";
import type { SavedView } from "@/server/surfaces/trpc/types";
import { CommandError } from "@/cli/exit-codes";
import type { Column } from "@/cli/output/printer";
import { openShell } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";

const columns: readonly Column<SavedView>[] = [
  { name: "name", value: (row) => row.name, whole: true },
  { name: "filter", value: (row) => row.filter },
  { name: "sort", value: (row) => row.sort },
  { name: "hide", value: (row) => row.hide },
  { name: "group", value: (row) => row.group },
  { name: "id", value: (row) => row.id, extra: true },
];

/** Each value with the filter key that accepts it. */
const valueColumns: readonly Column<{ readonly key: string; readonly value: string }>[] = [
  { name: "key", value: (row) => row.key, whole: true },
  { name: "value", value: (row) => row.value, whole: true },
];

export function addViews(hosts: Command, surroundings: Surroundings): void {
  hosts
    .command("views")
    .description(contract.savedViews.title)
    .action(async (_options: object, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const views = await client.hosts.savedViews.query();
      printer.list(views, columns, "You have no saved views.");
    });
  hosts
    .command("save-view")
    .description(contract.saveView.title)
    .argument("<name>", "under which it is listed")
    .argument("<filter...>", "as the console's")
    .action(async (name: string, filter: string[], _options: object, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      await client.hosts.saveView.mutate({ name, filter: filter.join(" ") });
      printer.say(`View ${name} saved.`);
    });
  hosts
    .command("delete-view")
    .description(contract.removeView.title)
    .argument("<name>", "of the view")
    .action(async (name: string, _options: object, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const view = (await client.hosts.savedViews.query()).find((own) => own.name === name);
      if (view === undefined) throw new CommandError("notFound", `You have no view ${name}.`);
      await client.hosts.removeView.mutate({ id: view.id });
      printer.say(`View ${name} deleted.`);
    });
  hosts
    .command("filter-values")
    .description(contract.filterValues.title)
    .action(async (_options: object, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const values = await client.hosts.filterValues.query();
      printer.list(
        Object.entries(values).flatMap(([key, names]) => names.map((value) => ({ key: `${key}:`, value }))),
        valueColumns,
        "No values yet.",
      );
    });
}

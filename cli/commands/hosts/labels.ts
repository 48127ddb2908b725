// `reclaim hosts labels`: notes on a host for people and programs; also for repair tenants.
import type { Command } from "commander";
import { contract } from "@/server/contract/contract";
import { hostActions } from "@/server/domain/hosts/host-actions";
import { CommandError } from "@/cli/exit-codes";
import type { Column } from "@/cli/output/printer";
import { openShell } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";

interface Label {
  readonly name: string;
  readonly value: string;
}

const columns: readonly Column<Label>[] = [
  { name: "name", value: (row) => row.name, whole: true },
  { name: "value", value: (row) => row.value, whole: true },
];

const hostText = "its name or id";

/** @param hosts the command `reclaim hosts` */
export function addHostLabels(hosts: Command, surroundings: Surroundings): void {
  const labels = hosts.command("labels").description("labels of a host: notes for people and programs");
  labels
    .command("show")
    .description(contract.host.labels.title)
    .argument("<host>", hostText)
    .action(async (host: string, _options: object, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const found = await client.host.labels.query({ host });
      const rows = Object.entries(found.labels).map(([name, value]) => ({ name, value }));
      printer.list(rows, columns, `${found.name} has no labels.`);
    });
  labels
    .command("set")
    .description(`${hostActions.setLabels.summary}; other labels stay, and those given as name- are removed`)
    .argument("<host>", hostText)
    .argument("[label...]", "name=value to set, name- to remove")
    .option("--replace", "replace all labels with these")
    .action(
      async (host: string, given: readonly string[], options: { replace?: boolean }, command: Command) => {
        if (given.length === 0 && options.replace !== true)
          throw new CommandError("usage", "Name a label to set, such as rack_note=shaky.");
        const { client, printer } = await openShell(command, surroundings);
        const found = await client.host.labels.query({ host });
        const before = options.replace === true ? {} : found.labels;
        const { changed } = await client.host.setLabels.mutate({
          hostId: found.id,
          labels: relabelled(before, given),
        });
        printer.say(`${found.name}: ${changed ? "labels changed" : "already set"}`);
      },
    );
}

/** The syntax of `kubectl label`. */
export function relabelled(before: Readonly<Record<string, string>>, changes: readonly string[]) {
  const labels = new Map(Object.entries(before));
  for (const change of changes) {
    const at = change.indexOf("=");
    if (at > 0) labels.set(change.slice(0, at), change.slice(at + 1));
    else if (at < 0 && change.length > 1 && change.endsWith("-")) labels.delete(change.slice(0, -1));
    else
      throw new CommandError("usage", `${change} is no label.`, "Write name=value to set, name- to remove.");
  }
  return Object.fromEntries(labels);
}

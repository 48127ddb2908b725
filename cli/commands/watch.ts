// `reclaim watch`: follows hosts live, until they have reached a goal.
import { Option } from "commander";
import type { Command } from "commander";
import { CommandError } from "@/cli/exit-codes";
import { findHost, readHosts } from "@/cli/find";
import { followHosts, goals } from "@/cli/live/follow";
import type { Goal } from "@/cli/live/follow";
import { readDuration } from "@/cli/options";
import { openShell } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";

export function addWatch(program: Command, surroundings: Surroundings): void {
  program
    .command("watch")
    .description("hosts live, one line per change; reconnects automatically")
    .argument("[host...]", "names, ids, or the start of either")
    .option("--filter <filter>", "or all that match now or later; without either, every host")
    .addOption(
      new Option(
        "--until <state>",
        "exit when all hosts are in that state: with 0, or with 7 if one failed or was removed",
      ).choices([...goals]),
    )
    .option("--timeout <time>", "maximum time, such as 90m; ends with 8", readDuration)
    .addHelpText(
      "after",
      "\nIt looks at the state that is. To wait for what you ask for, use --wait of the command that asks.\n",
    )
    .action(
      async (
        names: string[],
        options: { filter?: string; until?: Goal; timeout?: number },
        command: Command,
      ) => {
        if (names.length > 0 && options.filter !== undefined)
          throw new CommandError("usage", "Name either hosts or --filter.");
        const shell = await openShell(command, surroundings);
        if (shell.settings.columns !== null) throw new CommandError("usage", "--columns is for lists.");
        const hosts = [];
        for (const name of names) hosts.push(await findHost(shell.client, name));
        const filter = names.length > 0 ? null : (options.filter ?? "");
        if (filter !== null)
          hosts.push(
            ...(
              await readHosts(shell.client, { filter, sort: "name", descending: false, limit: null })
            ).rows.map((row) => ({ id: row.hostId, name: row.name })),
          );
        if (hosts.length === 0 && options.until !== undefined)
          throw new CommandError("notFound", "No host matches, so there is nothing to wait for.");
        // With a goal, wait only for the hosts that match now: if others could join, it might never end.
        const joins = options.until === undefined ? filter : null;
        await followHosts(shell, {
          hosts: hosts.map(({ id, name }) => ({ id, name, after: null })),
          filter: joins,
          goal: options.until ?? null,
          timeoutMs: options.timeout ?? null,
          events: true,
        });
      },
    );
}

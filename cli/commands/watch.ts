// `reclaim watch`: follows hosts live, until they have reached a goal.
import { z } from "zod";
import { contract } from "@/server/contract/contract";
import { record } from "@/server/contract/define";
import { command } from "@/cli/define/command";
import { arg, choice, hostText, opt, parsed } from "@/cli/define/values";
import { CommandError } from "@/cli/exit-codes";
import { findHost, readHosts } from "@/cli/find";
import { followHosts, goals } from "@/cli/live/follow";
import { readDuration } from "@/cli/options";

export const watch = command("watch", {
  title: "follows hosts live, one line per change; reconnects automatically",
  uses: ["hosts.list"],
  shape: record({
    at: z.date(),
    ...contract.hosts.list.output.unwrap().shape.rows.unwrap().element.unwrap().shape,
  }),
  args: { host: arg("[host...]", hostText) },
  options: {
    filter: opt("<filter>", "or all that match now or later; without either, every host"),
    until: choice(
      "<state>",
      "exit when all hosts are in that state: with 0, or with 7 if one failed or was removed",
      goals,
    ),
    timeout: parsed("<time>", "maximum time, such as 90m; ends with 8", readDuration),
  },
  note: "--until looks at the current state. To wait for what a command starts, use that command's --wait.",
  examples: ["watch --filter rack:A02", "watch gpu-a-0417 --until ready --timeout 90m"],
  run: async (shell, { host: names, filter: given, until, timeout }) => {
    if (names.length > 0 && given !== undefined)
      throw new CommandError("usage", "Name either hosts or --filter.");
    if (shell.settings.columns !== null) throw new CommandError("usage", "--columns is for lists.");
    const hosts = [];
    for (const name of names) hosts.push(await findHost(shell.client, name));
    const filter = names.length > 0 ? null : (given ?? "");
    if (filter !== null) {
      const query = { filter, sort: "name", descending: false, limit: null } as const;
      const { rows } = await readHosts(shell.client, query);
      hosts.push(...rows.map((row) => ({ id: row.hostId, name: row.name })));
    }
    if (hosts.length === 0 && until !== undefined)
      throw new CommandError("notFound", "No host matches, so there is nothing to wait for.");
    await followHosts(shell, {
      hosts: hosts.map(({ id, name }) => ({ id, name, after: null })),
      // With a goal, wait only for the hosts that match now: if others could join, it might never end.
      filter: until === undefined ? filter : null,
      goal: until ?? null,
      timeoutMs: timeout ?? null,
      events: true,
    });
  },
});

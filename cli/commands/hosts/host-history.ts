// `reclaim hosts history` and `hosts traits`: a host's history, and the traits that runbooks match.
import type { Command } from "commander";
import { contract } from "@/server/contract/contract";
import type { HistoryLine } from "@/server/surfaces/trpc/types";
import { CommandError } from "@/cli/exit-codes";
import { findHost } from "@/cli/find";
import { readCount } from "@/cli/options";
import { durationText } from "@/cli/output/text";
import type { Column } from "@/cli/output/printer";
import { openShell } from "@/cli/shell";
import type { Shell } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";

const usualCount = 50;

const columns: readonly Column<HistoryLine>[] = [
  { name: "time", value: (row) => row.at },
  { name: "state", value: (row) => row.state, tone: (row) => row.tone, whole: true },
  {
    name: "took",
    value: (row) => row.tookMs,
    text: (row) => (row.tookMs === null ? "" : durationText(row.tookMs)),
  },
  { name: "reclamation", value: (row) => row.reclamationNumber },
  { name: "reason", value: (row) => row.reason, long: true },
];

async function readHistory({ client }: Shell, hostId: string, limit: number) {
  const states: HistoryLine[] = [];
  let before: string | undefined;
  do {
    const page: Awaited<ReturnType<typeof client.host.history.query>> = await client.host.history.query({
      hostId,
      ...(before === undefined ? {} : { before }),
    });
    states.push(...page.states);
    before = page.nextBefore ?? undefined;
  } while (before !== undefined && states.length < limit);
  return { states: states.slice(0, limit), more: before !== undefined || states.length > limit };
}

/** @param hosts the command `reclaim hosts` */
export function addHostHistory(hosts: Command, surroundings: Surroundings): void {
  hosts
    .command("history")
    .description("the states of a host, newest first")
    .argument("<host>", "name, id, or the start of either")
    .option("--limit <count>", "maximum number", readCount, usualCount)
    .action(async (text: string, { limit }: { limit: number }, command: Command) => {
      const shell = await openShell(command, surroundings);
      const { id } = await findHost(shell.client, text);
      const { states, more } = await readHistory(shell, id, limit);
      shell.printer.list(states, columns, "Nothing yet.");
      if (more) shell.printer.say(`The newest ${states.length}; --limit gives more.`);
    });
  hosts
    .command("traits")
    .description(`${contract.cleaning.setTraits.title}; without any, shows them`)
    .argument("<host>", "name, id, or the start of either")
    .argument("[change...]", "CUSTOM_A to add it, CUSTOM_A- to remove it")
    .action(async (text: string, changes: string[], _options: object, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const { id, name } = await findHost(client, text);
      const { traits } = await client.host.get.query({ host: id });
      if (changes.some((change) => change === "" || change === "-"))
        throw new CommandError("usage", "A trait has a name, such as CUSTOM_A.");
      const wanted = new Set(traits);
      for (const change of changes)
        if (change.endsWith("-")) wanted.delete(change.slice(0, -1));
        else wanted.add(change);
      const now =
        changes.length === 0
          ? traits
          : (await client.cleaning.setTraits.mutate({ hostId: id, traits: [...wanted] })).traits;
      const rows = now.map((trait) => ({ trait }));
      printer.list(
        rows,
        [{ name: "trait", value: (row) => row.trait, whole: true }],
        `${name} has no traits.`,
      );
    });
}

// `reclaim hosts history` and `hosts traits`: a host's history, and the traits that runbooks match.
import { z } from "zod";
import { contract } from "@/server/contract/contract";
import { list, record } from "@/server/contract/define";
import type { HistoryLine } from "@/server/surfaces/trpc/types";
import { command } from "@/cli/define/command";
import { arg, count, host, usually } from "@/cli/define/values";
import { CommandError } from "@/cli/exit-codes";
import { durationText } from "@/cli/output/text";
import type { Column } from "@/cli/output/printer";
import type { Shell } from "@/cli/shell";

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

export const hostHistory = [
  command("hosts history", {
    title: "the states of a host, newest first",
    uses: ["host.history"],
    shape: contract.host.history.output.unwrap().shape.states,
    args: { host },
    options: { limit: usually(count, 50) },
    run: async (shell, { host: { id }, limit }) => {
      const { states, more } = await readHistory(shell, id, limit);
      shell.printer.list(states, columns, "Nothing yet.");
      if (more) shell.printer.say(`Only the newest ${states.length} are shown; --limit shows more.`);
    },
  }),
  command("hosts traits", {
    title: `${contract.cleaning.setTraits.title}; without any, shows them`,
    uses: ["cleaning.setTraits"],
    shape: list(record({ trait: z.string() })),
    args: { host, change: arg("[change...]", "CUSTOM_A to add it, CUSTOM_A- to remove it") },
    examples: ["hosts traits gpu-a-0417 CUSTOM_BURN_IN CUSTOM_OLD-"],
    run: async ({ client, printer }, { host: { id, name }, change: changes }) => {
      const { traits } = await client.host.get.query({ host: id });
      if (changes.some((change) => change === "" || change === "-"))
        throw new CommandError("usage", "A trait has a name, such as CUSTOM_A.");
      const changed = new Set(traits);
      for (const change of changes)
        if (change.endsWith("-")) changed.delete(change.slice(0, -1));
        else changed.add(change);
      const now =
        changes.length === 0
          ? traits
          : (await client.cleaning.setTraits.mutate({ hostId: id, traits: [...changed] })).traits;
      const rows = now.map((trait) => ({ trait }));
      printer.list(
        rows,
        [{ name: "trait", value: (row) => row.trait, whole: true }],
        `${name} has no traits.`,
      );
    },
  }),
];

// Acts on hosts: manage, provide, restart, power, delete, maintenance; and of the cleaning that runs: abort, hold, resume, retry.
import type { Command } from "commander";
import { CommandError } from "@/cli/exit-codes";
import { addDrives } from "@/cli/commands/drives";
import { actOnHosts, readDetails } from "@/cli/commands/acts";
import type { HostSeen } from "@/cli/commands/acts";
import type { Goal } from "@/cli/live/follow";
import { readDuration, readMoment } from "@/cli/options";
import type { Client } from "@/cli/client";
import { openShell } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";
import type { HostAction } from "@/server/surfaces/trpc/types";

export interface WaitOptions {
  readonly wait?: boolean;
  readonly timeout?: number;
}

export function addWaitOptions(command: Command, goal: Goal): Command {
  return command
    .option("--wait", `go on until the host is ${goal}; ends with 7 when it fails`)
    .option("--timeout <time>", "with --wait: not longer than this, such as 90m; ends with 8", readDuration);
}

export function waitFor(
  goal: Goal,
  { wait, timeout }: WaitOptions,
): { readonly goal: Goal; readonly timeoutMs: number | null } | null {
  if (wait === true) return { goal, timeoutMs: timeout ?? null };
  if (timeout !== undefined) throw new CommandError("usage", "--timeout is for --wait.");
  return null;
}

interface PlainAct {
  readonly name: string;
  readonly description: string;
  readonly intent: HostAction["intent"];
  readonly perform: (client: Client, seen: HostSeen) => Promise<unknown>;
  readonly goal?: Goal;
}

const ofHosts: readonly PlainAct[] = [
  {
    name: "manage",
    description: "take hosts out of allocation, as the provider's own",
    intent: "manage",
    perform: (client, seen) => client.host.act.mutate({ ...seen, intent: "manage" }),
    goal: "manageable",
  },
  {
    name: "provide",
    description: "bring hosts to allocation: cleaned, checked, ready",
    intent: "provide",
    perform: (client, seen) => client.host.act.mutate({ ...seen, intent: "provide" }),
    goal: "ready",
  },
  {
    name: "restart",
    description: "make a new plan for a reclamation that stopped, and run it from the beginning",
    intent: "restart",
    perform: (client, seen) => client.host.act.mutate({ ...seen, intent: "restart" }),
    goal: "ready",
  },
  {
    name: "inspect",
    description: "read what is in hosts again: the BMC's inventory now, the agent's with its next boot",
    intent: "inspect",
    perform: (client, seen) => client.host.act.mutate({ ...seen, intent: "inspect" }),
  },
  {
    name: "power-on",
    description: "switch hosts on by their BMC",
    intent: "powerOn",
    perform: (client, seen) => client.host.act.mutate({ ...seen, intent: "powerOn" }),
  },
  {
    name: "power-off",
    description: "switch hosts off by their BMC, without asking their system",
    intent: "powerOff",
    perform: (client, seen) => client.host.act.mutate({ ...seen, intent: "powerOff" }),
  },
  {
    name: "reboot",
    description: "restart hosts by their BMC, without asking their system",
    intent: "reboot",
    perform: (client, seen) => client.host.act.mutate({ ...seen, intent: "reboot" }),
  },
  {
    name: "skip-erase-wait",
    description:
      "no longer wait for an erase of which no agent can be asked; a drive that erases may be left unusable",
    intent: "skipEraseWait",
    perform: (client, seen) => client.host.act.mutate({ ...seen, intent: "skipEraseWait" }),
  },
  {
    name: "delete",
    description: "remove hosts; they are recorded as not cleaned",
    intent: "forceDelete",
    perform: (client, seen) => client.host.act.mutate({ ...seen, intent: "forceDelete" }),
  },
];

const ofCleanings: readonly PlainAct[] = [
  {
    name: "retry",
    description: "go on at the step that failed, with a new attempt",
    intent: "retry",
    perform: (client, seen) => client.host.act.mutate({ ...seen, intent: "retry" }),
  },
  {
    name: "abort",
    description: "end the cleaning that runs, as failed",
    intent: "abort",
    perform: (client, seen) => client.cleaning.abort.mutate(seen),
  },
  {
    name: "resume",
    description: "end a hold; the next step begins",
    intent: "resume",
    perform: (client, seen) => client.cleaning.resume.mutate(seen),
  },
];

function addPlainAct(
  parent: Command,
  surroundings: Surroundings,
  { name, description, intent, perform, goal }: PlainAct,
): void {
  const made = parent
    .command(name)
    .description(description)
    .argument("<host...>", "names, ids, or the beginning of one");
  if (goal !== undefined) addWaitOptions(made, goal);
  made.action(async (names: string[], options: WaitOptions, command: Command) => {
    const shell = await openShell(command, surroundings);
    const wait = goal === undefined ? null : waitFor(goal, options);
    await actOnHosts(shell, await readDetails(shell, names), {
      intent,
      perform: (seen) => perform(shell.client, seen),
      wait,
    });
  });
}

function addMaintenance(hosts: Command, surroundings: Surroundings): void {
  const maintenance = hosts
    .command("maintenance")
    .description("keep hosts out of allocation, or let them in again");
  maintenance
    .command("set")
    .description("keep hosts out of allocation until somebody ends it")
    .argument("<host...>", "names, ids, or the beginning of one")
    .requiredOption("--reason <text>", "why")
    .action(async (names: string[], { reason }: { reason: string }, command: Command) => {
      const shell = await openShell(command, surroundings);
      await actOnHosts(shell, await readDetails(shell, names), {
        intent: "setMaintenance",
        perform: ({ hostId }) => shell.client.host.setMaintenance.mutate({ hostId, reason }),
      });
    });
  maintenance
    .command("clear")
    .alias("unset")
    .description("end maintenance; hosts that were Ready are checked before they are allocated again")
    .argument("<host...>", "names, ids, or the beginning of one")
    .option(
      "--untouched <reason>",
      "state that nobody touched them, and why you know: allocated without a check, and recorded",
    )
    .action(async (names: string[], { untouched }: { untouched?: string }, command: Command) => {
      const shell = await openShell(command, surroundings);
      if (untouched !== undefined) {
        await actOnHosts(shell, await readDetails(shell, names), {
          intent: "confirmUntouched",
          perform: ({ hostId }) => shell.client.host.confirmUntouched.mutate({ hostId, reason: untouched }),
        });
        return;
      }
      await actOnHosts(shell, await readDetails(shell, names), {
        intent: "clearMaintenance",
        perform: ({ hostId }) => shell.client.host.clearMaintenance.mutate({ hostId }),
      });
    });
}

function addHold(program: Command, surroundings: Surroundings): void {
  program
    .command("hold")
    .description("wait before the next step until somebody resumes it, or the hold expires")
    .argument("<host...>", "names, ids, or the beginning of one")
    .requiredOption("--reason <text>", "why")
    .option("--for <time>", "how long, such as 2h; without it as long as the site says", readDuration)
    .option("--until <time>", "or until when", readMoment)
    .action(
      async (names: string[], options: { reason: string; for?: number; until?: Date }, command: Command) => {
        const shell = await openShell(command, surroundings);
        const length = {
          ...(options.for === undefined ? {} : { forMs: options.for }),
          ...(options.until === undefined ? {} : { until: options.until }),
        };
        await actOnHosts(shell, await readDetails(shell, names), {
          intent: "hold",
          perform: (seen) =>
            shell.client.cleaning.hold.mutate({ ...seen, reason: options.reason, ...length }),
        });
      },
    );
}

/** @param hosts the command `reclaim hosts` */
export function addHostActs(program: Command, hosts: Command, surroundings: Surroundings): void {
  addMaintenance(hosts, surroundings);
  addDrives(hosts, surroundings);
  for (const act of ofHosts) addPlainAct(hosts, surroundings, act);
  for (const act of ofCleanings) addPlainAct(program, surroundings, act);
  addHold(program, surroundings);
}

// Acts on hosts: manage, provide, restart, power, delete, maintenance; and on the running cleaning: abort, hold, resume, retry.
import type { Command } from "commander";
import { CommandError } from "@/cli/exit-codes";
import { addBoot } from "@/cli/commands/hosts/enrolment/boot";
import { addDrives } from "@/cli/commands/hosts/drives/dispositions";
import { actOnHosts } from "@/cli/commands/acts";
import { addHostLabels } from "@/cli/commands/hosts/labels";
import { addTargets, readTargets } from "@/cli/commands/targets";
import type { TargetOptions } from "@/cli/commands/targets";
import type { HostSeen } from "@/cli/commands/acts";
import type { Goal } from "@/cli/live/follow";
import { readDuration, readMoment } from "@/cli/options";
import type { Client } from "@/cli/client";
import { openShell } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";
import { hostActions, hostIntents } from "@/server/domain/hosts/host-actions";

export interface WaitOptions {
  readonly wait?: boolean;
  readonly timeout?: number;
}

export function addWaitOptions(command: Command, goal: Goal): Command {
  return command
    .option("--wait", `wait until the host is ${goal}; ends with 7 when it fails`)
    .option("--timeout <time>", "with --wait: maximum time, such as 90m; ends with 8", readDuration);
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
  readonly action: keyof typeof hostActions;
  readonly perform: (client: Client, seen: HostSeen) => Promise<unknown>;
}

/** The goal that `--wait` waits for, by act. */
const goals: Partial<Record<keyof typeof hostActions, Goal>> = {
  manage: "manageable",
  provide: "ready",
  restart: "ready",
};

const plainActs: readonly PlainAct[] = [
  ...hostIntents.map((intent): PlainAct => ({
    action: intent,
    perform: (client, seen) => client.host.act.mutate({ ...seen, intent }),
  })),
  { action: "abort", perform: (client, seen) => client.cleaning.abort.mutate(seen) },
  { action: "resume", perform: (client, seen) => client.cleaning.resume.mutate(seen) },
];

/** Name and help come from the table of actions, so that console, API and command say the same. */
function addPlainAct(
  program: Command,
  hosts: Command,
  surroundings: Surroundings,
  { action, perform }: PlainAct,
): void {
  const { command: words, summary } = hostActions[action];
  const goal = goals[action];
  const made = addTargets(
    (words.startsWith("hosts ") ? hosts : program).command(words.replace("hosts ", "")).description(summary),
  );
  if (goal !== undefined) addWaitOptions(made, goal);
  made.action(async (names: string[], options: WaitOptions & TargetOptions, command: Command) => {
    const shell = await openShell(command, surroundings);
    const wait = goal === undefined ? null : waitFor(goal, options);
    await actOnHosts(shell, await readTargets(shell, names, options), {
      intent: action,
      perform: (seen) => perform(shell.client, seen),
      wait,
    });
  });
}

function addMaintenance(hosts: Command, surroundings: Surroundings): void {
  const maintenance = hosts
    .command("maintenance")
    .description("keeps hosts out of allocation, or lets them in again");
  addTargets(maintenance.command("set").description(hostActions.setMaintenance.summary))
    .requiredOption("--reason <text>", "why")
    .action(async (names: string[], options: TargetOptions & { reason: string }, command: Command) => {
      const shell = await openShell(command, surroundings);
      await actOnHosts(shell, await readTargets(shell, names, options), {
        intent: "setMaintenance",
        perform: ({ hostId }) => shell.client.host.setMaintenance.mutate({ hostId, reason: options.reason }),
      });
    });
  addTargets(maintenance.command("clear").alias("unset").description(hostActions.clearMaintenance.summary))
    .option(
      "--untouched <reason>",
      "state that nobody touched them, and how you know: they are allocated without a check, and your statement is recorded",
    )
    .action(async (names: string[], options: TargetOptions & { untouched?: string }, command: Command) => {
      const { untouched } = options;
      if (untouched !== undefined && options.filter !== undefined)
        throw new CommandError(
          "usage",
          "--untouched cannot be used with --filter: name the hosts that you vouch for.",
        );
      const shell = await openShell(command, surroundings);
      if (untouched !== undefined) {
        await actOnHosts(shell, await readTargets(shell, names, options), {
          intent: "confirmUntouched",
          perform: (seen, { maintenance }) =>
            shell.client.host.confirmUntouched.mutate({
              ...seen,
              reason: untouched,
              maintenanceReason: maintenance?.reason ?? null,
            }),
        });
        return;
      }
      await actOnHosts(shell, await readTargets(shell, names, options), {
        intent: "clearMaintenance",
        perform: ({ hostId }) => shell.client.host.clearMaintenance.mutate({ hostId }),
      });
    });
}

interface PlaceOptions {
  readonly rack?: string;
  readonly slot?: string;
  readonly segment?: string;
  readonly powerDomain?: string;
}

function addPlace(hosts: Command, surroundings: Surroundings): void {
  addTargets(
    hosts
      .command("place")
      .description(`${hostActions.setPlace.summary}; options not given stay unchanged, none removes a value`),
  )
    .option("--rack <name|none>", "rack")
    .option("--slot <name|none>", "slot in the rack")
    .option("--segment <name|none>", "network in which it boots")
    .option("--power-domain <name|none>", "the power supply it shares with others")
    .action(async (names: string[], options: PlaceOptions & TargetOptions, command: Command) => {
      const { filter: _filter, dryRun: _dryRun, ...given } = options;
      if (Object.keys(given).length === 0)
        throw new CommandError("usage", "Name a part of the place to set, such as --rack.");
      const shell = await openShell(command, surroundings);
      const place = Object.fromEntries(
        Object.entries(given).map(([part, name]) => [part, name === "none" ? null : name]),
      );
      await actOnHosts(shell, await readTargets(shell, names, options), {
        intent: "setPlace",
        perform: ({ hostId }) => shell.client.host.setPlace.mutate({ hostId, place }),
      });
    });
}

function addHold(program: Command, surroundings: Surroundings): void {
  addTargets(program.command("hold").description(hostActions.hold.summary))
    .requiredOption("--reason <text>", "why")
    .option("--for <time>", "how long, such as 2h; default: the site's setting", readDuration)
    .option("--until <time>", "or end time", readMoment)
    .action(
      async (
        names: string[],
        options: TargetOptions & { reason: string; for?: number; until?: Date },
        command: Command,
      ) => {
        const shell = await openShell(command, surroundings);
        const length = {
          ...(options.for === undefined ? {} : { forMs: options.for }),
          ...(options.until === undefined ? {} : { until: options.until }),
        };
        await actOnHosts(shell, await readTargets(shell, names, options), {
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
  addPlace(hosts, surroundings);
  addHostLabels(hosts, surroundings);
  addBoot(hosts, surroundings);
  for (const act of plainActs) addPlainAct(program, hosts, surroundings, act);
  addHold(program, surroundings);
}

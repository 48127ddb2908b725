// Shared by all acts on hosts: find the hosts, state the consequences, confirm, act host by host, and report each result.
import { z } from "zod";
import { list, record } from "@/server/contract/define";
import { hostActions } from "@/server/domain/hosts/host-actions";
import type { HostAction, HostDetail } from "@/server/surfaces/trpc/types";
import type { OperationName } from "@/cli/call";
import { command } from "@/cli/define/command";
import type { Row } from "@/cli/define/command";
import { flag, parsed } from "@/cli/define/values";
import type { Given, Value, Values } from "@/cli/define/values";
import { readDuration } from "@/cli/options";
import { possibleNow, toCommandError } from "@/cli/client";
import { CommandError } from "@/cli/exit-codes";
import type { Exit } from "@/cli/exit-codes";
import { brokenOff } from "@/cli/commands/broken-off";
import { readTargets, targetArgs, targetOptions } from "@/cli/commands/targets";
import type { Targets } from "@/cli/commands/targets";
import { formatCounted } from "@/server/domain/numbers";
import { followHosts } from "@/cli/live/follow";
import type { Goal } from "@/cli/live/follow";
import type { Column } from "@/cli/output/printer";
import { confirm } from "@/cli/shell";
import type { Shell } from "@/cli/shell";

/** The state that was looked at is sent along, so that a host that has moved on is not acted on. */
export interface HostSeen {
  readonly hostId: string;
  readonly stateVersion: string;
}

export interface HostAct {
  readonly intent: HostAction["intent"];
  readonly perform: (seen: HostSeen, host: HostDetail) => Promise<unknown>;
  /** Stated in addition to the consequence that the server provides. */
  readonly consequences?: readonly string[];
  /** Confirm even if the server sees no danger. */
  readonly asks?: boolean;
  /** After the act is accepted, wait until every host has reached the goal. */
  readonly wait?: { readonly goal: Goal; readonly timeoutMs: number | null } | null;
}

interface Result {
  readonly host: string;
  readonly hostId: string;
  readonly accepted: boolean;
  readonly message: string;
  readonly exit: Exit;
}

const columns: readonly Column<Omit<Result, "exit">>[] = [
  { name: "host", value: (row) => row.host, whole: true },
  {
    name: "result",
    value: (row) => (row.accepted ? "accepted" : "refused"),
    tone: (row) => (row.accepted ? "good" : "failed"),
    whole: true,
  },
  { name: "message", value: (row) => row.message, long: true },
  { name: "id", value: (row) => row.hostId, extra: true },
];

const actionOf = (host: HostDetail, intent: HostAction["intent"]): HostAction | null =>
  [...host.actions, ...host.cleaningActions].find((action) => action.intent === intent) ?? null;

async function performOn(host: HostDetail, act: HostAct): Promise<Result> {
  const named = { host: host.name, hostId: host.id };
  try {
    await act.perform({ hostId: host.id, stateVersion: host.stateVersion }, host);
    return { ...named, accepted: true, message: "", exit: "ok" };
  } catch (error) {
    const problem = toCommandError(error);
    // An unreachable server or Ctrl-C concerns all hosts, not one.
    if (problem === null || problem.exit === "unreachable" || problem.exit === "interrupted") throw error;
    return { ...named, accepted: false, message: problem.message, exit: problem.exit };
  }
}

interface Able {
  readonly host: HostDetail;
  readonly action: HostAction;
}

/** Only hosts on which the act is possible are confirmed. The others are still sent, so that the server refuses them in its own words. */
const ableOf = (hosts: readonly HostDetail[], intent: HostAction["intent"]): readonly Able[] =>
  hosts.flatMap((host) => {
    const action = actionOf(host, intent);
    return action?.allowed === true ? [{ host, action }] : [];
  });

/** Above this, the number of hosts is shown instead of their names. */
const maxNamed = 5;

const namesOf = (able: readonly Able[]): string =>
  able.length > maxNamed ? formatCounted(able.length, "host") : able.map(({ host }) => host.name).join(", ");

/** Confirms anything dangerous, and any selection by filter. */
async function askFirst(shell: Shell, { hosts, filter }: Targets, act: HostAct): Promise<void> {
  const able = ableOf(hosts, act.intent);
  const asked = filter === null ? able.filter(({ action }) => action.danger || act.asks === true) : able;
  const [first] = asked;
  if (first === undefined) return;
  const consequences = [
    ...new Set(asked.map(({ action }) => action.consequence)),
    ...(act.consequences ?? []),
  ];
  const found =
    filter === null
      ? []
      : [
          `${filter} finds ${formatCounted(hosts.length, "host")}; ${able.length === hosts.length ? "all" : able.length} can do this.`,
        ];
  await confirm(shell, [...found, ...consequences], `${first.action.words}: ${namesOf(asked)}?`);
}

const dryColumns: readonly Column<{ host: string; hostId: string; possible: boolean; message: string }>[] = [
  { name: "host", value: (row) => row.host, whole: true },
  {
    name: "result",
    value: (row) => (row.possible ? "possible" : "not possible"),
    tone: (row) => (row.possible ? "good" : "failed"),
    whole: true,
  },
  { name: "message", value: (row) => row.message, long: true },
  { name: "id", value: (row) => row.hostId, extra: true },
];

/** Reports a dry run; its exit code is the one the act would have had. */
function printWhoCan(shell: Shell, hosts: readonly HostDetail[], { intent }: HostAct): void {
  const rows = hosts.map((host) => {
    const action = actionOf(host, intent);
    return {
      host: host.name,
      hostId: host.id,
      possible: action?.allowed === true,
      message: action === null ? "your role may not" : (action.reason ?? ""),
    };
  });
  shell.printer.list(rows, dryColumns, "No hosts.");
  const cannot = rows.filter(({ possible }) => !possible).length;
  const mayAny = hosts.some((host) => actionOf(host, intent) !== null);
  if (cannot > 0)
    throw new CommandError(
      mayAny ? "notNow" : "forbidden",
      `${cannot} of ${formatCounted(rows.length, "host")} cannot. Dry run: nothing was done.`,
    );
  shell.printer.say(`${formatCounted(rows.length, "host")} can. Dry run: nothing was done.`);
}

/** The error for a single host; several hosts get a table instead. */
function refusalOf({ exit, host, message }: Result): CommandError {
  const advice =
    exit === "notNow"
      ? possibleNow(host)
      : exit === "forbidden"
        ? "`reclaim whoami` shows whose token it is, and the role."
        : null;
  return new CommandError(exit, `${host}: ${message}`, advice);
}

interface Performed {
  readonly results: readonly Result[];
  /** The error that ended the act before the last host, and what that means for the rest; null if it ran to the end. */
  readonly end: { readonly error: unknown; readonly left: string } | null;
}

async function performOnEach(hosts: readonly HostDetail[], act: HostAct): Promise<Performed> {
  const results: Result[] = [];
  for (const host of hosts) {
    try {
      results.push(await performOn(host, act));
    } catch (error) {
      if (results.length === 0) throw error;
      const after = hosts.length - results.length - 1;
      const left = `${host.name} has no result: check it before you retry.${after === 0 ? "" : ` ${formatCounted(after, "host")} after it ${after === 1 ? "was" : "were"} not requested.`}`;
      return { results, end: { error, left } };
    }
  }
  return { results, end: null };
}

/** A refusal does not stop the others; the first one determines the exit code. */
export async function actOnHosts(shell: Shell, targets: Targets, act: HostAct): Promise<void> {
  const { hosts } = targets;
  if (targets.dryRun) return printWhoCan(shell, hosts, act);
  await askFirst(shell, targets, act);
  const { results, end } = await performOnEach(hosts, act);
  const failed = results.find(({ accepted }) => !accepted);
  const [only] = results;
  if (failed !== undefined && results.length === 1) throw refusalOf(failed);
  if (shell.settings.output === "table" && shell.settings.columns === null && results.length === 1)
    shell.printer.say(`${only?.host ?? ""}: accepted`);
  else
    shell.printer.list(
      results.map(({ exit: _, ...row }) => row),
      columns,
      "No hosts.",
    );
  if (end !== null) throw brokenOff(end.error, end.left);
  if (act.wait != null) {
    const accepted = new Set(results.filter((result) => result.accepted).map(({ hostId }) => hostId));
    const waitedFor = hosts.filter(({ id }) => accepted.has(id));
    if (waitedFor.length > 0)
      await followHosts(shell, {
        hosts: waitedFor.map(({ id, name, stateVersion }) => ({ id, name, after: stateVersion })),
        ...act.wait,
      });
  }
  if (failed !== undefined)
    throw new CommandError(
      failed.exit,
      `${results.filter(({ accepted }) => !accepted).length} of ${results.length} hosts refused.`,
    );
}

/** `--wait` and `--timeout`, until the goal is reached. */
export const waitOptions = (goal: Goal) => ({
  wait: flag(`wait until the host is ${goal}; ends with 7 when it fails`),
  timeout: parsed("<time>", "with --wait: maximum time, such as 90m; ends with 8", readDuration),
});

export function waitFor(
  goal: Goal,
  { wait, timeout }: { readonly wait?: unknown; readonly timeout?: unknown },
): HostAct["wait"] {
  if (wait === true) return { goal, timeoutMs: typeof timeout === "number" ? timeout : null };
  if (timeout !== undefined) throw new CommandError("usage", "--timeout is for --wait.");
  return null;
}

const ofHost = { host: z.string(), hostId: z.string() };
/** The result of an act on hosts, or of its dry run. */
export const actResults = z.union([
  list(record({ ...ofHost, accepted: z.boolean(), message: z.string() })),
  list(record({ ...ofHost, possible: z.boolean(), message: z.string() })),
]);

interface OnHosts<O extends Values> {
  readonly intent: HostAction["intent"];
  /** The intent, where it depends on the options. */
  readonly intentOf?: (given: Given<O>) => HostAction["intent"];
  /** In place of the action's summary. */
  readonly title?: string;
  readonly uses: readonly OperationName[];
  readonly options?: O;
  readonly alias?: string;
  /** Has `--wait`. */
  readonly goal?: Goal;
  /** Throws for options that do not go together; `filter` is undefined if hosts are named. */
  readonly check?: (given: Given<O>, filter: string | undefined) => void;
  readonly perform: (shell: Shell, seen: HostSeen, given: Given<O>, host: HostDetail) => Promise<unknown>;
}

/** A command that acts on hosts, by name or by filter, with a dry run. Name and help come from the table of actions. */
export function onHosts<O extends Values = Record<never, Value<unknown>>>(
  path: string,
  { intent, intentOf, title, uses, options, alias, goal, check, perform }: OnHosts<O>,
): Row {
  const own: Values = { ...targetOptions, ...options, ...(goal === undefined ? {} : waitOptions(goal)) };
  return command<typeof targetArgs, Values>(path, {
    title: title ?? hostActions[intent].summary,
    uses,
    shape: actResults,
    args: targetArgs,
    options: own,
    ...(alias === undefined ? {} : { alias }),
    run: async (shell, { host: names, ...rest }) => {
      const filter = typeof rest.filter === "string" ? rest.filter : undefined;
      // The readers of the options have made them what O says.
      const given = rest as unknown as Given<O>;
      check?.(given, filter);
      const wait = goal === undefined ? null : waitFor(goal, rest);
      const targets = await readTargets(shell, names, {
        filter,
        dryRun: rest.dryRun === true ? true : undefined,
      });
      await actOnHosts(shell, targets, {
        intent: intentOf?.(given) ?? intent,
        perform: (seen, host) => perform(shell, seen, given, host),
        wait: wait ?? null,
      });
    },
  });
}

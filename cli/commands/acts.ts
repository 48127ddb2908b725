// What all acts on hosts have in common: find the hosts, say what will happen, ask, do it host by host, and say how each went.
import type { HostAction, HostDetail } from "@/server/surfaces/trpc/types";
import { toCommandError } from "@/cli/client";
import { CommandError } from "@/cli/exit-codes";
import type { Exit } from "@/cli/exit-codes";
import { findHost } from "@/cli/find";
import { followHosts } from "@/cli/live/follow";
import type { Goal } from "@/cli/live/follow";
import type { Column } from "@/cli/output/printer";
import { confirm } from "@/cli/shell";
import type { Shell } from "@/cli/shell";

/** The state that was looked at goes along, so that a host that has moved on since is not acted on. */
export interface HostSeen {
  readonly hostId: string;
  readonly stateVersion: string;
}

export interface HostAct {
  readonly intent: HostAction["intent"];
  readonly perform: (seen: HostSeen) => Promise<unknown>;
  /** Said besides the consequence that the server knows. */
  readonly consequences?: readonly string[];
  /** Ask, even where the server sees no danger. */
  readonly asks?: boolean;
  /** Goes on when the act is accepted: until every host is there. */
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
  { name: "host", value: (row) => row.host },
  {
    name: "result",
    value: (row) => (row.accepted ? "accepted" : "refused"),
    tone: (row) => (row.accepted ? "good" : "failed"),
  },
  { name: "message", value: (row) => row.message },
  { name: "id", value: (row) => row.hostId, extra: true },
];

const actionOf = (host: HostDetail, intent: HostAction["intent"]): HostAction | null =>
  [...host.actions, ...host.cleaningActions].find((action) => action.intent === intent) ?? null;

/** The host as it is, each once. */
export async function readDetails(
  { client }: Pick<Shell, "client">,
  names: readonly string[],
): Promise<readonly HostDetail[]> {
  const hosts: HostDetail[] = [];
  for (const name of names) {
    const { id } = await findHost(client, name);
    if (!hosts.some((host) => host.id === id)) hosts.push(await client.host.get.query({ host: id }));
  }
  return hosts;
}

async function performOn(host: HostDetail, act: HostAct): Promise<Result> {
  const named = { host: host.name, hostId: host.id };
  try {
    await act.perform({ hostId: host.id, stateVersion: host.stateVersion });
    return { ...named, accepted: true, message: "", exit: "ok" };
  } catch (error) {
    const problem = toCommandError(error);
    // The server that is gone, or a Ctrl-C, is of no one host.
    if (problem === null || problem.exit === "unreachable" || problem.exit === "interrupted") throw error;
    return { ...named, accepted: false, message: problem.message, exit: problem.exit };
  }
}

/** One that refuses holds up no other; the first that did gives the exit code. */
export async function actOnHosts(shell: Shell, hosts: readonly HostDetail[], act: HostAct): Promise<void> {
  // Whom the server will refuse need not be asked about; it is left to refuse, in its words.
  const able = hosts.flatMap((host) => {
    const action = actionOf(host, act.intent);
    return action?.allowed === true ? [{ host, action }] : [];
  });
  const dangerous = able.filter(({ action }) => action.danger || act.asks === true);
  const [first] = dangerous;
  if (first !== undefined) {
    const consequences = [
      ...new Set(dangerous.map((one) => one.action.consequence)),
      ...(act.consequences ?? []),
    ];
    await confirm(
      shell,
      consequences,
      `${first.action.words}: ${dangerous.map(({ host }) => host.name).join(", ")}?`,
    );
  }
  const results: Result[] = [];
  for (const host of hosts) results.push(await performOn(host, act));
  const failed = results.find(({ accepted }) => !accepted);
  const [only] = results;
  if (failed !== undefined && results.length === 1)
    throw new CommandError(
      failed.exit,
      `${failed.host}: ${failed.message}`,
      failed.exit === "notNow"
        ? `\`reclaim hosts show ${failed.host}\` tells what is possible now.`
        : failed.exit === "forbidden"
          ? "`reclaim whoami` tells whose token it is, and the role."
          : null,
    );
  if (shell.settings.output === "table" && shell.settings.columns === null && results.length === 1)
    shell.printer.say(`${only?.host ?? ""}: accepted`);
  else
    shell.printer.list(
      results.map(({ exit: _, ...row }) => row),
      columns,
      "No hosts.",
    );
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

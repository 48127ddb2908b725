// The hosts of an act: named one by one, or all that a filter finds.
import type { Command } from "commander";
import type { HostDetail } from "@/server/surfaces/trpc/types";
import { CommandError } from "@/cli/exit-codes";
import { findHost, readHosts } from "@/cli/find";
import type { Shell } from "@/cli/shell";

export interface TargetOptions {
  readonly filter?: string;
  readonly dryRun?: boolean;
}

export interface Targets {
  readonly hosts: readonly HostDetail[];
  /** Null: they were named. */
  readonly filter: string | null;
  /** Says who can do it, and does nothing. */
  readonly dryRun: boolean;
}

/** Asked at once: the server limits how much one person asks. */
const atOnce = 4;

/** The results in the order of the items. */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += atOnce)
    results.push(...(await Promise.all(items.slice(start, start + atOnce).map(work))));
  return results;
}

/** For commands that act on hosts. */
export function addTargets(command: Command): Command {
  return command
    .argument("[host...]", "names, ids, or the start of either")
    .option("--filter <filter>", "or all hosts that match, as in `reclaim hosts list`; asks first")
    .option("--dry-run", "dry run: show which hosts qualify");
}

/** Named hosts as they are, each once. */
export async function readNamed(
  { client }: Pick<Shell, "client">,
  names: readonly string[],
): Promise<Targets> {
  const found = await inParallel(names, (name) => findHost(client, name));
  const ids = [...new Set(found.map(({ id }) => id))];
  const hosts = await inParallel(ids, (id) => client.host.get.query({ host: id }));
  return { hosts, filter: null, dryRun: false };
}

/** No host has a colon in its name: it is a filter that was meant. Nothing is asked of the server, for a name may be a part of the filter as well. */
function refuseFilters(names: readonly string[]): void {
  const filter = names.find((name) => name.includes(":"));
  if (filter === undefined) return;
  throw new CommandError(
    "usage",
    `${filter} is a filter, not a host name.`,
    `Actions take a filter as an option: --filter '${names.join(" ")}'. They show how many hosts match, and ask first.`,
  );
}

/** The hosts that a command line names. A filter that finds none is an error: nothing would be done. */
export async function readTargets(
  shell: Pick<Shell, "client">,
  names: readonly string[],
  { filter, dryRun = false }: TargetOptions,
): Promise<Targets> {
  if ((names.length === 0) === (filter === undefined))
    throw new CommandError("usage", "Name either hosts or --filter.");
  if (filter === undefined) {
    refuseFilters(names);
    return { ...(await readNamed(shell, names)), dryRun };
  }
  if (filter.trim() === "")
    throw new CommandError(
      "usage",
      "An empty filter would match every host.",
      "Give a filter, such as site:a.",
    );
  const { rows } = await readHosts(shell.client, { filter, sort: "name", descending: false, limit: null });
  if (rows.length === 0) throw new CommandError("notFound", `No host matches ${filter}.`);
  const hosts = await inParallel(rows, ({ hostId }) => shell.client.host.get.query({ host: hostId }));
  return { hosts, filter, dryRun };
}

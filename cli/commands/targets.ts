// The hosts of an act: named individually, or selected by a filter.
import type { HostDetail } from "@/server/surfaces/trpc/types";
import { arg, flag, opt } from "@/cli/define/values";
import type { Given } from "@/cli/define/values";
import { CommandError } from "@/cli/exit-codes";
import { findHost, readHosts } from "@/cli/find";
import type { Shell } from "@/cli/shell";

export interface Targets {
  readonly hosts: readonly HostDetail[];
  /** Null if the hosts were named. */
  readonly filter: string | null;
  /** Only reports which hosts can. */
  readonly dryRun: boolean;
}

/** Concurrent requests: the server rate-limits each user. */
const atOnce = 4;

/** Results are in the order of the items. */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += atOnce)
    results.push(...(await Promise.all(items.slice(start, start + atOnce).map(work))));
  return results;
}

/** The argument and options that select hosts. */
export const targetArgs = { host: arg("[host...]", "names, ids, or the start of either") };
export const targetOptions = {
  filter: opt("<filter>", "or all hosts that match, as in `reclaim hosts list`; asks first"),
  dryRun: flag("show which hosts qualify, and change nothing"),
};

/** The named hosts, without duplicates. */
export async function readNamed(
  { client }: Pick<Shell, "client">,
  names: readonly string[],
): Promise<Targets> {
  const found = await inParallel(names, (name) => findHost(client, name));
  const ids = [...new Set(found.map(({ id }) => id))];
  const hosts = await inParallel(ids, (id) => client.host.get.query({ host: id }));
  return { hosts, filter: null, dryRun: false };
}

/** Host names contain no colon, so a name with one was meant as a filter. Checked before any request, because a name could also match part of a filter. */
function refuseFilters(names: readonly string[]): void {
  const filter = names.find((name) => name.includes(":"));
  if (filter === undefined) return;
  throw new CommandError(
    "usage",
    `${filter} is a filter, not a host name.`,
    `Actions take a filter as an option: --filter '${names.join(" ")}'. They show how many hosts match, and ask first.`,
  );
}

/** The hosts that a command line selects. A filter without matches is an error, because nothing would be done. */
export async function readTargets(
  shell: Pick<Shell, "client">,
  names: readonly string[],
  { filter, dryRun }: Partial<Given<typeof targetOptions>>,
): Promise<Targets> {
  if ((names.length === 0) === (filter === undefined))
    throw new CommandError("usage", "Name either hosts or --filter.");
  if (filter === undefined) {
    refuseFilters(names);
    return { ...(await readNamed(shell, names)), dryRun: dryRun === true };
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
  return { hosts, filter, dryRun: dryRun === true };
}

// Resolves typed text to one thing, by name, id or a prefix; never guesses between two.
import { CommandError } from "@/cli/exit-codes";
import type { Client } from "@/cli/client";
import { didYouMean, noStoredValues } from "@/server/domain/hosts/completion/filter-completion";
import type { HostMatch, HostRow, InstanceMatch, RunbookLine } from "@/server/surfaces/trpc/types";

/** The only match. Throws CommandError if there is none, and if there are several, naming them. */
function theOne<Match extends { readonly id: string; readonly name: string }>(
  kind: string,
  text: string,
  matches: readonly Match[],
): Match {
  const [found, ...others] = matches;
  if (found === undefined)
    throw new CommandError(
      "notFound",
      `There is no ${kind} ${text}.`,
      text.includes(":") && (kind === "host" || kind === "instance")
        ? "If that is a host filter: pass it to `reclaim hosts list` as it is, to other commands as --filter."
        : null,
    );
  if (others.length === 0) return found;
  const shown = matches
    .slice(0, 5)
    .map(({ id, name }) =>
      matches.filter((other) => other.name === name).length > 1 ? `${name} (${id})` : name,
    );
  throw new CommandError(
    "usage",
    `${text} may mean ${shown.join(", ")}${matches.length > shown.length ? " and others" : ""}.`,
    "Give more of the name, or the id.",
  );
}

export const findHost = async (client: Client, text: string): Promise<HostMatch> =>
  theOne("host", text, await client.hosts.find.query({ text }));

export const findInstance = async (client: Client, text: string): Promise<InstanceMatch> =>
  theOne("instance", text, await client.instances.find.query({ text }));

/** A shorter prefix could be a mistyped name; the server has the same rule for hosts and instances. */
const shortestId = 8;

/** Exact matches first, then prefixes. */
export function pick<Match extends { readonly id: string; readonly name: string }>(
  kind: string,
  text: string,
  all: readonly Match[],
): Match {
  const exact = all.filter(({ id, name }) => id === text || name === text);
  return theOne(
    kind,
    text,
    exact.length > 0
      ? exact
      : all.filter(
          ({ id, name }) => name.startsWith(text) || (text.length >= shortestId && id.startsWith(text)),
        ),
  );
}

export const findRunbook = async (client: Client, text: string): Promise<RunbookLine> =>
  pick("runbook", text, await client.cleaning.runbooks.query());

/** Finds a user by email, which is unique, or by name. */
export async function findUser(
  client: Client,
  text: string,
): Promise<{ readonly id: string; readonly name: string }> {
  const people = (await client.people.list.query()).map(({ personId, name, email }) => ({
    id: personId,
    name,
    email,
  }));
  const byEmail = people.find(({ email }) => email === text.toLowerCase());
  return byEmail ?? pick("user", text, people);
}

export interface ScopeAsked {
  readonly site?: string | undefined;
  readonly sku?: string | undefined;
  readonly host?: string | undefined;
}

export interface Scope {
  readonly scope: "site" | "sku" | "host";
  readonly id: string;
  readonly name: string;
}

/** The single scope that the options name. */
export async function findScope(client: Client, { site, sku, host }: ScopeAsked): Promise<Scope> {
  const given = [site, sku, host].filter((value) => value !== undefined);
  if (given.length !== 1) throw new CommandError("usage", "Name one of --site, --sku and --host.");
  if (host !== undefined) return { scope: "host", ...(await findHost(client, host)) };
  const scopes = await client.cleaning.scopes.query();
  if (site !== undefined) return { scope: "site", ...pick("site", site, scopes.sites) };
  return { scope: "sku", ...pick("SKU", sku ?? "", scopes.skus) };
}

/** The named site; without a name, the only one. */
export async function findSite(
  client: Client,
  text: string | undefined,
): Promise<{ readonly id: string; readonly name: string }> {
  if (text !== undefined) return findScope(client, { site: text });
  const { sites } = await client.cleaning.scopes.query();
  const [only, ...others] = sites;
  if (only === undefined) throw new CommandError("notFound", "There are no sites.");
  if (others.length > 0)
    throw new CommandError(
      "usage",
      "There are several sites.",
      `Name one with --site: ${sites.map(({ name }) => name).join(", ")}.`,
    );
  return only;
}

const maxPerPage = 200;

export interface HostQuery {
  readonly filter: string;
  readonly sort: "since" | "name" | "lastReady";
  readonly descending: boolean;
  /** Null: all. */
  readonly limit: number | null;
}

/** Reads page by page. An invalid filter is an error, with its position. */
export async function readHosts(
  client: Client,
  { limit, ...query }: HostQuery,
): Promise<{ readonly rows: readonly HostRow[]; readonly total: number }> {
  const rows: HostRow[] = [];
  let total = 0;
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof client.hosts.list.query>> = await client.hosts.list.query({
      ...query,
      cursor,
      limit: limit === null ? maxPerPage : Math.min(maxPerPage, limit - rows.length),
    });
    if (page.problem !== null) {
      const meant = didYouMean(query.filter, noStoredValues);
      throw new CommandError(
        "usage",
        `The filter is not valid: ${page.problem.message}\n  ${query.filter}\n  ${" ".repeat(page.problem.position)}^`,
        meant === null ? null : `Did you mean ${meant}?`,
      );
    }
    rows.push(...page.rows);
    total = page.total ?? total;
    cursor = page.nextCursor;
  } while (cursor !== null && (limit === null || rows.length < limit));
  return { rows, total };
}

/** Parses `interface.step`. */
export function parseStepName(text: string): { readonly interface: string; readonly step: string } {
  const match = /^([a-z]+)\.([\w-]+)$/.exec(text);
  if (match === null)
    throw new CommandError(
      "usage",
      `${text} is not a clean step.`,
      "Write it as interface.step, such as deploy.erase_nvme; `reclaim steps <host>` lists them.",
    );
  return { interface: match[1] ?? "", step: match[2] ?? "" };
}

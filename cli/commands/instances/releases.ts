// Finds the instances of `reclaim release` by name, host or host filter, confirms them together, and releases them.
import type { InstanceRow } from "@/server/surfaces/trpc/types";
import { CommandError } from "@/cli/exit-codes";
import { findHost, findInstance, readHosts } from "@/cli/find";
import { brokenOff } from "@/cli/commands/broken-off";
import { inParallel } from "@/cli/commands/targets";
import { followHosts } from "@/cli/live/follow";
import type { Goal } from "@/cli/live/follow";
import type { Column } from "@/cli/output/printer";
import { formatCounted } from "@/server/domain/numbers";
import { confirm } from "@/cli/shell";
import type { Shell } from "@/cli/shell";

export interface Release {
  readonly instance: InstanceRow;
  /** Null for tenants, who do not see hosts. */
  readonly host: { readonly id: string; readonly name: string; readonly stateVersion: string } | null;
}

export interface Releases {
  readonly releases: readonly Release[];
  /** What the filter matched; null if the instances were named. */
  readonly filtered: { readonly filter: string; readonly hosts: number } | null;
  /** The command may select several, so the output is a list, whatever their number. */
  readonly isList: boolean;
}

interface Asked {
  readonly host: string | undefined;
  readonly filter: string | undefined;
}

async function releaseOf({ client }: Shell, id: string): Promise<Release> {
  const instance = await client.instances.get.query({ id });
  const { host } = instance;
  if (host === null) return { instance, host: null };
  const { stateVersion } = await client.host.get.query({ host: host.id });
  return { instance, host: { ...host, stateVersion } };
}

async function onHost(shell: Shell, text: string): Promise<Releases> {
  const { id, name } = await findHost(shell.client, text);
  const { instance } = await shell.client.host.get.query({ host: id });
  if (instance === null)
    throw new CommandError("notNow", `No tenant holds ${name}, so there is nothing to release.`);
  return { releases: [await releaseOf(shell, instance.id)], filtered: null, isList: false };
}

async function onHosts(shell: Shell, filter: string): Promise<Releases> {
  if (filter.trim() === "")
    throw new CommandError(
      "usage",
      "An empty filter would match every host.",
      "Give a filter, such as site:a.",
    );
  const { rows } = await readHosts(shell.client, { filter, sort: "name", descending: false, limit: null });
  if (rows.length === 0) throw new CommandError("notFound", `No host matches ${filter}.`);
  const hosts = await inParallel(rows, ({ hostId }) => shell.client.host.get.query({ host: hostId }));
  const ids = hosts.flatMap(({ instance }) => (instance === null ? [] : [instance.id]));
  if (ids.length === 0)
    throw new CommandError(
      "notNow",
      `${filter} finds ${formatCounted(rows.length, "host")}; no tenant holds any of them, so there is nothing to release.`,
    );
  const releases = await inParallel(ids, (id) => releaseOf(shell, id));
  return { releases, filtered: { filter, hosts: rows.length }, isList: true };
}

/** Resolves a command line: instance names, a host, or a filter. */
export async function findReleases(
  shell: Shell,
  texts: readonly string[],
  { host, filter }: Asked,
): Promise<Releases> {
  if ([texts.length > 0, host !== undefined, filter !== undefined].filter(Boolean).length !== 1)
    throw new CommandError("usage", "Name either instances, --host or --filter.");
  if (host !== undefined) return onHost(shell, host);
  if (filter !== undefined) return onHosts(shell, filter);
  const found = await inParallel(texts, (text) => findInstance(shell.client, text));
  const ids = [...new Set(found.map(({ id }) => id))];
  return {
    releases: await inParallel(ids, (id) => releaseOf(shell, id)),
    filtered: null,
    isList: texts.length > 1,
  };
}

/** Above this, the number of instances is shown instead of their names. */
const maxNamed = 5;

const namesOf = (releases: readonly Release[]): string =>
  releases.length > maxNamed
    ? formatCounted(releases.length, "instance")
    : releases.map(({ instance }) => instance.name).join(", ");

const tenants = new Intl.ListFormat("en");

function consequenceOf(releases: readonly Release[]): string {
  const [only, ...others] = releases;
  if (only !== undefined && others.length === 0) {
    const { instance, host } = only;
    return `${instance.name}${host === null ? "" : ` on ${host.name}`} is taken from ${instance.tenantName}: its host is shut off from the tenant's network, and everything on its drives is erased. This cannot be undone.`;
  }
  const from = tenants.format(new Set(releases.map(({ instance }) => instance.tenantName)));
  return `${formatCounted(releases.length, "instance")} are taken from ${from}: their hosts are shut off from the tenant's network, and everything on their drives is erased. This cannot be undone.`;
}

const sentence = (reason: string): string => `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;

/** The only releases that may be sent: those that were confirmed, and those accepted earlier, which are idempotent. */
export interface Confirmed {
  readonly confirmed: ReadonlySet<Release>;
}

/** Confirms the instances that can be released. Those that the server would refuse are neither confirmed nor sent, since by then it might accept them. */
export async function askBefore(shell: Shell, { releases, filtered }: Releases): Promise<Confirmed> {
  const able = releases.filter(({ instance }) => instance.release.allowed);
  const again = releases.filter(
    ({ instance }) => instance.releaseRequestedAt !== null && instance.endedAt === null,
  );
  if (able.length < releases.length) {
    const { mayReleaseInstances } = await shell.client.session.me.query();
    const reason = releases.find(({ instance }) => !instance.release.allowed)?.instance.release.reason;
    if (!mayReleaseInstances) throw new CommandError("forbidden", sentence(reason ?? "not allowed"));
  }
  const confirmed = new Set([...able, ...again]);
  if (able.length === 0) return { confirmed };
  const found =
    filtered === null
      ? []
      : [
          `${filtered.filter} finds ${formatCounted(filtered.hosts, "host")} and ${formatCounted(releases.length, "instance")} on them; ${able.length === releases.length ? "all" : able.length} can be released.`,
        ];
  await confirm(shell, [...found, consequenceOf(able)], `Release ${namesOf(able)}?`);
  return { confirmed };
}

interface Tried {
  readonly instance: string;
  readonly id: string;
  readonly possible: boolean;
  readonly message: string;
}

const triedColumns: readonly Column<Tried>[] = [
  { name: "instance", value: (row) => row.instance, whole: true },
  {
    name: "result",
    value: (row) => (row.possible ? "possible" : "not possible"),
    tone: (row) => (row.possible ? "good" : "failed"),
    whole: true,
  },
  { name: "message", value: (row) => row.message, long: true },
  { name: "id", value: (row) => row.id, extra: true },
];

/** Reports a dry run; its exit code is the one the release would have had. */
export async function printWhichCan({ client, printer }: Shell, { releases }: Releases): Promise<void> {
  const rows = releases.map(({ instance: { id, name, release } }) => ({
    instance: name,
    id,
    possible: release.allowed,
    message: release.reason ?? "",
  }));
  printer.list(rows, triedColumns, "No instances.");
  const cannot = rows.filter(({ possible }) => !possible).length;
  const { mayReleaseInstances } = await client.session.me.query();
  if (cannot > 0)
    throw new CommandError(
      mayReleaseInstances ? "notNow" : "forbidden",
      `${cannot} of ${formatCounted(rows.length, "instance")} cannot. Dry run: nothing was done.`,
    );
  printer.say(`${formatCounted(rows.length, "instance")} can. Dry run: nothing was done.`);
}

interface Result {
  readonly instance: string;
  readonly id: string;
  readonly accepted: boolean;
  readonly message: string;
}

const resultColumns: readonly Column<Result>[] = [
  { name: "instance", value: (row) => row.instance, whole: true },
  {
    name: "result",
    value: (row) => (row.accepted ? "accepted" : "refused"),
    tone: (row) => (row.accepted ? "good" : "failed"),
    whole: true,
  },
  { name: "message", value: (row) => row.message, long: true },
  { name: "id", value: (row) => row.id, extra: true },
];

/** The server's maximum per request. */
const maxAtOnce = 200;

/** The answered results, and the error that ended the requests early; null if all were sent. */
interface Answers {
  readonly answers: readonly Result[];
  readonly end: { readonly error: unknown } | null;
}

async function releasePlainly({ client }: Shell, releases: readonly Release[]): Promise<Answers> {
  const results: Result[] = [];
  for (let start = 0; start < releases.length; start += maxAtOnce) {
    const part = releases.slice(start, start + maxAtOnce);
    let answers;
    try {
      answers = await client.instances.release.mutate({ ids: part.map(({ instance }) => instance.id) });
    } catch (error) {
      if (results.length === 0) throw error;
      return { answers: results, end: { error } };
    }
    const byId = new Map(answers.map((answer) => [answer.id, answer]));
    results.push(
      ...part.map(({ instance: { id, name } }) => {
        const answer = byId.get(id);
        const message = answer?.message ?? "The server returned no result.";
        return { instance: name, id, accepted: answer?.ok === true, message };
      }),
    );
  }
  return { answers: results, end: null };
}

/** Results have no error codes. If the role may release and the instance exists, the refusal is due to its state. */
async function refusalOf({ client }: Shell, { id, message }: Result): Promise<CommandError> {
  const { release } = await client.instances.get.query({ id });
  return new CommandError("notNow", message, release.reason === null ? null : `Reason: ${release.reason}.`);
}

/** A release that was not sent, with the reason read before. */
const notSent = ({ instance: { id, name, release } }: Release): Result => ({
  instance: name,
  id,
  accepted: false,
  message: sentence(release.reason ?? "it cannot be released"),
});

const sendEach = async (
  releases: readonly Release[],
  send: (release: Release) => Promise<string>,
): Promise<Answers> => ({
  answers: await inParallel(releases, async (release) => ({
    instance: release.instance.name,
    id: release.instance.id,
    accepted: true,
    message: await send(release),
  })),
  end: null,
});

/** @param how.send replaces the plain request, for a single instance */
export async function releaseAll(
  shell: Shell,
  { releases, isList, confirmed }: Releases & Confirmed,
  how: {
    readonly wait: { readonly goal: Goal; readonly timeoutMs: number | null } | null;
    readonly send: ((release: Release) => Promise<string>) | null;
  },
): Promise<void> {
  const { send, wait } = how;
  const sent = releases.filter((release) => confirmed.has(release));
  const { answers, end } = send === null ? await releasePlainly(shell, sent) : await sendEach(sent, send);
  const byId = new Map(answers.map((answer) => [answer.id, answer]));
  const open = sent.filter(({ instance }) => !byId.has(instance.id));
  const results = releases
    .filter((release) => !open.includes(release))
    .map((release) => byId.get(release.instance.id) ?? notSent(release));
  const [only] = results;
  const failed = results.filter(({ accepted }) => !accepted);
  if (!isList && only !== undefined) {
    if (!only.accepted)
      throw answers.length === 0 ? new CommandError("notNow", only.message) : await refusalOf(shell, only);
    if (shell.settings.output === "table") shell.printer.say(`${only.instance}: ${only.message}`);
    else shell.printer.show(only, []);
  } else shell.printer.list(results, resultColumns, "No instances.");
  if (end !== null)
    throw brokenOff(
      end.error,
      `${formatCounted(open.length, "instance")} of ${releases.length} have no result, but may have been released. It is safe to retry.`,
    );
  const accepted = new Set(results.flatMap((result) => (result.accepted ? [result.id] : [])));
  const followed = releases.flatMap(({ instance, host }) =>
    host !== null && accepted.has(instance.id) ? [host] : [],
  );
  if (wait !== null && followed.length > 0)
    await followHosts(shell, {
      hosts: followed.map(({ id, name, stateVersion }) => ({ id, name, after: stateVersion })),
      ...wait,
    });
  if (failed.length > 0)
    throw new CommandError(
      "notNow",
      `${failed.length} of ${formatCounted(results.length, "instance")} refused.`,
    );
}

// `reclaim policy limits`, and its options, which `reclaim policy preview` shares so that both mean the same.
import { InvalidArgumentError, type Command } from "commander";
import { contract } from "@/server/contract/contract";
import type { Policy } from "@/server/domain/cleaning/policy/policy";
import { CommandError } from "@/cli/exit-codes";
import { findSite } from "@/cli/find";
import { readCount, readPriority } from "@/cli/options";
import { openShell } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";

/** `none`: no limit. It is not null at this point, because commander takes null for a missing value. */
type Limit = number | "none";

const readLimit = (text: string): Limit => (text === "none" ? text : readCount(text));
const readLimitFrom0 = (text: string): Limit => (text === "none" ? text : readPriority(text));

export interface LimitOptions {
  readonly atWork?: Limit;
  readonly bootsPerMinute?: Limit;
  readonly perPowerDomain?: Limit;
  readonly tenantReleasesPerHour?: Limit;
  readonly segment?: Places;
  readonly powerDomain?: Places;
}

/** Null: back to the common limit. */
type Places = ReadonlyMap<string, number | null>;

/** `name=10` or `name=none`; repeatable. */
function readPlace(text: string, before: Places = new Map()): Places {
  const [, name, limit] = /^(.+)=([^=]+)$/.exec(text) ?? [];
  if (name === undefined || limit === undefined)
    throw new InvalidArgumentError("It is name=number, or name=none.");
  return new Map([...before, [name, limit === "none" ? null : readCount(limit)]]);
}

/** The current limits with the given changes. */
function changedPlaces(
  now: Readonly<Record<string, number>>,
  given: Places = new Map(),
): Readonly<Record<string, number>> {
  const merged = new Map<string, number | null>([...Object.entries(now), ...given]);
  return Object.fromEntries([...merged].flatMap(([name, limit]) => (limit === null ? [] : [[name, limit]])));
}

/** Adds the options for all limits to a command. */
export const withLimits = (command: Command): Command =>
  command
    .option("--at-work <number|none>", "hosts in progress at a time", readLimit)
    .option("--boots-per-minute <number|none>", "boots per minute and network segment", readLimit)
    .option("--per-power-domain <number|none>", "hosts in progress per power domain", readLimit)
    .option(
      "--tenant-releases-per-hour <number|none>",
      "releases of one tenant beyond its quota before further ones wait",
      readLimitFrom0,
    )
    .option("--segment <name=number|none>", "boots per minute of one segment; repeatable", readPlace)
    .option(
      "--power-domain <name=number|none>",
      "hosts in progress of one power domain; repeatable",
      readPlace,
    );

const toNumber = (limit: Limit | undefined, now: number | null): number | null =>
  limit === undefined ? now : limit === "none" ? null : limit;

const limitNames = [
  "atWork",
  "bootsPerMinute",
  "perPowerDomain",
  "tenantReleasesPerHour",
  "segment",
  "powerDomain",
] as const satisfies readonly (keyof LimitOptions)[];

/** Whether any limit option is given. Pure. */
export const namesLimit = (asked: LimitOptions): boolean =>
  limitNames.some((name) => asked[name] !== undefined);

/** A site's limits with the given changes. Pure. */
export const limitsWith = (now: Policy["admission"], asked: LimitOptions): Policy["admission"] => ({
  ...now,
  atWork: toNumber(asked.atWork, now.atWork),
  bootsPerMinute: toNumber(asked.bootsPerMinute, now.bootsPerMinute),
  perPowerDomain: toNumber(asked.perPowerDomain, now.perPowerDomain),
  tenantReleasesPerHour: toNumber(asked.tenantReleasesPerHour, now.tenantReleasesPerHour),
  segments: changedPlaces(now.segments, asked.segment),
  powerDomains: changedPlaces(now.powerDomains, asked.powerDomain),
});

/** @param policy the command `reclaim policy` */
export function addLimits(policy: Command, surroundings: Surroundings): void {
  withLimits(
    policy
      .command("limits")
      .description(`${contract.queue.setLimits.title}; options not given stay unchanged`)
      .option("--site <site>", "which one, if there are several"),
  ).action(async (asked: LimitOptions & { readonly site?: string }, command: Command) => {
    if (!namesLimit(asked))
      throw new CommandError("usage", "Name a limit to set.", "`reclaim policy show` lists them.");
    const { client, printer } = await openShell(command, surroundings);
    const site = await findSite(client, asked.site);
    const { policy: now, version } = await client.cleaning.sitePolicy.query({ siteId: site.id });
    const limits = limitsWith(now.admission, asked);
    const saved = await client.queue.setLimits.mutate({ siteId: site.id, limits, policyVersion: version });
    printer.say(`Site ${site.name}: policy version ${saved.policyVersion}.`);
  });
}

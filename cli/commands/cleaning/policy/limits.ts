// `reclaim policy limits`, and its options, which `reclaim policy preview` shares so that both mean the same.
import { InvalidArgumentError } from "commander";
import { contract } from "@/server/contract/contract";
import type { Policy } from "@/server/domain/cleaning/policy/policy";
import { command } from "@/cli/define/command";
import { parsed, siteOr } from "@/cli/define/values";
import type { Given } from "@/cli/define/values";
import { CommandError } from "@/cli/exit-codes";
import { readCount, readPriority } from "@/cli/options";

/** `none`: no limit. It is not null at this point, because commander takes null for a missing value. */
type Limit = number | "none";

const readLimit = (text: string): Limit => (text === "none" ? text : readCount(text));
const readLimitFrom0 = (text: string): Limit => (text === "none" ? text : readPriority(text));

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

/** The options for all limits. */
export const limitOptions = {
  atWork: parsed("<number|none>", "hosts in progress at a time", readLimit),
  bootsPerMinute: parsed("<number|none>", "boots per minute and network segment", readLimit),
  perPowerDomain: parsed("<number|none>", "hosts in progress per power domain", readLimit),
  tenantReleasesPerHour: parsed(
    "<number|none>",
    "releases of one tenant beyond its quota before further ones wait",
    readLimitFrom0,
  ),
  segment: parsed("<name=number|none>", "boots per minute of one segment; repeatable", readPlace),
  powerDomain: parsed("<name=number|none>", "hosts in progress of one power domain; repeatable", readPlace),
};
type LimitOptions = Given<typeof limitOptions>;

const toNumber = (limit: Limit | undefined, now: number | null): number | null =>
  limit === undefined ? now : limit === "none" ? null : limit;

/** Whether any limit option is given. Pure. */
export const namesLimit = (asked: LimitOptions): boolean =>
  [
    asked.atWork,
    asked.bootsPerMinute,
    asked.perPowerDomain,
    asked.tenantReleasesPerHour,
    asked.segment,
    asked.powerDomain,
  ].some((limit) => limit !== undefined);

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

export const limits = command("policy limits", {
  title: `${contract.queue.setLimits.title}; options not given stay unchanged`,
  uses: ["queue.setLimits"],
  options: { ...limitOptions, site: siteOr() },
  run: async ({ client, printer }, { site, ...asked }) => {
    if (!namesLimit(asked))
      throw new CommandError("usage", "Name a limit to set.", "`reclaim policy show` lists them.");
    const { policy: now, version } = await client.cleaning.sitePolicy.query({ siteId: site.id });
    const changed = limitsWith(now.admission, asked);
    const saved = await client.queue.setLimits.mutate({
      siteId: site.id,
      limits: changed,
      policyVersion: version,
    });
    printer.say(`Site ${site.name}: policy version ${saved.policyVersion}.`);
  },
});

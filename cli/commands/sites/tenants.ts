// `reclaim tenants`: who holds instances, and what each tenant may do at a site (docs/sites.md#tenants).
import type { TenantLine } from "@/server/surfaces/trpc/types";
import { act, list } from "@/cli/define/command";
import { arg, flag, needed, opt, parsed, reason } from "@/cli/define/values";
import { CommandError } from "@/cli/exit-codes";
import { readPriority } from "@/cli/options";
import type { Column } from "@/cli/output/printer";

const sitesWith = (row: TenantLine, grant: "networkAllocation" | "targetedInstanceCreation") =>
  row.sites.filter((at) => at[grant]).map(({ site }) => site);

const columns: readonly Column<TenantLine>[] = [
  { name: "org", value: (row) => row.org, whole: true },
  { name: "name", value: (row) => row.name },
  { name: "state", value: (row) => (row.disabledAt === null ? "active" : "disabled"), whole: true },
  { name: "people", value: (row) => row.people },
  { name: "instances", value: (row) => row.instances },
  {
    name: "quota",
    value: (row) => row.instanceQuota,
    text: (row) => (row.instanceQuota === null ? "no limit" : String(row.instanceQuota)),
  },
  { name: "allocated at", value: (row) => sitesWith(row, "networkAllocation").join(", ") },
  { name: "repairs at", value: (row) => sitesWith(row, "targetedInstanceCreation").join(", ") },
  { name: "created", value: (row) => row.createdAt, extra: true },
  { name: "id", value: (row) => row.tenantId, whole: true, extra: true },
];

const name = opt("<name>", "the tenant's name");
/** Undefined: not given; null, written as none: no limit. commander would take null for a missing value. */
const quota = parsed("<number>", "most instances that it may hold; none: no limit", (text) => ({
  most: text === "none" ? null : readPriority(text),
}));
const org = arg("<org>");

/** Granting and revoking differ only in a word and in the confirmation. */
const grant = (word: "give" | "take", given: boolean, title: string) =>
  act(`tenants ${word}`, {
    of: "tenants.setGrants",
    title,
    args: { org, site: arg("<site>", "the site's name") },
    options: {
      allocation: flag("its network allocation: it may hold hosts of the site"),
      repair: flag("targetedInstanceCreation: it may claim an exact host and repair it"),
      reason,
    },
    input: ({ allocation, repair, ...rest }) => {
      if (allocation === undefined && repair === undefined)
        throw new CommandError(
          "usage",
          `There is nothing to ${word}.`,
          "Give --allocation, --repair or both.",
        );
      return {
        ...rest,
        networkAllocation: allocation && given,
        targetedInstanceCreation: repair && given,
      };
    },
    asks: ({ org: tenant, site }) =>
      given
        ? null
        : [
            ["The tenant gets no new hosts there. It keeps its instances and can release them."],
            `Take it from ${tenant} at site ${site}?`,
          ],
    said: ({ org: tenant }, { changed }) => (changed ? `The tenant ${tenant} is changed.` : "Already set."),
  });

export const tenants = [
  list("tenants list", { of: "tenants.list", columns, none: "No tenants." }),
  act("tenants create", {
    of: "tenants.create",
    args: { org: arg("<org>", "used in addresses; cannot be changed later") },
    options: { name: needed(name), quota },
    input: ({ quota: limit, ...given }) => ({ ...given, instanceQuota: limit?.most ?? null }),
    said: ({ org: made }) =>
      `The tenant ${made} is created. Give it a network allocation: reclaim tenants give ${made}`,
    examples: ["tenants create nova --name 'Nova Labs' --quota 40"],
  }),
  act("tenants change", {
    of: "tenants.change",
    args: { org },
    options: { name, quota },
    input: ({ quota: limit, ...given }) => ({ ...given, instanceQuota: limit?.most }),
    said: ({ org: tenant }) => `The tenant ${tenant} is changed.`,
  }),
  grant("give", true, "gives a tenant its network allocation at a site, or the right to repair hosts there"),
  grant(
    "take",
    false,
    "takes back a tenant's network allocation at a site, or its right to repair hosts there; it keeps its instances and can release them",
  ),
  act("tenants disable", {
    of: "tenants.disable",
    args: { org },
    options: { reason },
    asks: ({ org: tenant }) => [
      [
        "Its users cannot sign in, its tokens are refused, it gets no new hosts, and its webhook events are queued. Its instances stay until an operator releases them.",
      ],
      `Disable the tenant ${tenant}?`,
    ],
    said: ({ org: tenant }) => `The tenant ${tenant} is disabled.`,
  }),
  act("tenants enable", {
    of: "tenants.enable",
    args: { org },
    options: { reason },
    said: ({ org: tenant }) => `The tenant ${tenant} is enabled.`,
  }),
];

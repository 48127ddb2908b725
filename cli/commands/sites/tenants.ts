// `reclaim tenants`: who holds instances, and what each tenant may do at a site (docs/sites.md#tenants).
import type { Command } from "commander";
import { contract } from "@/server/contract/contract";
import type { TenantLine } from "@/server/surfaces/trpc/types";
import { CommandError } from "@/cli/exit-codes";
import { readPriority } from "@/cli/options";
import type { Column } from "@/cli/output/printer";
import { confirm, openShell } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";

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

/** Returns "none" instead of null, because commander takes null as an option without a value. */
function readQuota(text: string): number | "none" {
  return text === "none" ? text : readPriority(text);
}

const quotaOf = (quota: number | "none"): number | null => (quota === "none" ? null : quota);

interface Limits {
  readonly name?: string;
  readonly quota?: number | "none";
}

function addListAndCreate(tenants: Command, surroundings: Surroundings): void {
  tenants
    .command("list")
    .alias("ls")
    .description(contract.tenants.list.title)
    .action(async (_options: object, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      printer.list(await client.tenants.list.query(), columns, "There is no tenant.");
    });
  tenants
    .command("create")
    .description(contract.tenants.create.title)
    .argument("<org>", "used in addresses; cannot be changed later")
    .requiredOption("--name <name>", "of the tenant")
    .option("--quota <number>", "how many instances it may hold; none: no limit", readQuota)
    .action(async (org: string, { name = "", quota }: Limits, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      await client.tenants.create.mutate({ org, name, instanceQuota: quotaOf(quota ?? "none") });
      printer.say(`The tenant ${org} is created. Give it a network allocation: reclaim tenants give ${org}`);
    });
  tenants
    .command("change")
    .description(contract.tenants.change.title)
    .argument("<org>")
    .option("--name <name>", "of the tenant")
    .option("--quota <number>", "how many instances it may hold; none: no limit", readQuota)
    .action(async (org: string, { name, quota }: Limits, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      await client.tenants.change.mutate({
        org,
        ...(name === undefined ? {} : { name }),
        ...(quota === undefined ? {} : { instanceQuota: quotaOf(quota) }),
      });
      printer.say(`The tenant ${org} is changed.`);
    });
}

interface Grants {
  readonly allocation?: true;
  readonly repair?: true;
  readonly reason: string;
}

/** Granting and revoking differ only in a word and in the confirmation. */
const grantActs = [
  {
    word: "give",
    given: true,
    description: "gives a tenant its network allocation at a site, or the right to repair hosts there",
    consequence: null,
  },
  {
    word: "take",
    given: false,
    description: "removes them; the tenant keeps its instances and can release them",
    consequence: "The tenant gets no new hosts there. It keeps its instances and can release them.",
  },
] as const;

function addGrants(tenants: Command, surroundings: Surroundings): void {
  for (const { word, given, description, consequence } of grantActs)
    tenants
      .command(word)
      .description(description)
      .argument("<org>")
      .argument("<site>", "name of the site")
      .option("--allocation", "its network allocation: it may hold hosts of the site")
      .option("--repair", "targetedInstanceCreation: it may claim an exact host and repair it")
      .requiredOption("--reason <text>", "why; kept in the audit log")
      .action(async (org: string, site: string, { allocation, repair, reason }: Grants, command: Command) => {
        const shell = await openShell(command, surroundings);
        if (allocation === undefined && repair === undefined)
          throw new CommandError(
            "usage",
            `There is nothing to ${word}.`,
            "Give --allocation, --repair or both.",
          );
        if (consequence !== null) await confirm(shell, [consequence], `Take it from ${org} at site ${site}?`);
        const { changed } = await shell.client.tenants.setGrants.mutate({
          org,
          site,
          reason,
          ...(allocation === undefined ? {} : { networkAllocation: given }),
          ...(repair === undefined ? {} : { targetedInstanceCreation: given }),
        });
        shell.printer.say(changed ? `The tenant ${org} is changed.` : "Already set.");
      });
}

const switches = [
  {
    word: "disable",
    consequence:
      "Its users cannot sign in, its tokens are refused, it gets no new hosts, and its webhook events are queued. Its instances stay until an operator releases them.",
  },
  { word: "enable", consequence: null },
] as const;

function addSwitches(tenants: Command, surroundings: Surroundings): void {
  for (const { word, consequence } of switches)
    tenants
      .command(word)
      .description(contract.tenants[word].title)
      .argument("<org>")
      .requiredOption("--reason <text>", "why; kept in the audit log")
      .action(async (org: string, { reason }: { readonly reason: string }, command: Command) => {
        const shell = await openShell(command, surroundings);
        if (consequence !== null) await confirm(shell, [consequence], `Disable the tenant ${org}?`);
        await shell.client.tenants[word].mutate({ org, reason });
        shell.printer.say(`The tenant ${org} is ${word}d.`);
      });
}

export function addTenants(program: Command, surroundings: Surroundings): void {
  const tenants = program
    .command("tenants")
    .description("who holds instances: list, create, change, give, take, disable, enable");
  addListAndCreate(tenants, surroundings);
  addGrants(tenants, surroundings);
  addSwitches(tenants, surroundings);
}

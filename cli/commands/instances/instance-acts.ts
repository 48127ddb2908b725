// `reclaim instances available`, `create`, `rename`, `label`: creating an instance, and its tenant's own labels for it.
import { InvalidArgumentError } from "commander";
import type { Command } from "commander";
import { contract } from "@/server/contract/contract";
import type { InstanceOffer } from "@/server/surfaces/trpc/types";
import type { Client } from "@/cli/client";
import { CommandError } from "@/cli/exit-codes";
import { waitForInstance } from "@/cli/commands/instances/wait-for-instance";
import { relabelled } from "@/cli/commands/hosts/labels";
import { findInstance } from "@/cli/find";
import type { Column } from "@/cli/output/printer";
import { readDuration } from "@/cli/options";
import { openShell } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";

type Kind = InstanceOffer["kinds"][number];

const columns: readonly Column<Kind>[] = [
  { name: "site", value: (row) => row.site, whole: true },
  { name: "sku", value: (row) => row.sku, whole: true },
  { name: "free", value: (row) => row.free },
  { name: "siteId", value: (row) => row.siteId, extra: true },
  { name: "skuId", value: (row) => row.skuId, extra: true },
];

const instanceText = "name, id, or the start of either";

/** `rack=a1`; repeatable. */
function readLabel(text: string, before: Readonly<Record<string, string>> | undefined) {
  const at = text.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("It takes name=value.");
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}

/** @param instances the command `reclaim instances` */
export function addInstanceActs(instances: Command, surroundings: Surroundings): void {
  addAvailable(instances, surroundings);
  addCreate(instances, surroundings);
  addRename(instances, surroundings);
  addLabel(instances, surroundings);
}

function addAvailable(instances: Command, surroundings: Surroundings): void {
  instances
    .command("available")
    .description(contract.instances.offer.title)
    .action(async (_options: object, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const offer = await client.instances.offer.query();
      printer.list(offer.kinds, columns, "No site has hosts with a SKU.");
      printer.say(
        `${offer.held} instances held, ${offer.quota === null ? "no quota" : `quota ${offer.quota}`}.${offer.stopped === null ? "" : ` ${offer.stopped}`}`,
      );
    });
}

interface CreateOptions {
  readonly sku?: string;
  readonly site?: string;
  readonly host?: string;
  readonly repair?: true;
  readonly description?: string;
  readonly vpc?: string;
  readonly label?: Readonly<Record<string, string>>;
  readonly wait?: true;
  readonly timeout?: number;
}

function addCreate(instances: Command, surroundings: Surroundings): void {
  instances
    .command("create")
    .description(contract.instances.create.title)
    .argument("<name>", "of the new instance")
    .option("--sku <sku>", "any free host of this SKU, by name; `reclaim instances available` lists them")
    .option("--site <site>", "at this site, by name")
    .option("--host <host>", "this host, by name or id; needs the capability targetedInstanceCreation")
    .option(
      "--repair",
      "with --host: also one that waits for its repair; its label repair_status becomes InProgress",
    )
    .option("--description <text>", "what it is for")
    .option("--vpc <id>", "attach it to this network of the tenant; otherwise to its default network")
    .option("--label <name=value>", "repeatable", readLabel)
    .option("--wait", "wait until the instance is ready; exits with 7 if it is released first")
    .option("--timeout <time>", "with --wait: maximum time, such as 30m; ends with 8", readDuration)
    .action(async (name: string, options: CreateOptions, command: Command) => {
      if (options.timeout !== undefined && options.wait !== true)
        throw new CommandError("usage", "--timeout is for --wait.");
      if (options.repair === true && options.host === undefined)
        throw new CommandError("usage", "--repair is for --host.");
      const shell = await openShell(command, surroundings);
      const { client, printer, settings } = shell;
      const wanted =
        options.host === undefined
          ? wantedOf(await client.instances.offer.query(), options)
          : await exact(client, options.host, options);
      const made = await client.instances.create.mutate({
        name,
        wanted,
        ...(options.description === undefined ? {} : { description: options.description }),
        ...(options.vpc === undefined ? {} : { network: { vpcId: options.vpc } }),
        ...(options.label === undefined ? {} : { labels: options.label }),
      });
      const row =
        options.wait === true ? await waitForInstance(shell, made.id, options.timeout ?? null) : null;
      if (settings.output === "table")
        printer.say(
          row !== null
            ? `${name}: ready, id ${made.id}.`
            : `${name}: created, id ${made.id}. \`reclaim instances show ${name}\` shows when it is ready.`,
        );
      else printer.show({ instance: name, ...made }, []);
    });
}

const hostIds = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Users who may list hosts can name one; whether it is available, the claim will tell. */
async function exact(client: Client, host: string, { sku, site, repair }: CreateOptions) {
  if (sku !== undefined || site !== undefined)
    throw new CommandError("usage", "Name either --host, or --sku and --site.");
  const hostId = hostIds.test(host) ? host : (await client.host.labels.query({ host })).id;
  return { hostId, allowUnhealthy: repair === true };
}

/** Names of SKUs and sites must match exactly: another kind of host may have another price. */
function wantedOf({ kinds }: InstanceOffer, { sku, site }: CreateOptions) {
  if (sku === undefined && site === undefined)
    throw new CommandError(
      "usage",
      "Name a SKU with --sku, a site with --site, or a host with --host.",
      "`reclaim instances available` lists SKUs and sites.",
    );
  const found = kinds.find(
    (kind) => (sku === undefined || kind.sku === sku) && (site === undefined || kind.site === site),
  );
  if (found === undefined)
    throw new CommandError(
      "notFound",
      `There is no ${sku === undefined ? `site ${site ?? ""}` : `SKU ${sku}`}${sku === undefined || site === undefined ? "" : ` at site ${site}`}.`,
      "`reclaim instances available` lists SKUs and sites.",
    );
  if (site === undefined) return { skuId: found.skuId };
  return sku === undefined ? { siteId: found.siteId } : { siteId: found.siteId, skuId: found.skuId };
}

function addRename(instances: Command, surroundings: Surroundings): void {
  instances
    .command("rename")
    .description("gives an instance another name")
    .argument("<instance>", instanceText)
    .argument("<name>", "its new name")
    .action(async (text: string, name: string, _options: object, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const found = await findInstance(client, text);
      const { changed } = await client.instances.update.mutate({ instanceId: found.id, name });
      printer.say(changed ? `${found.name}: renamed to ${name}` : `${found.name}: already set`);
    });
}

function addLabel(instances: Command, surroundings: Surroundings): void {
  instances
    .command("label")
    .description("sets labels of an instance, and removes those that are given as name-")
    .argument("<instance>", instanceText)
    .argument("<label...>", "name=value to set, name- to remove")
    .action(async (text: string, labels: readonly string[], _options: object, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const found = await findInstance(client, text);
      const { labels: before } = await client.instances.get.query({ id: found.id });
      const { changed } = await client.instances.update.mutate({
        instanceId: found.id,
        labels: relabelled(before, labels),
      });
      printer.say(`${found.name}: ${changed ? "labels changed" : "already set"}`);
    });
}

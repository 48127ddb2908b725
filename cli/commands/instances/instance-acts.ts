// `reclaim instances available`, `create`, `rename`, `label`: creating an instance, and its tenant's own labels for it.
import { formatCounted } from "@/server/domain/numbers";
import { InvalidArgumentError } from "commander";
import { z } from "zod";
import { contract } from "@/server/contract/contract";
import { record } from "@/server/contract/define";
import type { InstanceOffer } from "@/server/surfaces/trpc/types";
import type { Client } from "@/cli/client";
import { waitForInstance } from "@/cli/commands/instances/wait-for-instance";
import { relabelled } from "@/cli/commands/hosts/labels";
import { act, command, list } from "@/cli/define/command";
import { arg, flag, instance, opt, parsed } from "@/cli/define/values";
import { CommandError } from "@/cli/exit-codes";
import type { Column } from "@/cli/output/printer";
import { readDuration } from "@/cli/options";

type Kind = InstanceOffer["kinds"][number];

const columns: readonly Column<Kind>[] = [
  { name: "site", value: (row) => row.site, whole: true },
  { name: "sku", value: (row) => row.sku, whole: true },
  { name: "free", value: (row) => row.free },
  { name: "siteId", value: (row) => row.siteId, extra: true },
  { name: "skuId", value: (row) => row.skuId, extra: true },
];

/** `rack=a1`; repeatable. */
function readLabel(text: string, before: Readonly<Record<string, string>> | undefined) {
  const at = text.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("It takes name=value.");
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}

interface Kinds {
  readonly sku: string | undefined;
  readonly site: string | undefined;
}

const hostIds = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Users who may list hosts can name one; whether it is available, the claim will tell. */
async function exact(client: Client, host: string, { sku, site }: Kinds, repair: boolean) {
  if (sku !== undefined || site !== undefined)
    throw new CommandError("usage", "Name either --host, or --sku and --site.");
  const hostId = hostIds.test(host) ? host : (await client.host.labels.query({ host })).id;
  return { hostId, allowUnhealthy: repair };
}

/** Names of SKUs and sites must match exactly: another kind of host may have another price. */
function targetOf({ kinds }: InstanceOffer, { sku, site }: Kinds) {
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

export const instanceActs = [
  list("instances available", {
    of: "instances.offer",
    rows: "kinds",
    columns,
    none: "No site has hosts with a SKU.",
    then: ({ first: { held, quota, stopped } }) => [
      `${formatCounted(held, "instance")} held, ${quota === null ? "no quota" : `quota ${quota}`}.${stopped === null ? "" : ` ${stopped}`}`,
    ],
  }),
  command("instances create", {
    title: contract.instances.create.title,
    uses: ["instances.create"],
    shape: record({ instance: z.string(), ...contract.instances.create.output.unwrap().shape }),
    args: { name: arg("<name>", "name of the new instance") },
    options: {
      sku: opt("<sku>", "any free host of this SKU, by name; `reclaim instances available` lists them"),
      site: opt("<site>", "name of the site"),
      host: opt("<host>", "this host, by name or id; needs the capability targetedInstanceCreation"),
      repair: flag(
        "with --host: also one that waits for its repair; its label repair_status becomes InProgress",
      ),
      description: opt("<text>", "what it is for"),
      vpc: opt("<id>", "network of the tenant to attach it to; default: the tenant's default network"),
      label: parsed("<name=value>", "repeatable", readLabel),
      wait: flag("wait until the instance is ready; exits with 7 if it is released first"),
      timeout: parsed("<time>", "with --wait: maximum time, such as 30m; ends with 8", readDuration),
    },
    examples: ["instances create train-1 --sku gpu-h100 --site dfw --wait --timeout 30m"],
    run: async (shell, { name, host, repair, description, vpc, label, wait, timeout, ...kinds }) => {
      if (timeout !== undefined && wait !== true) throw new CommandError("usage", "--timeout is for --wait.");
      if (repair === true && host === undefined) throw new CommandError("usage", "--repair is for --host.");
      const { client, printer, settings } = shell;
      const target =
        host === undefined
          ? targetOf(await client.instances.offer.query(), kinds)
          : await exact(client, host, kinds, repair === true);
      const made = await client.instances.create.mutate({
        name,
        wanted: target,
        ...(description === undefined ? {} : { description }),
        ...(vpc === undefined ? {} : { network: { vpcId: vpc } }),
        ...(label === undefined ? {} : { labels: label }),
      });
      const row = wait === true ? await waitForInstance(shell, made.id, timeout ?? null) : null;
      if (settings.output !== "table") return printer.show({ instance: name, ...made }, []);
      printer.say(
        row !== null
          ? `${name}: ready, id ${made.id}.`
          : `${name}: created, id ${made.id}. \`reclaim instances show ${name}\` shows when it is ready.`,
      );
    },
  }),
  act("instances rename", {
    of: "instances.update",
    title: "gives an instance another name",
    args: { instance, name: arg("<name>", "its new name") },
    input: ({ instance: { id }, name }) => ({ instanceId: id, name }),
    said: ({ instance: { name: before }, name }, { changed }) =>
      changed ? `${before}: renamed to ${name}` : `${before}: already set`,
  }),
  act("instances label", {
    of: "instances.update",
    title: "sets labels of an instance, and removes those that are given as name-",
    args: { instance, label: arg("<label...>", "name=value to set, name- to remove") },
    input: async ({ instance: { id }, label }, { client }) => ({
      instanceId: id,
      labels: relabelled((await client.instances.get.query({ id })).labels, label),
    }),
    said: ({ instance: { name } }, { changed }) => `${name}: ${changed ? "labels changed" : "already set"}`,
  }),
];

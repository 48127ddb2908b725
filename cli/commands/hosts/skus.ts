// `reclaim skus`: what hosts are made of: list, groups, show, create, change, capture-baseline, delete.
import { InvalidArgumentError } from "commander";
import { stringify } from "yaml";
import type { z } from "zod";
import { contract } from "@/server/contract/contract";
import { biosUnknown } from "@/server/domain/hosts/inventory/baseline";
import { chooseBios } from "@/server/domain/hosts/inventory/bios";
import { bmcPartNames } from "@/server/domain/hosts/inventory/bmc-settings";
import type { BmcPart } from "@/server/domain/hosts/inventory/bmc-settings";
import { unreadableText } from "@/server/domain/hosts/inventory/sku";
import { skuEntry } from "@/server/domain/sites/document";
import type { SkuClusterLine, SkuRow } from "@/server/surfaces/trpc/types";
import type { Client } from "@/cli/client";
import { act, command, list } from "@/cli/define/command";
import { arg, flag, hostOption, needed, opt, parsed } from "@/cli/define/values";
import type { Given } from "@/cli/define/values";
import { readDocument } from "@/cli/documents";
import { CommandError } from "@/cli/exit-codes";
import { readNames } from "@/cli/options";
import type { Column } from "@/cli/output/printer";
import type { Shell } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";
import { formatCounted } from "@/server/domain/numbers";

const drives = ({ components: { storage } }: Pick<SkuRow, "components">): number =>
  storage.reduce((sum, { count }) => sum + count, 0);

const columns: readonly Column<SkuRow>[] = [
  { name: "name", value: (row) => row.name, whole: true },
  { name: "hosts", value: (row) => row.hosts },
  { name: "ready", value: (row) => row.ready },
  { name: "product", value: ({ components: c }) => `${c.manufacturer} ${c.product}` },
  { name: "cpus", value: ({ components: { cpus } }) => `${cpus.count} × ${cpus.model}` },
  { name: "drives", value: drives },
  { name: "baseline", value: ({ components }) => components.baseline !== undefined },
  { name: "priorities", value: (row) => row.priorities, extra: true },
  { name: "created", value: (row) => row.createdAt, extra: true },
];

const groupColumns: readonly Column<SkuClusterLine>[] = [
  { name: "proposed name", value: (row) => row.name },
  { name: "hosts", value: (row) => row.count },
  { name: "first hosts", value: (row) => row.hosts.map(({ name }) => name) },
  { name: "product", value: ({ components: c }) => `${c.manufacturer} ${c.product}` },
  { name: "drives", value: drives },
];

const entryOfFile = skuEntry.partial({ name: true });

/** A SKU file: components, priorities, and optionally a new name. */
const readEntry = (file: string, surroundings: Surroundings): Promise<z.infer<typeof entryOfFile>> =>
  readDocument("SKU", entryOfFile, file, surroundings);

/** `accounts,keys`; repeatable. */
function readBmcParts(text: string, before: readonly BmcPart[] = []): readonly BmcPart[] {
  const parts = readNames(text, undefined).map((name) => {
    const part = bmcPartNames.find((known) => known === name);
    if (part === undefined) throw new InvalidArgumentError(`It takes ${bmcPartNames.join(", ")}.`);
    return part;
  });
  return [...new Set([...before, ...parts])];
}

/** What a baseline takes from a host besides firmware and lockdown. */
const choices = {
  bios: opt("<names>", "BIOS attributes of that host for the baseline, such as LogicalProc,Proc*"),
  bmc: parsed(
    "<parts>",
    `parts of the BMC of that host for the baseline: ${bmcPartNames.join(",")}`,
    readBmcParts,
  ),
};
type Choices = Given<typeof choices>;

/** A host's BIOS attributes selected by names and patterns, and parts of its BMC, with their current values. */
async function chooseOf(
  client: Client,
  host: { readonly id: string; readonly name: string },
  { bios: asked, bmc: parts = [] }: Choices,
) {
  const proposed = await client.skus.propose.query({ hostId: host.id });
  const { bios, biosRevision, left } = proposed;
  const bmc = { bmc: [...parts], bmcRevision: proposed.bmcRevision ?? undefined };
  if (asked === undefined) return { bios: [], ...bmc, left };
  if (bios === null) throw new CommandError("notNow", `${host.name}: ${biosUnknown}.`);
  const patterns = asked.split(",").map((pattern) => pattern.trim());
  const chosen = chooseBios(Object.keys(bios), patterns);
  if (!chosen.ok) throw new CommandError("usage", `${host.name} has no BIOS attribute ${chosen.unmatched}.`);
  return { bios: [...chosen.names], biosRevision: biosRevision ?? undefined, ...bmc, left };
}

const implying = "; implies --baseline";
const reason = opt("<text>", "why, for example the ticket; kept in the audit log");
const file = {
  ...opt("<file>", "its components and priorities as YAML or JSON, or - for stdin"),
  short: "f",
};
const createOptions = {
  from: hostOption("the host it is created from"),
  baseline: flag("with the firmware versions and lockdown of that host"),
  bios: { ...choices.bios, text: `${choices.bios.text}${implying}` },
  bmc: { ...choices.bmc, text: `${choices.bmc.text}${implying}` },
  file,
  reason,
};

async function create(
  { client, printer, surroundings }: Shell,
  name: string,
  asked: Given<typeof createOptions>,
) {
  const { from: host, file: path, reason: why = "reclaim skus create" } = asked;
  if ((host === undefined) === (path === undefined))
    throw new CommandError("usage", "Name either a host with --from or a file with -f.");
  if (host !== undefined) {
    const { left: _, ...chosen } = await chooseOf(client, host, asked);
    const made = await client.skus.createFromHost.mutate({
      hostId: host.id,
      name,
      baseline: asked.baseline === true || asked.bios !== undefined || asked.bmc !== undefined,
      ...chosen,
      reason: why,
    });
    return printer.say(`SKU ${made.name} created from ${host.name}. Waiting hosts are matched with it.`);
  }
  const { components, priorities } = await readEntry(path ?? "-", surroundings);
  const made = await client.skus.create.mutate({ name, components, priorities, reason: why });
  printer.say(`SKU ${made.name} created. Waiting hosts are matched with it.`);
}

const sku = arg("<sku>", "name of the SKU");
const shape = contract.skus.list.output.unwrap().shape;

export const skus = [
  command("skus list", {
    title: contract.skus.list.title,
    uses: ["skus.list"],
    shape: shape.skus,
    alias: "ls",
    run: async ({ client, printer }) => {
      const page = await client.skus.list.query();
      printer.list(page.skus, columns, "No SKUs.");
      for (const sku of page.unreadable) printer.say(unreadableText(sku));
      const without = page.clusters.reduce((sum, { count }) => sum + count, 0) + page.left.length;
      if (without + page.withoutInventory + page.notRead > 0)
        printer.say(
          `Without a SKU: ${formatCounted(without + page.withoutInventory + page.notRead, "host")}. \`reclaim skus groups\` lists those that are alike.`,
        );
    },
  }),
  list("skus groups", {
    of: "skus.list",
    title: "groups of similar hosts without a SKU, each with a proposed name",
    rows: "clusters",
    columns: groupColumns,
    none: "No host with an inventory is without a SKU.",
    then: ({ first: { left, withoutInventory, notRead } }) => [
      ...left.map(({ host, reason: why }) => `${host.name}: no SKU can be created: ${why}`),
      ...(withoutInventory > 0 ? [`${withoutInventory} more have no inventory by an agent yet.`] : []),
      ...(notRead > 0 ? [`${notRead} more were not read.`] : []),
    ],
  }),
  command("skus show", {
    title: "one SKU as YAML that `reclaim skus change -f` takes",
    uses: ["skus.get"],
    shape: contract.skus.get.output,
    args: { sku },
    run: async ({ client, printer, settings }, { sku: text }) => {
      const { unreadable } = await client.skus.list.query();
      const broken = unreadable.find(({ name }) => name === text);
      if (broken !== undefined) {
        printer.say(unreadableText(broken));
        const { name, stored, priorities } = broken;
        const components: unknown = JSON.parse(stored);
        return printer.text(stringify({ name, components, priorities }, { lineWidth: 0 }));
      }
      const detail = await client.skus.get.query({ sku: text });
      if (settings.output === "json") return printer.show(detail, []);
      const { name, components, priorities, hostCount, revision } = detail;
      printer.text(
        `# of ${formatCounted(hostCount, "host")}; revision ${revision}\n${stringify({ name, components, priorities }, { lineWidth: 0 })}`,
      );
    },
  }),
  command("skus create", {
    title: "creates a SKU, from the inventory of a host or manually",
    uses: ["skus.propose", "skus.createFromHost", "skus.create"],
    args: { name: arg("<name>", "name of the SKU") },
    options: createOptions,
    examples: ["skus create gpu-h100 --from gpu-a-0417 --baseline"],
    run: (shell, { name, ...asked }) => create(shell, name, asked),
  }),
  act("skus change", {
    of: "skus.change",
    args: { sku },
    options: {
      file: { ...needed(file), text: "the SKU as printed by `reclaim skus show`, or - for stdin" },
      reason,
    },
    input: async ({ sku: text, file: path, reason: why = "reclaim skus change" }, { surroundings }) => {
      const { name = text, ...entry } = await readEntry(path, surroundings);
      return { sku: text, name, ...entry, reason: why };
    },
    said: (_, { name }) => `SKU ${name} matches the file.`,
  }),
  command("skus capture-baseline", {
    title: contract.skus.captureBaseline.title,
    uses: ["skus.captureBaseline"],
    args: { sku },
    options: { from: needed(hostOption("the reference host")), ...choices, reason },
    run: async ({ client, printer }, { sku: text, from: host, reason: why, ...asked }) => {
      const { left, ...chosen } = await chooseOf(client, host, asked);
      await client.skus.captureBaseline.mutate({
        ...{ sku: text, hostId: host.id },
        ...chosen,
        reason: why ?? "reclaim skus capture-baseline",
      });
      printer.say(`SKU ${text} has the baseline of ${host.name}.`);
      for (const words of left) printer.say(`Not included: ${words}.`);
    },
  }),
  act("skus delete", {
    of: "skus.remove",
    args: { sku },
    options: { reason },
    input: ({ sku: text, reason: why = "reclaim skus delete" }) => ({ sku: text, reason: why }),
    asks: ({ sku: text }) => [[`The SKU ${text} and its priorities are deleted.`], "Delete it?"],
    said: ({ sku: text }) => `SKU ${text} deleted.`,
  }),
];

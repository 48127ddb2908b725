// `reclaim skus`: what hosts are made of: list, groups, show, create, change, capture-baseline, delete.
import { InvalidArgumentError, type Command } from "commander";
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
import { readDocument } from "@/cli/documents";
import { CommandError } from "@/cli/exit-codes";
import { findHost } from "@/cli/find";
import { readNames } from "@/cli/options";
import type { Column } from "@/cli/output/printer";
import { confirm, openShell } from "@/cli/shell";
import type { Shell } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";
import { counted } from "@/cli/output/text";

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

function addReads(skus: Command, surroundings: Surroundings): void {
  skus
    .command("list")
    .alias("ls")
    .description(contract.skus.list.title)
    .action(async (_options: object, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const page = await client.skus.list.query();
      printer.list(page.skus, columns, "No SKUs.");
      for (const sku of page.unreadable) printer.say(unreadableText(sku));
      const without = page.clusters.reduce((sum, { count }) => sum + count, 0) + page.left.length;
      if (without + page.withoutInventory + page.notRead > 0)
        printer.say(
          `Without a SKU: ${counted(without + page.withoutInventory + page.notRead, "host")}. \`reclaim skus groups\` lists those that are alike.`,
        );
    });
  skus
    .command("groups")
    .description("groups of similar hosts without a SKU, each with a proposed name")
    .action(async (_options: object, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const page = await client.skus.list.query();
      printer.list(page.clusters, groupColumns, "No host with an inventory is without a SKU.");
      for (const { host, reason } of page.left) printer.say(`${host.name}: no SKU can be created: ${reason}`);
      if (page.withoutInventory > 0)
        printer.say(`${page.withoutInventory} more have no inventory by an agent yet.`);
      if (page.notRead > 0) printer.say(`${page.notRead} more were not read.`);
    });
  skus
    .command("show")
    .description("one SKU as YAML that `reclaim skus change -f` takes")
    .argument("<sku>", "its name")
    .action(async (sku: string, _options: object, command: Command) => {
      const { client, printer, settings } = await openShell(command, surroundings);
      const { unreadable } = await client.skus.list.query();
      const broken = unreadable.find(({ name }) => name === sku);
      if (broken !== undefined) {
        printer.say(unreadableText(broken));
        const { name, stored, priorities } = broken;
        const components: unknown = JSON.parse(stored);
        return printer.text(stringify({ name, components, priorities }, { lineWidth: 0 }));
      }
      const detail = await client.skus.get.query({ sku });
      if (settings.output === "json") return printer.show(detail, []);
      const { name, components, priorities, hostCount, revision } = detail;
      printer.text(
        `# of ${counted(hostCount, "host")}; revision ${revision}\n${stringify({ name, components, priorities }, { lineWidth: 0 })}`,
      );
    });
}

const entryOfFile = skuEntry.partial({ name: true });

/** A SKU file: components, priorities, and optionally a new name. */
const readEntry = (file: string, surroundings: Surroundings): Promise<z.infer<typeof entryOfFile>> =>
  readDocument("SKU", entryOfFile, file, surroundings);

interface CreateAsked extends ChoiceAsked {
  readonly from?: string;
  readonly file?: string;
  readonly baseline?: true;
  readonly reason?: string;
}

/** What a baseline takes from a host besides firmware and lockdown. */
interface ChoiceAsked {
  readonly bios?: string;
  readonly bmc?: readonly BmcPart[];
}

/** A host's BIOS attributes selected by names and patterns, and parts of its BMC, with their current values. */
async function chooseOf(
  client: Client,
  host: { readonly id: string; readonly name: string },
  { bios: asked, bmc: parts = [] }: ChoiceAsked,
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

async function create({ client, printer, surroundings }: Shell, name: string, asked: CreateAsked) {
  const { from, file, reason = "reclaim skus create" } = asked;
  if ((from === undefined) === (file === undefined))
    throw new CommandError("usage", "Name either a host with --from or a file with -f.");
  if (from !== undefined) {
    const host = await findHost(client, from);
    const { left: _, ...chosen } = await chooseOf(client, host, asked);
    const made = await client.skus.createFromHost.mutate({
      hostId: host.id,
      name,
      baseline: asked.baseline === true || asked.bios !== undefined || asked.bmc !== undefined,
      ...chosen,
      reason,
    });
    return printer.say(`SKU ${made.name} created from ${host.name}. Waiting hosts are matched with it.`);
  }
  const { components, priorities } = await readEntry(file ?? "-", surroundings);
  const made = await client.skus.create.mutate({ name, components, priorities, reason });
  printer.say(`SKU ${made.name} created. Waiting hosts are matched with it.`);
}

const biosText = "BIOS attributes of that host for the baseline, such as LogicalProc,Proc*";
const bmcText = `parts of the BMC of that host for the baseline: ${bmcPartNames.join(",")}`;

/** `accounts,keys`; repeatable. */
function readBmcParts(text: string, before: readonly BmcPart[] = []): readonly BmcPart[] {
  const parts = readNames(text, undefined).map((name) => {
    const part = bmcPartNames.find((known) => known === name);
    if (part === undefined) throw new InvalidArgumentError(`It takes ${bmcPartNames.join(", ")}.`);
    return part;
  });
  return [...new Set([...before, ...parts])];
}

const reasonOption = ["--reason <words>", "kept in the audit log, such as the ticket"] as const;

function addWriting(skus: Command, surroundings: Surroundings): void {
  skus
    .command("create")
    .description("creates a SKU, from the inventory of a host or manually")
    .argument("<name>", "of the SKU")
    .option("--from <host>", "the host it is created from")
    .option("--baseline", "with the firmware versions and lockdown of that host")
    .option("--bios <names>", `${biosText}; implies --baseline`)
    .option("--bmc <parts>", `${bmcText}; implies --baseline`, readBmcParts)
    .option("-f, --file <file>", "its components and priorities as YAML or JSON, or - for stdin")
    .option(...reasonOption)
    .action(async (name: string, asked: CreateAsked, command: Command) =>
      create(await openShell(command, surroundings), name, asked),
    );
  skus
    .command("change")
    .description(contract.skus.change.title)
    .argument("<sku>", "its name")
    .requiredOption("-f, --file <file>", "all of it as `reclaim skus show` prints it, or - for stdin")
    .option(...reasonOption)
    .action(
      async (
        sku: string,
        { file, reason = "reclaim skus change" }: { file: string; reason?: string },
        command: Command,
      ) => {
        const { client, printer } = await openShell(command, surroundings);
        const { name = sku, ...entry } = await readEntry(file, surroundings);
        const changed = await client.skus.change.mutate({ sku, name, ...entry, reason });
        printer.say(`SKU ${changed.name} matches the file.`);
      },
    );
}

function addCaptureAndDelete(skus: Command, surroundings: Surroundings): void {
  skus
    .command("capture-baseline")
    .description(contract.skus.captureBaseline.title)
    .argument("<sku>", "its name")
    .requiredOption("--from <host>", "the reference host")
    .option("--bios <names>", biosText)
    .option("--bmc <parts>", bmcText, readBmcParts)
    .option(...reasonOption)
    .action(
      async (
        sku: string,
        {
          from,
          reason = "reclaim skus capture-baseline",
          ...asked
        }: ChoiceAsked & { from: string; reason?: string },
        command: Command,
      ) => {
        const { client, printer } = await openShell(command, surroundings);
        const host = await findHost(client, from);
        const { left, ...chosen } = await chooseOf(client, host, asked);
        await client.skus.captureBaseline.mutate({ sku, hostId: host.id, ...chosen, reason });
        printer.say(`SKU ${sku} has the baseline of ${host.name}.`);
        for (const words of left) printer.say(`Not included: ${words}.`);
      },
    );
  skus
    .command("delete")
    .description(contract.skus.remove.title)
    .argument("<sku>", "its name")
    .option(...reasonOption)
    .action(
      async (sku: string, { reason = "reclaim skus delete" }: { reason?: string }, command: Command) => {
        const shell = await openShell(command, surroundings);
        await confirm(shell, [`The SKU ${sku} and its priorities are deleted.`], "Delete it?");
        await shell.client.skus.remove.mutate({ sku, reason });
        shell.printer.say(`SKU ${sku} deleted.`);
      },
    );
}

export function addSkus(program: Command, surroundings: Surroundings): void {
  const skus = program
    .command("skus")
    .description("what hosts are made of: list, groups, show, create, change, capture-baseline, delete");
  addReads(skus, surroundings);
  addWriting(skus, surroundings);
  addCaptureAndDelete(skus, surroundings);
}

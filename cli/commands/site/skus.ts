// `reclaim skus`: what hosts are made of: list, groups, show, create, change, capture-baseline, delete.
import type { Command } from "commander";
import { parse, stringify } from "yaml";
import { z } from "zod";
import { contract } from "@/server/contract/contract";
import { skuEntry } from "@/server/domain/site/document";
import type { SkuClusterLine, SkuRow } from "@/server/surfaces/trpc/types";
import { readDocument } from "@/cli/commands/site/site";
import { CommandError } from "@/cli/exit-codes";
import { findHost } from "@/cli/find";
import type { Column } from "@/cli/output/printer";
import { confirm, openShell } from "@/cli/shell";
import type { Shell } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";

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
      printer.list(page.skus, columns, "There is no SKU.");
      const without = page.clusters.reduce((sum, { count }) => sum + count, 0) + page.left.length;
      if (without + page.withoutInventory + page.notRead > 0)
        printer.say(
          `${without + page.withoutInventory + page.notRead} hosts have no SKU. \`reclaim skus groups\` lists those that are alike.`,
        );
    });
  skus
    .command("groups")
    .description("like hosts without a SKU, each with a name for one")
    .action(async (_options: object, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const page = await client.skus.list.query();
      printer.list(page.clusters, groupColumns, "No host with an inventory is without a SKU.");
      for (const { host, reason } of page.left) printer.say(`${host.name}: no SKU can be made: ${reason}`);
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
      const detail = await client.skus.get.query({ sku });
      if (settings.output === "json") return printer.show(detail, []);
      const { name, components, priorities, hostCount, revision } = detail;
      printer.text(
        `# ${hostCount} hosts have it; revision ${revision}\n${stringify({ name, components, priorities }, { lineWidth: 0 })}`,
      );
    });
}

const entryOfFile = skuEntry.partial({ name: true });

/** What a file says of a SKU: components, priorities, and a name where it is to get one. */
async function readEntry(file: string, surroundings: Surroundings): Promise<z.infer<typeof entryOfFile>> {
  const text = await readDocument(file, surroundings);
  const parsed = entryOfFile.safeParse(parseYaml(text, file));
  if (parsed.success) return parsed.data;
  throw new CommandError("usage", `${file} is no SKU:`, z.prettifyError(parsed.error));
}

function parseYaml(text: string, file: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    throw new CommandError(
      "usage",
      `${file} is no YAML: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

interface CreateAsked {
  readonly from?: string;
  readonly file?: string;
  readonly baseline?: true;
  readonly reason?: string;
}

async function create({ client, printer, surroundings }: Shell, name: string, asked: CreateAsked) {
  const { from, file, reason = "reclaim skus create" } = asked;
  if ((from === undefined) === (file === undefined))
    throw new CommandError("usage", "Name either a host with --from or a file with -f.");
  if (from !== undefined) {
    const host = await findHost(client, from);
    const made = await client.skus.createFromHost.mutate({
      hostId: host.id,
      name,
      baseline: asked.baseline === true,
      reason,
    });
    return printer.say(`SKU ${made.name} was made from ${host.name}. Hosts that wait for a SKU are matched.`);
  }
  const { components, priorities } = await readEntry(file ?? "-", surroundings);
  const made = await client.skus.create.mutate({ name, components, priorities, reason });
  printer.say(`SKU ${made.name} was made. Hosts that wait for a SKU are matched.`);
}

const reasonOption = ["--reason <words>", "kept in the audit log, such as the ticket"] as const;

function addWriting(skus: Command, surroundings: Surroundings): void {
  skus
    .command("create")
    .description("makes a SKU, from the inventory of a host or by hand")
    .argument("<name>", "of the SKU")
    .option("--from <host>", "a host that it is made from")
    .option("--baseline", "with the firmware versions and lockdown of that host")
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
        printer.say(`SKU ${changed.name} is as the file says.`);
      },
    );
}

function addCaptureAndDelete(skus: Command, surroundings: Surroundings): void {
  skus
    .command("capture-baseline")
    .description(contract.skus.captureBaseline.title)
    .argument("<sku>", "its name")
    .requiredOption("--from <host>", "the reference host")
    .option(...reasonOption)
    .action(
      async (
        sku: string,
        { from, reason = "reclaim skus capture-baseline" }: { from: string; reason?: string },
        command: Command,
      ) => {
        const { client, printer } = await openShell(command, surroundings);
        const host = await findHost(client, from);
        const { left } = await client.skus.propose.query({ hostId: host.id });
        await client.skus.captureBaseline.mutate({ sku, hostId: host.id, reason });
        printer.say(`SKU ${sku} has the baseline of ${host.name}.`);
        for (const words of left) printer.say(`Not taken: ${words}.`);
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
        shell.printer.say(`SKU ${sku} was deleted.`);
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

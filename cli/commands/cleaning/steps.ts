// `reclaim steps`: the clean steps of a host, a site or a SKU, with the effective priority and where it comes from.
import type { Command } from "commander";
import { contract } from "@/server/contract/contract";
import type { CatalogueStep } from "@/server/surfaces/trpc/types";
import { CommandError } from "@/cli/exit-codes";
import { findHost, findScope } from "@/cli/find";
import type { ScopeAsked } from "@/cli/find";
import { readPriority } from "@/cli/options";
import { yesNo } from "@/cli/output/text";
import type { Column } from "@/cli/output/printer";
import { openShell } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";

const columns: readonly Column<CatalogueStep>[] = [
  { name: "step", value: (row) => row.name, whole: true },
  { name: "priority", value: (row) => row.priority },
  { name: "source", value: (row) => row.source },
  { name: "default", value: (row) => row.defaultPriority },
  { name: "where", value: (row) => row.where },
  { name: "abortable", value: (row) => row.abortable },
  { name: "erases", value: (row) => row.erases },
  {
    name: "applies",
    value: (row) => row.applies,
    text: (row) => (row.applies === null ? "unknown" : yesNo(row.applies)),
  },
  { name: "arguments", value: (row) => row.args.map((arg) => `${arg.name}${arg.required ? "" : "?"}`) },
  { name: "proves", value: (row) => row.proves, extra: true },
  { name: "summary", value: (row) => row.summary, extra: true },
];

export function addSteps(program: Command, surroundings: Surroundings): void {
  program
    .command("steps")
    .description(contract.cleaning.catalogue.title)
    .argument("[host]", "name, id, or the start of either")
    .option("--site <site>", "or for a site")
    .option("--sku <sku>", "or for a SKU")
    .option(
      "--min-priority <number>",
      "only from this priority; steps with 0 run manually only",
      readPriority,
      0,
    )
    .action(
      async (
        text: string | undefined,
        options: Omit<ScopeAsked, "host"> & { minPriority: number },
        command: Command,
      ) => {
        const { client, printer } = await openShell(command, surroundings);
        const scopes = options.site !== undefined || options.sku !== undefined;
        if ((text === undefined) !== scopes)
          throw new CommandError("usage", "Name either a host, or --site or --sku.");
        const catalogue = await client.cleaning.catalogue.query(await subjectOf());
        const rows = catalogue.steps
          .filter(({ priority }) => priority >= options.minPriority)
          .sort((a, b) => b.priority - a.priority);
        printer.list(rows, columns, "No steps.");
        for (const fault of catalogue.agent?.faults ?? []) printer.say(`Invalid step file: ${fault}`);
        if (catalogue.ties.length > 0) for (const tie of catalogue.ties) printer.say(`Tie: ${tie}`);

        async function subjectOf() {
          if (text !== undefined) return { kind: "host" as const, host: (await findHost(client, text)).id };
          const { scope, id } = await findScope(client, options);
          return scope === "sku"
            ? { kind: "sku" as const, skuId: id }
            : { kind: "site" as const, siteId: id };
        }
      },
    );
}

// `reclaim steps`: the clean steps of a host, a site or a SKU, with the effective priority and where it comes from.
import { contract } from "@/server/contract/contract";
import type { CatalogueStep } from "@/server/surfaces/trpc/types";
import { derived } from "@/cli/define/command";
import { arg, found, hostText, opt, parsed, usually } from "@/cli/define/values";
import { CommandError } from "@/cli/exit-codes";
import { findHost, findScope } from "@/cli/find";
import { readPriority } from "@/cli/options";
import { yesNo } from "@/cli/output/text";
import type { Column } from "@/cli/output/printer";

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

export const steps = [
  derived("steps", {
    of: "cleaning.catalogue",
    args: { host: found(arg("[host]", hostText), ({ client }, text) => findHost(client, text)) },
    options: {
      site: opt("<site>", "or for a site"),
      sku: opt("<sku>", "or for a SKU"),
      minPriority: usually(
        parsed("<number>", "only from this priority; steps with 0 run manually only", readPriority),
        0,
      ),
    },
    input: async ({ host, site, sku }, { client }) => {
      if ((host === undefined) !== (site !== undefined || sku !== undefined))
        throw new CommandError("usage", "Name either a host, or --site or --sku.");
      if (host !== undefined) return { kind: "host", host: host.id };
      const { scope, id } = await findScope(client, { site, sku });
      return scope === "sku" ? { kind: "sku", skuId: id } : { kind: "site", siteId: id };
    },
    rows: (catalogue, { minPriority }) =>
      catalogue.steps
        .filter(({ priority }) => priority >= minPriority)
        .sort((a, b) => b.priority - a.priority),
    shape: contract.cleaning.catalogue.output.unwrap().shape.steps,
    columns,
    none: "No steps.",
    then: ({ first }) => [
      ...(first.agent?.faults ?? []).map((fault) => `Invalid step file: ${fault}`),
      ...first.ties.map((tie) => `Tie: ${tie}`),
    ],
  }),
];

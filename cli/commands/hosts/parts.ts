// `reclaim parts`: GPUs, network cards and memory modules of a host, and changed ones that a person accepts (docs/parts.md).
import type { HostPartsView } from "@/server/surfaces/trpc/types";
import { canaryWords, clearedWords } from "@/server/domain/hosts/device-memory/device-memory";
import { partWords } from "@/server/domain/hosts/parts/part";
import { sizeText, skuPartWords } from "@/server/domain/hosts/parts/sku-parts";
import { contract } from "@/server/contract/contract";
import { command, show } from "@/cli/define/command";
import { host, needed, opt } from "@/cli/define/values";
import type { Column, Part, Printer } from "@/cli/output/printer";
import { confirm } from "@/cli/shell";

type Found = HostPartsView["sources"][number]["found"][number] & { readonly source: string };

const linkText = ({ link }: Found): string | null =>
  link?.width === undefined
    ? null
    : `x${link.width}${link.maxWidth === undefined ? "" : ` of x${link.maxWidth}`}${link.speed === undefined ? "" : `, ${link.speed} GT/s`}`;

const columns: readonly Column<Found>[] = [
  { name: "kind", value: (row) => row.kind, text: (row) => partWords[row.kind].one },
  { name: "slot", value: (row) => row.slot, whole: true },
  { name: "model", value: (row) => row.model },
  { name: "serial", value: (row) => row.serial ?? null, whole: true },
  { name: "firmware", value: (row) => row.firmware ?? null },
  {
    name: "memory",
    value: (row) => row.memoryBytes ?? null,
    text: ({ memoryBytes, memoryType }) =>
      [memoryType, memoryBytes === undefined ? undefined : sizeText(memoryBytes)]
        .filter((each) => each !== undefined)
        .join(" "),
  },
  { name: "link", value: linkText },
  { name: "errors", value: (row) => row.errors, long: true },
  {
    name: "cleared",
    value: ({ cleared }) => cleared?.verdict ?? null,
    text: ({ cleared }) =>
      cleared === null
        ? ""
        : `${clearedWords[cleared.verdict]}${cleared.canary === null ? "" : `; ${canaryWords[cleared.canary]}`}`,
    tone: ({ cleared }) => (cleared?.verdict === "kept" ? "failed" : null),
    long: true,
  },
  { name: "why cleared", value: ({ cleared }) => cleared?.why ?? null, extra: true },
  {
    name: "fault",
    value: (row) => row.trouble,
    tone: ({ trouble }) => (trouble === null ? null : "failed"),
    long: true,
  },
  { name: "source", value: (row) => row.source, extra: true },
  { name: "manufacturer", value: (row) => row.manufacturer ?? null, extra: true },
];

const statementColumns: readonly Column<HostPartsView["statements"][number]>[] = [
  { name: "at", value: (row) => row.at },
  { name: "status", value: (row) => row.status, whole: true },
  { name: "by", value: (row) => row.by },
  { name: "decided by", value: (row) => row.decidedBy },
  { name: "parts", value: (row) => row.words, long: true },
];

function sections(view: HostPartsView, printer: Printer): readonly Part[] {
  const rows = view.sources.flatMap(({ source, found }) => found.map((each) => ({ ...each, source })));
  const untold = view.sources.flatMap(({ source, untold: kinds }) =>
    kinds.map(({ kind, reason }): [string, string] => [
      `${partWords[kind].many} by ${source}`,
      `not reported: ${reason}`,
    ]),
  );
  return [
    {
      facts: [
        ["verified", view.knownAt === null ? "not yet" : printer.time(view.knownAt)],
        [
          "not compared",
          view.notCompared === null || view.notCompared.length === 0
            ? null
            : view.notCompared.map((kind) => skuPartWords[kind].many).join(", "),
        ],
        [
          "memory of devices",
          view.memoryGate === null
            ? null
            : `${view.memoryGate.status}, ${printer.time(view.memoryGate.at)} (reclamation ${view.memoryGate.reclamation}): ${view.memoryGate.reason}`,
        ],
        ...view.sources.flatMap(({ boards }) =>
          boards.map(({ name, model, partNumber, serial }): [string, string] => [
            name === "" ? "board" : name,
            [model, partNumber, `serial ${serial}`].filter((each) => each !== undefined).join(", "),
          ]),
        ),
        ...untold,
        ...view.changes.map(({ words }): [string, { text: string; tone: "failed" }] => [
          "changed",
          { text: words, tone: "failed" },
        ]),
      ],
    },
    ...(rows.length === 0 ? [] : [{ title: "Parts", table: printer.table(rows, columns) }]),
    ...(view.statements.length === 0
      ? []
      : [{ title: "Accepted changes", table: printer.table(view.statements, statementColumns) }]),
  ];
}

export const parts = [
  show("parts show", {
    of: "parts.ofHost",
    args: { host },
    input: ({ host: { id } }) => ({ hostId: id }),
    parts: sections,
  }),
  command("parts accept", {
    title: contract.parts.accept.title,
    uses: ["parts.ofHost", "parts.accept"],
    args: { host },
    options: { reason: needed(opt("<text>", "why, for example an RMA number")) },
    run: async (shell, { host: { id: hostId, name }, reason }) => {
      const { client, printer } = shell;
      const { changes, evidence } = await client.parts.ofHost.query({ hostId });
      // If nothing changed, the server says so.
      if (changes.length > 0)
        await confirm(
          shell,
          changes.map(({ words }) => words),
          `Accept these parts of ${name}? Another person has to sign it.`,
        );
      await client.parts.accept.mutate({ hostId, evidence, reason });
      printer.say(`${name}: waits for another person to sign it (reclaim approvals list)`);
    },
  }),
];

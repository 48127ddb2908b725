// `reclaim platform rollout`: new firmware for the hosts of a SKU, in stages: list, show, start, pause, resume, next, finish, abort (docs/platform.md#firmware-rollouts).
import { formatCounted } from "@/server/domain/numbers";
import { InvalidArgumentError } from "commander";
import { z } from "zod";
import { firmwareImage, readStage } from "@/server/domain/hosts/platform/rollout";
import type { RolloutStage } from "@/server/domain/hosts/platform/rollout";
import type { RolloutHost, RolloutLine } from "@/server/surfaces/trpc/types";
import { act, list, show } from "@/cli/define/command";
import { arg, found, needed, opt, parsed, reason, usually } from "@/cli/define/values";
import { readDocument } from "@/cli/documents";
import { CommandError } from "@/cli/exit-codes";
import { readCount } from "@/cli/options";
import type { Column, Part, Printer } from "@/cli/output/printer";

const stageOf = ({ stages, stage }: RolloutLine): string =>
  `${stages[stage] ?? ""} (${stage + 1} of ${stages.length})`;

const changesOf = ({ components }: RolloutLine): string =>
  components.map(({ component, from, to }) => `${component} ${from} → ${to}`).join(", ");

const columns: readonly Column<RolloutLine>[] = [
  { name: "sku", value: (row) => row.sku, whole: true },
  { name: "state", value: (row) => row.state, tone: ({ state }) => (state === "paused" ? "failed" : null) },
  { name: "firmware", value: changesOf },
  { name: "stage", value: stageOf },
  { name: "pending", value: ({ hosts }) => hosts.pending },
  { name: "running", value: ({ hosts }) => hosts.running },
  {
    name: "failed",
    value: ({ hosts }) => hosts.failed,
    tone: ({ hosts }) => (hosts.failed > 0 ? "failed" : null),
  },
  { name: "done", value: ({ hosts }) => hosts.done },
  { name: "started", value: (row) => row.startedAt, text: (row, printer) => printer.age(row.startedAt) },
  { name: "by", value: (row) => row.startedBy, extra: true },
  { name: "approved by", value: (row) => row.approvedBy, extra: true },
  { name: "id", value: (row) => row.id, extra: true },
];

const hostColumns: readonly Column<RolloutHost>[] = [
  { name: "host", value: (row) => row.host, whole: true },
  { name: "rollout", value: (row) => row.state, tone: ({ state }) => (state === "failed" ? "failed" : null) },
  { name: "state", value: (row) => row.hostState, whole: true },
  {
    name: "decided",
    value: (row) => row.decidedAt,
    text: (row, printer) => (row.decidedAt === null ? "" : printer.age(row.decidedAt)),
  },
];

/** By id, or by its SKU: the rollout that is not over, or else the newest. */
const rollout = found(arg("<rollout>", "its SKU, or its id"), async ({ client }, text) => {
  const { rollouts } = await client.rollouts.list.query();
  const line = rollouts.find(({ id, sku }) => id === text || sku === text);
  if (line === undefined) throw new CommandError("notFound", `There is no firmware rollout ${text}.`);
  return line;
});

function readStages(text: string): RolloutStage[] {
  const stages = text.split(",").map(readStage);
  const known = stages.filter((stage) => stage !== null);
  if (known.length < stages.length)
    throw new InvalidArgumentError("It takes numbers of hosts and percentages, such as 1,10%,100%.");
  return known;
}

const imagesOfFile = z.strictObject({ images: z.array(firmwareImage).min(1) });

const parts = (line: RolloutLine, printer: Printer): readonly Part[] => [
  {
    facts: [
      ["sku", line.sku],
      ["state", line.state],
      [
        "paused",
        line.pausedReason === null
          ? null
          : `${line.pausedBy === null ? "by itself" : `by ${line.pausedBy}`}: ${line.pausedReason}`,
      ],
      ["stage", `${stageOf(line)} of ${line.stages.join(", ")}`],
      ["let in", `${line.taken} of ${formatCounted(line.places, "host")}`],
      ["pauses after", `${line.maxFailures} failed`],
      ["reason", line.reason],
      ["started", `${printer.time(line.startedAt)} by ${line.startedBy}`],
      ["approved by", line.approvedBy],
      ...line.components.map(({ component, from, to, url }): [string, string] => [
        component,
        `${from} → ${to}, ${url}`,
      ]),
    ],
  },
];

const given = ({
  rollout: { id },
  reason: why,
}: {
  readonly rollout: RolloutLine;
  readonly reason: string;
}) => ({
  rollout: id,
  reason: why,
});

export const rollouts = [
  list("platform rollout list", {
    of: "rollouts.list",
    rows: "rollouts",
    columns,
    none: "No firmware rollouts.",
    then: ({ first: { updates }, rows }) =>
      rows.length === 0
        ? []
        : [
            `Firmware updates: ${formatCounted(updates.hosts.pending, "host")} pending, ${updates.hosts.running} running, ${updates.hosts.failed} failed. DPUs: not reported.`,
          ],
  }),
  show("platform rollout show", {
    of: "rollouts.get",
    args: { rollout },
    input: ({ rollout: { id } }) => ({ rollout: id }),
    parts: (detail, printer) => [
      ...parts(detail, printer),
      { title: "Hosts", table: printer.table(detail.list, hostColumns) },
    ],
  }),
  act("platform rollout start", {
    of: "rollouts.start",
    args: { sku: arg("<sku>") },
    options: {
      file: {
        ...needed(
          opt("<file>", "images as YAML or JSON: component, version, url, checksum, wait; or - for stdin"),
        ),
        short: "f",
      },
      stages: needed(parsed("<stages>", "such as 1,10%,100%", readStages)),
      maxFailures: usually(parsed("<count>", "failed hosts after which it pauses", readCount), 1),
      reason,
    },
    input: async ({ sku, file, stages, maxFailures, reason: why }, { surroundings }) => ({
      ...(await readDocument("rollout file", imagesOfFile, file, surroundings)),
      ...{ sku, stages, maxFailures, reason: why },
    }),
    said: ({ sku }) => `${sku}: the rollout waits for another person's approval (reclaim approvals list).`,
    examples: ["platform rollout start R750 -f bios.yaml --stages 1,10%,100% --reason CVE-2026-1"],
  }),
  act("platform rollout pause", {
    of: "rollouts.pause",
    args: { rollout },
    options: { reason },
    input: given,
    said: ({ rollout: { sku } }) => `${sku}: paused. No further host takes the new firmware.`,
  }),
  act("platform rollout resume", {
    of: "rollouts.resume",
    args: { rollout },
    options: { reason },
    input: given,
    asks: ({ rollout: { sku, hosts } }) => [
      [`Hosts that failed until now count no more: ${hosts.failed}.`],
      `Resume the rollout of ${sku}?`,
    ],
    said: ({ rollout: { sku } }) => `${sku}: resumed.`,
  }),
  act("platform rollout next", {
    of: "rollouts.advance",
    args: { rollout },
    options: { reason },
    input: ({ rollout: { id, stage }, reason: why }) => ({ rollout: id, stage, reason: why }),
    asks: ({ rollout: { sku, hosts, stages, stage, taken, places } }) => [
      [
        `Of this stage, ${taken} of ${formatCounted(places, "host")} were let in: ${hosts.done} done, ${hosts.running} running, ${hosts.failed} failed.`,
      ],
      `Open the next stage of ${sku}, ${stages[stage + 1] ?? "which there is none of"}?`,
    ],
    said: ({ rollout: { sku } }) => `${sku}: the next stage is open.`,
  }),
  act("platform rollout finish", {
    of: "rollouts.finish",
    args: { rollout },
    options: { reason },
    input: given,
    asks: ({ rollout: { sku, hosts } }) => [
      [
        `The baseline of ${sku} names the new firmware. Hosts that do not have it get it when they return: ${hosts.pending}.`,
      ],
      `Finish the rollout of ${sku}?`,
    ],
    said: ({ rollout: { sku } }) => `${sku}: finished.`,
  }),
  act("platform rollout abort", {
    of: "rollouts.abort",
    args: { rollout },
    options: { reason },
    input: given,
    asks: ({ rollout: { sku, hosts } }) => [
      [
        `No further host takes the new firmware. Hosts that took it keep it: ${hosts.done + hosts.running}. Of hosts that failed with it the SKU's firmware is wanted again: ${hosts.failed}. It cannot be resumed.`,
      ],
      `Abort the rollout of ${sku}?`,
    ],
    said: ({ rollout: { sku } }) => `${sku}: aborted.`,
  }),
];

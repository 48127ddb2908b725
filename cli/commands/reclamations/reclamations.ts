// `reclaim reclamations`: lists them, and shows one with its steps, gates and devices.
import { gateStatusWords } from "@/server/domain/reclamations/gates/gate-names";
import { z } from "zod";
import { standings } from "@/server/domain/assurance/standing";
import { cleanupNames } from "@/server/domain/cleaning/cleanup-summary";
import { gateTally } from "@/server/domain/reclamations/gates/tally";
import { record } from "@/server/contract/define";
import { contract } from "@/server/contract/contract";
import type { Tone } from "@/server/domain/lifecycle/state-rows/state-row";
import type {
  DeviceLine,
  GateLine,
  ReclamationDetail,
  ReclamationRow,
  StepRunLine,
} from "@/server/surfaces/trpc/types";
import { command, list, newest } from "@/cli/define/command";
import { arg, choice, found, hostOption, hostText, moment, opt, since, usually } from "@/cli/define/values";
import type { Client } from "@/cli/client";
import { CommandError } from "@/cli/exit-codes";
import { findHost } from "@/cli/find";
import { durationText } from "@/cli/output/text";
import type { Column, Part, Printer } from "@/cli/output/printer";
import { standingColumn, standingFact } from "@/cli/output/standing";

const resultOf = ({
  outcome,
  stoppedAt,
  stoppedCause,
}: Pick<ReclamationRow, "outcome" | "stoppedAt" | "stoppedCause">): string =>
  outcome ?? (stoppedAt === null ? "in progress" : `stopped: ${stoppedCause ?? "unknown"}`);
function toneOf({ outcome, stoppedAt }: Pick<ReclamationRow, "outcome" | "stoppedAt">): Tone {
  if (outcome === null) return stoppedAt === null ? "working" : "failed";
  return "neutral";
}

const columns: readonly Column<ReclamationRow>[] = [
  { name: "number", value: (row) => row.number, whole: true },
  { name: "host", value: (row) => row.hostName, whole: true },
  { name: "kind", value: (row) => row.kind },
  { name: "result", value: resultOf, tone: toneOf, whole: true },
  standingColumn,
  { name: "started", value: (row) => row.startedAt },
  { name: "ended", value: (row) => row.endedAt },
  { name: "tenant", value: (row) => row.tenantName },
  { name: "message", value: (row) => row.message, long: true },
  { name: "runbook", value: (row) => row.runbookName, extra: true },
  { name: "id", value: (row) => row.id, extra: true },
  { name: "hostId", value: (row) => row.hostId, extra: true },
];

const tookOf = (
  { startedAt, endedAt }: Pick<StepRunLine, "startedAt" | "endedAt">,
  printer: Printer,
): string =>
  startedAt === null
    ? ""
    : endedAt === null
      ? `${printer.age(startedAt)} so far`
      : durationText(endedAt.getTime() - startedAt.getTime());

const stepColumns: readonly Column<StepRunLine>[] = [
  { name: "step", value: (row) => row.step, whole: true },
  {
    name: "priority",
    value: (row) => row.priority,
    text: (row) => `${row.priority} (${row.prioritySource})`,
  },
  { name: "status", value: (row) => row.status, tone: (row) => row.tone, whole: true },
  {
    name: "attempt",
    value: (row) => row.attempt,
    text: (row) => (row.attempt === 0 ? "" : `${row.attempt} of ${row.maxAttempts}`),
  },
  { name: "took", value: (row) => row.startedAt, text: tookOf },
  { name: "result", value: (row) => row.result, tone: (row) => row.tone },
  { name: "message", value: (row) => row.message, long: true },
];

const deviceColumns: readonly Column<DeviceLine & { readonly step: string }>[] = [
  { name: "step", value: (row) => row.step },
  { name: "serial", value: (row) => row.serial, whole: true },
  { name: "model", value: (row) => row.model },
  { name: "slot", value: (row) => row.slot },
  {
    name: "result",
    value: (row) => row.result,
    text: (row) => (row.percent === null ? row.result : `${row.result}, ${row.percent} %`),
    tone: (row) => row.tone,
    long: true,
  },
  { name: "technique", value: (row) => row.technique },
  { name: "level", value: (row) => row.level },
  { name: "verification", value: (row) => row.verification },
];

/** NICo's names, in its order. */
const cleanupLines = ({ cleanup }: ReclamationDetail) =>
  cleanupNames.flatMap((name) => {
    const line = cleanup[name];
    return line === undefined ? [] : [{ name, ...line }];
  });

const cleanupColumns: readonly Column<ReturnType<typeof cleanupLines>[number]>[] = [
  { name: "name", value: (row) => row.name, whole: true },
  {
    name: "result",
    value: (row) => row.result,
    tone: (row) => (row.result === "OK" ? "good" : "failed"),
    whole: true,
  },
  { name: "message", value: (row) => row.message, long: true },
];

const gateTones = {
  open: "neutral",
  satisfied: "good",
  unsatisfied: "failed",
  "not required": "neutral",
  waived: "attention",
  "not required: fake hardware": "neutral",
  excepted: "attention",
  "not implemented": "attention",
} as const satisfies Record<GateLine["status"], Tone>;

const gateColumns: readonly Column<GateLine>[] = [
  { name: "gate", value: (row) => row.gate, whole: true },
  {
    name: "status",
    value: (row) => gateStatusWords(row.status),
    tone: (row) => gateTones[row.status],
    whole: true,
  },
  { name: "reason", value: (row) => row.reason, long: true },
];

function parts(
  row: ReclamationRow,
  detail: ReclamationDetail,
  gates: readonly GateLine[],
  printer: Printer,
): readonly Part[] {
  const devices = detail.stepRuns.flatMap((run) =>
    run.devices.map((device) => ({ ...device, step: run.step })),
  );
  const { reclamation: head } = detail;
  const cleanup = cleanupLines(detail);
  return [
    {
      facts: [
        ["number", head.number],
        ["id", head.id],
        ["host", row.hostName],
        ["kind", head.kind],
        ["result", { text: resultOf(head), tone: toneOf(head) }],
        ["standing", standingFact(head.standing)],
        ["gates", gates.length === 0 ? null : gateTally(gates.map(({ status }) => status)).words],
        ["message", head.message],
        ["tenant", head.tenantName],
        ["asked by", detail.requestedByName],
        ["runbook", head.runbookName],
        ["started", printer.timeAndAge(head.startedAt)],
        ["stopped", printer.timeAndAge(head.stoppedAt)],
        [
          "ended",
          head.endedAt === null
            ? null
            : `${printer.timeAndAge(head.endedAt)}, after ${durationText(head.endedAt.getTime() - head.startedAt.getTime())}`,
        ],
        ["limit", head.endedAt === null ? printer.timeAndAge(head.limitAt) : null],
        ["waited", head.pausedMs === 0 ? null : `${durationText(head.pausedMs)} on hold or for people`],
        ["hold", detail.hold === null ? null : `${detail.hold.byName}: ${detail.hold.reason}`],
        ["disabled", detail.disabled.map((step) => `${step.step} (${step.source})`).join(", ")],
      ],
    },
    {
      title: "Steps",
      table: detail.stepRuns.length === 0 ? "No plan yet.\n" : printer.table(detail.stepRuns, stepColumns),
    },
    ...(cleanup.length === 0
      ? []
      : [{ title: "Cleanup summary", table: printer.table(cleanup, cleanupColumns) }]),
    ...(devices.length === 0 ? [] : [{ title: "Devices", table: printer.table(devices, deviceColumns) }]),
    ...(head.kind === "manualCleaning" ? [] : [{ title: "Gates", table: printer.table(gates, gateColumns) }]),
  ];
}

async function newestOf(client: Client, host: string, hostId: string): Promise<ReclamationRow> {
  const [row] = (await client.reclamations.list.query({ host: hostId, limit: 1 })).rows;
  if (row === undefined) throw new CommandError("notFound", `${host} never had a reclamation.`);
  return row;
}

export const reclamations = [
  list("reclamations list", {
    of: "reclamations.list",
    args: { host: found(arg("[host]", hostText), ({ client }, text) => findHost(client, text)) },
    options: {
      status: usually(choice("<which>", "which", ["open", "ended", "all"]), "all"),
      standing: choice("<standing>", "what ended ones proved", standings),
      tenant: opt("<tenant>", "organization, name or id"),
      site: opt("<site>", "name of a site"),
      sku: opt("<sku>", "name of a SKU"),
      since: since("started since then: 2h, 7d or 2026-11-22T08:00"),
      until: moment("started before then: 2026-11-22T08:00"),
    },
    input: ({ host, since: from, until, ...given }) => ({
      ...given,
      host: host?.id,
      since: from?.toISOString(),
      until: until?.toISOString(),
    }),
    rows: "rows",
    columns,
    perPage: 200,
    limit: 50,
    none: "No reclamations.",
    then: newest,
    examples: ["reclamations list --standing notSanitized --since 7d"],
  }),
  command("reclamations show", {
    title: contract.reclamations.find.title,
    uses: ["reclamations.find", "host.reclamation", "host.gates"],
    shape: record({
      ...contract.host.reclamation.output.unwrap().unwrap().shape,
      host: record({ id: z.string(), name: z.string() }),
      gates: contract.host.gates.output,
    }),
    args: { number: arg("[number]", "such as R-42 or 42") },
    options: { host: hostOption("or the newest of this host") },
    run: async ({ client, printer }, { number, host }) => {
      if ((number === undefined) === (host === undefined))
        throw new CommandError("usage", "Name either a number or --host.");
      const row =
        number === undefined
          ? await newestOf(client, host?.name ?? "", host?.id ?? "")
          : await client.reclamations.find.query({ number });
      const named = { hostId: row.hostId, reclamationId: row.id };
      const [detail, gates] = await Promise.all([
        client.host.reclamation.query(named),
        client.host.gates.query(named),
      ]);
      if (detail === null) throw new CommandError("notFound", `There is no reclamation ${row.number}.`);
      printer.show(
        { ...detail, host: { id: row.hostId, name: row.hostName }, gates },
        parts(row, detail, gates, printer),
      );
    },
  }),
];

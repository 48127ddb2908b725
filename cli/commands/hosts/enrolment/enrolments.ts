// `reclaim enrolments`: the progress of hosts that were enrolled together, and retrying those that stopped.
import { contract } from "@/server/contract/contract";
import { enrolmentStages } from "@/server/domain/hosts/enrolment/progress";
import type { EnrolmentStage } from "@/server/domain/hosts/enrolment/progress";
import type { EnrolmentHead, EnrolmentLine, EnrolmentView } from "@/server/surfaces/trpc/types";
import { act, command, list } from "@/cli/define/command";
import { arg, parsed } from "@/cli/define/values";
import { CommandError } from "@/cli/exit-codes";
import { interruptedError } from "@/cli/http";
import { pause } from "@/cli/live/pause";
import { readDuration } from "@/cli/options";
import type { Column } from "@/cli/output/printer";
import type { Shell } from "@/cli/shell";
import { formatCounted } from "@/server/domain/numbers";

const lookEveryMs = 1_000;

const countText = ({ counts }: Pick<EnrolmentView, "counts">): string =>
  enrolmentStages.flatMap((stage) => (counts[stage] === 0 ? [] : [`${counts[stage]} ${stage}`])).join(", ");

/** Follows until no host makes progress by itself. Throws if some have not reached the goal. */
export async function followEnrolment(shell: Shell, id: string, timeoutMs: number | null): Promise<void> {
  const { client, printer, surroundings } = shell;
  const until = timeoutMs === null ? Infinity : Date.now() + timeoutMs;
  let said = "";
  for (;;) {
    const view = await client.enrolment.get.query({ id, limit: 1 });
    const words = countText(view);
    if (words !== said) printer.say(words);
    said = words;
    if (view.over) {
      const left = view.lines - view.counts.done - view.counts.refused;
      if (left === 0) return;
      throw new CommandError(
        "otherwise",
        `${left} of ${formatCounted(view.lines, "host")} ${left === 1 ? "needs" : "need"} attention.`,
        `\`reclaim enrolments show ${id}\` shows what to do about each.`,
      );
    }
    if (Date.now() >= until)
      throw new CommandError("late", `Not all hosts are there yet: ${words}. They continue automatically.`);
    await pause(lookEveryMs, surroundings.interrupted);
    if (surroundings.interrupted.aborted) throw interruptedError();
  }
}

const headColumns: readonly Column<EnrolmentHead>[] = [
  { name: "id", value: (row) => row.id, whole: true },
  { name: "at", value: (row) => row.at },
  { name: "by", value: (row) => row.byName },
  { name: "site", value: (row) => row.site },
  { name: "hosts", value: (row) => row.lines },
  { name: "goal", value: (row) => row.goal },
  { name: "file", value: (row) => row.fileName },
];

const wrongText = ({ faults, says }: EnrolmentLine): string =>
  faults.length === 0
    ? says
    : faults.map(({ column, message }) => (column === "" ? message : `${column}: ${message}`)).join("; ");

const lineColumns: readonly Column<EnrolmentLine>[] = [
  { name: "line", value: (row) => row.line },
  { name: "host", value: (row) => row.name, whole: true },
  { name: "stage", value: (row) => row.stage },
  { name: "state", value: (row) => row.host?.state ?? null, tone: (row) => row.host?.tone ?? null },
  { name: "serial", value: (row) => row.identity?.serial ?? null },
  { name: "says", value: wrongText },
  { name: "advice", value: (row) => row.advice },
  { name: "manufacturer", value: (row) => row.identity?.manufacturer ?? null, extra: true },
  { name: "model", value: (row) => row.identity?.model ?? null, extra: true },
  { name: "systemUuid", value: (row) => row.identity?.systemUuid ?? null, extra: true },
  { name: "certificateSha256", value: (row) => row.pinned, extra: true },
];

async function readAll(
  { client }: Shell,
  id: string,
  stages: EnrolmentStage[],
): Promise<{ readonly view: EnrolmentView; readonly rows: readonly EnrolmentLine[] }> {
  const view = await client.enrolment.get.query({ id, stages, limit: 1000 });
  const rows = [...view.rows];
  let cursor = view.nextCursor;
  while (cursor !== null) {
    const page: EnrolmentView = await client.enrolment.get.query({ id, stages, cursor, limit: 1000 });
    rows.push(...page.rows);
    cursor = page.nextCursor;
  }
  return { view, rows };
}

const readStage = (text: string, before: EnrolmentStage[] = []): EnrolmentStage[] => {
  const stage = enrolmentStages.find((name) => name === text);
  if (stage === undefined)
    throw new CommandError("usage", `There is no stage ${text}: ${enrolmentStages.join(", ")}.`);
  return [...before, stage];
};

const id = arg("<id>", "enrolment id from `enrolments list`");

export const enrolments = [
  list("enrolments list", {
    of: "enrolment.list",
    columns: headColumns,
    none: "No enrolment yet: `reclaim hosts enroll` makes one.",
  }),
  command("enrolments show", {
    title: contract.enrolment.get.title,
    uses: ["enrolment.get"],
    shape: contract.enrolment.get.output.unwrap().shape.rows,
    args: { id },
    options: { stage: parsed("<stage>", `only hosts at it: ${enrolmentStages.join(", ")}`, readStage) },
    run: async (shell, { id: of, stage = [] }) => {
      const { view, rows } = await readAll(shell, of, stage);
      shell.printer.list(rows, lineColumns, "No host is at this stage.");
      shell.printer.say(countText(view));
    },
  }),
  command("enrolments wait", {
    title: "waits until the hosts of an enrolment have settled; exits with 7 if some need attention",
    uses: ["enrolment.get"],
    args: { id },
    options: { timeout: parsed("<time>", "maximum time, such as 90m; ends with 8", readDuration) },
    run: (shell, { id: of, timeout }) => followEnrolment(shell, of, timeout ?? null),
  }),
  act("enrolments test", {
    of: "bmc.testEnrolment",
    args: { id },
    said: (_, { asked }) =>
      asked === 0
        ? "No BMC is left to test."
        : `Testing ${formatCounted(asked, "BMC")}. \`reclaim bmc show <host>\` shows each report.`,
  }),
  act("enrolments retry", {
    of: "enrolment.retry",
    args: { id },
    said: (_, { asked }) =>
      asked === 0
        ? "None of its hosts stopped in Enroll."
        : `Verified again: ${formatCounted(asked, "host")}.`,
  }),
];

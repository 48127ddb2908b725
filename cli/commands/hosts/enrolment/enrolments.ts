// `reclaim enrolments`: the progress of hosts that were enrolled together, and retrying those that stopped.
import type { Command } from "commander";
import { contract } from "@/server/contract/contract";
import { enrolmentStages } from "@/server/domain/hosts/enrolment/progress";
import type { EnrolmentStage } from "@/server/domain/hosts/enrolment/progress";
import type { EnrolmentHead, EnrolmentLine, EnrolmentView } from "@/server/surfaces/trpc/types";
import { CommandError } from "@/cli/exit-codes";
import { interruptedError } from "@/cli/http";
import { pause } from "@/cli/live/pause";
import { readDuration } from "@/cli/options";
import type { Column } from "@/cli/output/printer";
import { openShell } from "@/cli/shell";
import type { Shell } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";
import { counted } from "@/cli/output/text";

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
        `${left} of ${counted(view.lines, "host")} ${left === 1 ? "needs" : "need"} attention.`,
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

export function addEnrolments(program: Command, surroundings: Surroundings): void {
  const enrolments = program
    .command("enrolments")
    .description("hosts that were enrolled together: list, show, wait, retry");
  enrolments
    .command("list")
    .description(contract.enrolment.list.title)
    .action(async (_options: object, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      printer.list(
        await client.enrolment.list.query(),
        headColumns,
        "No enrolment yet: `reclaim hosts enroll` makes one.",
      );
    });
  enrolments
    .command("show")
    .description(contract.enrolment.get.title)
    .argument("<id>", "of the enrolment")
    .option("--stage <stage>", `only hosts at it: ${enrolmentStages.join(", ")}`, readStage)
    .action(async (id: string, { stage = [] }: { stage?: EnrolmentStage[] }, command: Command) => {
      const shell = await openShell(command, surroundings);
      const { view, rows } = await readAll(shell, id, stage);
      shell.printer.list(rows, lineColumns, "No host is at this stage.");
      shell.printer.say(countText(view));
    });
  enrolments
    .command("wait")
    .description("until the hosts of an enrolment have settled; exits with 7 if some need attention")
    .argument("<id>", "of the enrolment")
    .option("--timeout <time>", "maximum time, such as 90m; ends with 8", readDuration)
    .action(async (id: string, { timeout }: { timeout?: number }, command: Command) =>
      followEnrolment(await openShell(command, surroundings), id, timeout ?? null),
    );
  enrolments
    .command("retry")
    .description(contract.enrolment.retry.title)
    .argument("<id>", "of the enrolment")
    .action(async (id: string, _options: object, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const { asked } = await client.enrolment.retry.mutate({ id });
      printer.say(
        asked === 0 ? "None of its hosts stopped in Enroll." : `Verified again: ${counted(asked, "host")}.`,
      );
    });
}

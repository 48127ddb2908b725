// `reclaim exceptions`: gates and drives that two people let through (docs/adr/0105-exceptions-and-dispositions.md).
import { Option } from "commander";
import type { Command } from "commander";
import { contract } from "@/server/contract/contract";
import { gateNames } from "@/server/domain/reclamations/gates/gate-names";
import type { GateName } from "@/server/domain/reclamations/gates/gate-names";
import type { ExceptionLine } from "@/server/surfaces/trpc/types";
import { findHost } from "@/cli/find";
import { readMoment } from "@/cli/options";
import type { Column } from "@/cli/output/printer";
import { confirm, openShell } from "@/cli/shell";
import type { Shell } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";

const columns: readonly Column<ExceptionLine>[] = [
  { name: "id", value: (row) => row.id, whole: true },
  { name: "host", value: (row) => row.host.name },
  { name: "gate", value: (row) => row.gate },
  { name: "drive", value: (row) => row.drive },
  { name: "standing", value: (row) => row.standing },
  { name: "valid until", value: (row) => row.validUntil },
  { name: "asked by", value: (row) => row.askedBy },
  { name: "decided by", value: (row) => row.decidedBy },
  { name: "reason", value: (row) => row.reason, long: true },
  { name: "found", value: (row) => row.found, extra: true },
  { name: "measure", value: (row) => row.measure, extra: true },
  { name: "risk", value: (row) => row.risk, extra: true },
  { name: "void because", value: (row) => row.voided, extra: true },
  { name: "superseded", value: (row) => row.supersededAt, extra: true },
  { name: "site", value: (row) => row.site, extra: true },
  { name: "approval", value: (row) => row.approvalId, extra: true },
];

const perPage = 200;

async function readAll(
  { client }: Shell,
  question: { readonly hostId: string | null; readonly all: boolean },
): Promise<readonly ExceptionLine[]> {
  const rows: ExceptionLine[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof client.exceptions.list.query>> = await client.exceptions.list.query(
      { ...question, cursor, limit: perPage },
    );
    rows.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return rows;
}

interface AskOptions {
  readonly gate: GateName;
  readonly drive?: string;
  readonly reason: string;
  readonly measure: string;
  readonly risk: string;
  readonly until: Date;
}

function addAsk(group: Command, surroundings: Surroundings): void {
  group
    .command("ask")
    .description(contract.exceptions.ask.title)
    .argument("<host>", "name, id, or the start of either")
    .addOption(new Option("--gate <gate>", "what is let through").choices(gateNames).makeOptionMandatory())
    .option("--drive <serial>", "of storageSanitized: the drive that is not sanitized")
    .requiredOption("--reason <text>", "why")
    .requiredOption("--measure <text>", "what is done in place of the proof")
    .requiredOption("--risk <text>", "what is left of the risk")
    .requiredOption("--until <time>", "when it expires", readMoment)
    .action(async (name: string, { until, ...options }: AskOptions, command: Command) => {
      const shell = await openShell(command, surroundings);
      const { id: hostId } = await findHost(shell.client, name);
      const { approvalId } = await shell.client.exceptions.ask.mutate({
        ...options,
        hostId,
        validUntil: until,
      });
      shell.printer.say(`Asked. Another person decides: reclaim approvals approve ${approvalId}`);
    });
}

/** Adds `exceptions list`, `ask` and `withdraw`. */
export function addExceptions(program: Command, surroundings: Surroundings): void {
  const group = program
    .command("exceptions")
    .description("gates and drives passed by two people: list, ask, withdraw");
  group
    .command("list")
    .alias("ls")
    .description(contract.exceptions.list.title)
    .option("--host <host>", "only of this host")
    .option("--all", "also those that expired, are no longer needed, or are void")
    .action(async ({ host, all = false }: { host?: string; all?: boolean }, command: Command) => {
      const shell = await openShell(command, surroundings);
      const hostId = host === undefined ? null : (await findHost(shell.client, host)).id;
      shell.printer.list(await readAll(shell, { hostId, all }), columns, "There are no exceptions.");
    });
  addAsk(group, surroundings);
  group
    .command("withdraw")
    .description(contract.exceptions.withdraw.title)
    .argument("<id>", "of the exception")
    .requiredOption("--reason <text>", "why")
    .action(async (id: string, { reason }: { reason: string }, command: Command) => {
      const shell = await openShell(command, surroundings);
      await confirm(shell, [`Exception ${id}.`], "Withdraw it? This cannot be undone.");
      await shell.client.exceptions.withdraw.mutate({ id, reason });
      shell.printer.say("Withdrawn.");
    });
}

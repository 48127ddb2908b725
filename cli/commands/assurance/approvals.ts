// `reclaim approvals`: requests that await another person's decision, and deciding on them (docs/assurance/README.md#two-people).
import { Option } from "commander";
import type { Command } from "commander";
import { contract } from "@/server/contract/contract";
import { approvalKinds } from "@/server/domain/assurance/approvals/approval";
import type { ApprovalKind, Decision } from "@/server/domain/assurance/approvals/approval";
import { formatWholeChange } from "@/server/domain/sites/difference";
import type { ApprovalLine, EndingLine } from "@/server/surfaces/trpc/types";
import { readNamedSecrets } from "@/cli/settings/secrets";
import { CommandError } from "@/cli/exit-codes";
import { findHost } from "@/cli/find";
import { changeColumns } from "@/cli/commands/sites/site-output";
import type { Column } from "@/cli/output/printer";
import { plain } from "@/cli/output/text";
import { confirm, openShell } from "@/cli/shell";
import type { Shell } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";

const columns: readonly Column<ApprovalLine>[] = [
  { name: "id", value: (row) => row.id, whole: true },
  { name: "kind", value: (row) => row.kind },
  { name: "subject", value: (row) => row.subject },
  { name: "host", value: (row) => row.host?.name ?? null },
  { name: "asked by", value: (row) => row.askedBy },
  { name: "asked", value: (row) => row.askedAt },
  { name: "decision", value: (row) => row.decision ?? (row.voided === null ? "waits" : "void") },
  { name: "may decide", value: (row) => row.mayDecide },
  { name: "reason", value: (row) => row.reason, long: true },
  { name: "site", value: (row) => row.site, extra: true },
  { name: "evidence", value: (row) => row.evidence, extra: true },
  { name: "valid until", value: (row) => row.validUntil, extra: true },
  { name: "decided by", value: (row) => row.decidedBy, extra: true },
  { name: "decided", value: (row) => row.decidedAt, extra: true },
  { name: "confirmed with", value: (row) => row.decidedWith, extra: true },
  { name: "decided reason", value: (row) => row.decidedReason, extra: true },
  { name: "void because", value: (row) => row.voided, extra: true },
  { name: "subject id", value: (row) => row.subjectId, extra: true },
  { name: "own", value: (row) => row.own, extra: true },
];

const perPage = 200;

async function readAll(
  { client }: Shell,
  question: {
    readonly kind: ApprovalKind | null;
    readonly all: boolean;
    readonly hostId: string | null;
    readonly overLimit?: true | undefined;
  },
): Promise<readonly ApprovalLine[]> {
  const rows: ApprovalLine[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof client.approvals.list.query>> = await client.approvals.list.query({
      ...question,
      cursor,
      limit: perPage,
    });
    rows.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return rows;
}

interface ListOptions {
  readonly kind?: ApprovalKind;
  readonly host?: string;
  readonly all?: boolean;
  readonly overLimit?: true;
}

function addList(approvals: Command, surroundings: Surroundings): void {
  approvals
    .command("list")
    .alias("ls")
    .description(contract.approvals.list.title)
    .addOption(new Option("--kind <kind>", "only of this kind").choices(approvalKinds))
    .option("--host <host>", "only of this host")
    .option("--over-limit", "only of hosts that have waited for more than 24 hours")
    .option("--all", "also what was decided or is void")
    .action(async ({ kind, host, all = false, overLimit }: ListOptions, command: Command) => {
      const shell = await openShell(command, surroundings);
      const hostId = host === undefined ? null : (await findHost(shell.client, host)).id;
      shell.printer.list(
        await readAll(shell, { kind: kind ?? null, all, hostId, overLimit }),
        columns,
        "Nothing is pending.",
      );
    });
}

const endingColumns: readonly Column<EndingLine>[] = [
  { name: "ends", value: (row) => row.endsAt },
  { name: "kind", value: (row) => row.kind },
  { name: "subject", value: (row) => row.subject },
  { name: "host", value: (row) => row.host.name },
  { name: "site", value: (row) => row.site },
  { name: "id", value: (row) => row.id, whole: true },
];

function addEnding(approvals: Command, surroundings: Surroundings): void {
  approvals
    .command("ending")
    .description(contract.approvals.ending.title)
    .action(async (_options: unknown, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const rows: EndingLine[] = [];
      let cursor: string | null = null;
      do {
        const page: Awaited<ReturnType<typeof client.approvals.ending.query>> =
          await client.approvals.ending.query({ cursor });
        rows.push(...page.items);
        cursor = page.nextCursor;
      } while (cursor !== null);
      printer.list(rows, endingColumns, "No approvals are expiring.");
    });
}

interface DecideOptions {
  readonly passwordFrom: string;
  readonly reason?: string;
}

/** Finds a pending request by an id or a prefix of one. */
function findWaiting(waiting: readonly ApprovalLine[], text: string): ApprovalLine {
  const found = waiting.filter(({ id }) => id.startsWith(text.toLowerCase()));
  const [only] = found;
  if (only === undefined || found.length > 1)
    throw new CommandError(
      found.length > 1 ? "usage" : "notFound",
      found.length > 1 ? `${text} matches several ids.` : `No pending request has the id ${text}.`,
      "`reclaim approvals list` shows pending requests.",
    );
  return only;
}

/** What a pending site change would do. */
const linesOf = async ({ client }: Shell, { kind, subjectId }: ApprovalLine): Promise<readonly string[]> =>
  kind === "policyChange"
    ? (await client.policyChanges.get.query({ id: subjectId })).changes.map((change) =>
        plain(formatWholeChange(change)),
      )
    : [];

/** Finds a pending request that must be a site change. */
async function findChange(shell: Shell, id: string): Promise<ApprovalLine> {
  const waiting = await readAll(shell, { kind: null, all: false, hostId: null });
  const found = findWaiting(waiting, id);
  if (found.kind === "policyChange") return found;
  throw new CommandError(
    "usage",
    `${id} is no change of a site, but: ${found.kind}.`,
    "`reclaim exceptions` and `reclaim procedures` have commands of their own.",
  );
}

function addChanges(approvals: Command, surroundings: Surroundings): void {
  approvals
    .command("show")
    .description("what a change of a site that waits for approval would change")
    .argument("<id>", "of what waits, or the beginning of it")
    .action(async (id: string, _options: unknown, command: Command) => {
      const shell = await openShell(command, surroundings);
      const { subjectId } = await findChange(shell, id);
      const { changes } = await shell.client.policyChanges.get.query({ id: subjectId });
      // A table would cut values, but whoever decides has to see them in full.
      if (shell.settings.output === "table" && shell.settings.columns === null && changes.length > 0)
        for (const change of changes) shell.printer.text(`${plain(formatWholeChange(change))}\n`);
      else shell.printer.list(changes, changeColumns, "Nothing would change.");
    });
  approvals
    .command("withdraw")
    .description(contract.policyChanges.withdraw.title)
    .argument("<id>", "of what waits, or the beginning of it")
    .requiredOption("--reason <text>", "why")
    .action(async (id: string, { reason }: { reason: string }, command: Command) => {
      const shell = await openShell(command, surroundings);
      const { subjectId, subject, site } = await findChange(shell, id);
      await confirm(shell, [`${subject}, at site ${site ?? ""}.`], "Withdraw the change?");
      await shell.client.policyChanges.withdraw.mutate({ id: subjectId, reason });
      shell.printer.say("Withdrawn.");
    });
}

function addDecision(
  approvals: Command,
  surroundings: Surroundings,
  name: "approve" | "reject",
  decision: Decision,
): void {
  approvals
    .command(name)
    .description(`${decision === "approved" ? "approves" : "rejects"} what another person asked for`)
    .argument("<id...>", "of a pending request, or its beginning; all are decided, or none")
    .requiredOption("--password-from <reference>", "env:NAME or file:path; never the password itself")
    .option("--reason <text>", decision === "rejected" ? "why; needed" : "why")
    .action(async (ids: string[], { passwordFrom, reason }: DecideOptions, command: Command) => {
      if (decision === "rejected" && reason === undefined)
        throw new CommandError("usage", "Say why with --reason.");
      const shell = await openShell(command, surroundings);
      const waiting = await readAll(shell, { kind: null, all: false, hostId: null });
      const chosen = [...new Set(ids.map((id) => findWaiting(waiting, id)))];
      const secrets = await readNamedSecrets("The command", [passwordFrom], ".", surroundings);
      const lines: string[] = [];
      for (const line of chosen)
        lines.push(
          `${line.subject}${line.host === null ? "" : ` on ${line.host.name}`}, by ${line.askedBy}.`,
          ...(await linesOf(shell, line)),
        );
      await confirm(shell, lines, `Is it ${decision}? This cannot be taken back.`);
      const { decided } = await shell.client.approvals.decide.mutate({
        approvals: chosen.map(({ id, evidence }) => ({ id, evidence })),
        decision,
        password: secrets[passwordFrom] ?? "",
        ...(reason === undefined ? {} : { reason }),
      });
      shell.printer.say(`${decision}: ${decided}.`);
    });
}

/** Adds `approvals list`, `ending`, `show`, `approve`, `reject` and `withdraw`. */
export function addApprovals(program: Command, surroundings: Surroundings): void {
  const approvals = program
    .command("approvals")
    .description(
      "what waits for another person's decision, and what ends: list, ending, show, approve, reject, withdraw",
    );
  addList(approvals, surroundings);
  addEnding(approvals, surroundings);
  addDecision(approvals, surroundings, "approve", "approved");
  addDecision(approvals, surroundings, "reject", "rejected");
  addChanges(approvals, surroundings);
}

// `reclaim approvals`: requests that await another person's decision, and deciding on them (docs/assurance/README.md#two-people).
import { contract } from "@/server/contract/contract";
import { approvalKinds } from "@/server/domain/assurance/approvals/approval";
import type { Decision } from "@/server/domain/assurance/approvals/approval";
import { formatWholeChange } from "@/server/domain/sites/difference";
import type { ApprovalLine, EndingLine } from "@/server/surfaces/trpc/types";
import { readNamedSecrets } from "@/cli/settings/secrets";
import { changeColumns } from "@/cli/commands/sites/site-output";
import { command, list } from "@/cli/define/command";
import { arg, choice, flag, hostOption, needed, opt, reason } from "@/cli/define/values";
import { CommandError } from "@/cli/exit-codes";
import type { Column } from "@/cli/output/printer";
import { readPages } from "@/cli/output/pages";
import { plain } from "@/cli/output/text";
import { confirm } from "@/cli/shell";
import type { Shell } from "@/cli/shell";

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

const pending = ({ client }: Shell): Promise<readonly ApprovalLine[]> =>
  readPages(async (cursor) => {
    const { items, nextCursor } = await client.approvals.list.query({ cursor, limit: perPage });
    return { rows: items, nextCursor };
  });

const endingColumns: readonly Column<EndingLine>[] = [
  { name: "ends", value: (row) => row.endsAt },
  { name: "kind", value: (row) => row.kind },
  { name: "subject", value: (row) => row.subject },
  { name: "host", value: (row) => row.host.name },
  { name: "site", value: (row) => row.site },
  { name: "id", value: (row) => row.id, whole: true },
];

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
  const found = findWaiting(await pending(shell), id);
  if (found.kind === "policyChange") return found;
  throw new CommandError(
    "usage",
    `${id} is not a site change; it is: ${found.kind}.`,
    "`reclaim exceptions` and `reclaim procedures` have commands of their own.",
  );
}

const id = arg("<id>", "request id, or its first characters");

const decide = (name: "approve" | "reject", decision: Decision) =>
  command(`approvals ${name}`, {
    title: `${decision === "approved" ? "approves" : "rejects"} what another person asked for`,
    uses: ["approvals.decide"],
    args: { ids: arg("<id...>", "request ids, or their first characters; all are decided, or none") },
    options: {
      passwordFrom: needed(opt("<reference>", "env:NAME or file:path; never the password itself")),
      reason: opt("<text>", decision === "rejected" ? "why; required" : "why"),
    },
    run: async (shell, { ids, passwordFrom, reason: why }) => {
      if (decision === "rejected" && why === undefined)
        throw new CommandError("usage", "Say why with --reason.");
      const waiting = await pending(shell);
      const chosen = [...new Set(ids.map((each) => findWaiting(waiting, each)))];
      const secrets = await readNamedSecrets("The command", [passwordFrom], ".", shell.surroundings);
      const lines: string[] = [];
      for (const line of chosen)
        lines.push(
          `${line.subject}${line.host === null ? "" : ` on ${line.host.name}`}, by ${line.askedBy}.`,
          ...(await linesOf(shell, line)),
        );
      await confirm(shell, lines, `Is it ${decision}? This cannot be undone.`);
      const { decided } = await shell.client.approvals.decide.mutate({
        approvals: chosen.map(({ id: approval, evidence }) => ({ id: approval, evidence })),
        decision,
        password: secrets[passwordFrom] ?? "",
        ...(why === undefined ? {} : { reason: why }),
      });
      shell.printer.say(`${decision}: ${decided}.`);
    },
  });

export const approvals = [
  list("approvals list", {
    of: "approvals.list",
    options: {
      kind: choice("<kind>", "only of this kind", approvalKinds),
      host: hostOption("only of this host"),
      overLimit: flag("only of hosts that have waited for more than 24 hours"),
      all: flag("also decided and void ones"),
    },
    input: ({ kind, host, overLimit, all }) => ({
      kind: kind ?? null,
      hostId: host?.id ?? null,
      all: all === true,
      overLimit,
    }),
    rows: "items",
    columns,
    perPage,
    none: "Nothing is pending.",
  }),
  list("approvals ending", {
    of: "approvals.ending",
    rows: "items",
    columns: endingColumns,
    perPage,
    none: "No approvals are expiring.",
  }),
  command("approvals show", {
    title: "what a site change that waits for approval would change",
    uses: ["policyChanges.get"],
    shape: contract.policyChanges.get.output.unwrap().shape.changes,
    args: { id },
    run: async (shell, { id: text }) => {
      const { subjectId } = await findChange(shell, text);
      const { changes } = await shell.client.policyChanges.get.query({ id: subjectId });
      // A table would cut values, but whoever decides has to see them in full.
      if (shell.settings.output === "table" && shell.settings.columns === null && changes.length > 0)
        for (const change of changes) shell.printer.text(`${plain(formatWholeChange(change))}\n`);
      else shell.printer.list(changes, changeColumns, "Nothing would change.");
    },
  }),
  decide("approve", "approved"),
  decide("reject", "rejected"),
  command("approvals withdraw", {
    title: contract.policyChanges.withdraw.title,
    uses: ["policyChanges.withdraw"],
    args: { id },
    options: { reason },
    run: async (shell, { id: text, reason: why }) => {
      const { subjectId, subject, site } = await findChange(shell, text);
      await confirm(shell, [`${subject}, at site ${site ?? ""}.`], "Withdraw the change?");
      await shell.client.policyChanges.withdraw.mutate({ id: subjectId, reason: why });
      shell.printer.say("Withdrawn.");
    },
  }),
];

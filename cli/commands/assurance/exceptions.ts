// `reclaim exceptions`: gates and drives that two people let through (docs/adr/0105-exceptions-and-dispositions.md).
import { gateNames } from "@/server/domain/reclamations/gates/gate-names";
import type { ExceptionLine } from "@/server/surfaces/trpc/types";
import { act, list } from "@/cli/define/command";
import { arg, choice, flag, host, hostOption, moment, needed, opt, reason } from "@/cli/define/values";
import type { Column } from "@/cli/output/printer";

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

export const exceptions = [
  list("exceptions list", {
    of: "exceptions.list",
    options: {
      host: hostOption("only of this host"),
      all: flag("also expired, void and no longer needed ones"),
    },
    input: ({ host: of, all }) => ({ hostId: of?.id ?? null, all: all === true }),
    rows: "items",
    columns,
    perPage: 200,
    none: "No exceptions.",
  }),
  act("exceptions ask", {
    of: "exceptions.ask",
    args: { host },
    options: {
      gate: needed(choice("<gate>", "what is let through", gateNames)),
      drive: opt("<serial>", "the drive that is not sanitized, for the gate storageSanitized"),
      reason: needed(opt("<text>", "why")),
      measure: needed(opt("<text>", "compensating control, for example a locked row")),
      risk: needed(opt("<text>", "the risk that remains")),
      until: needed(moment("when it expires")),
    },
    input: ({ host: { id: hostId }, until: validUntil, ...given }) => ({ ...given, hostId, validUntil }),
    said: (_, { approvalId }) => `Requested. Another person decides: reclaim approvals approve ${approvalId}`,
  }),
  act("exceptions withdraw", {
    of: "exceptions.withdraw",
    args: { id: arg("<id>", "exception id from `exceptions list`") },
    options: { reason },
    asks: ({ id }) => [[`Exception ${id}.`], "Withdraw it? This cannot be undone."],
    said: () => "Withdrawn.",
  }),
];

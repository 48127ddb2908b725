// `reclaim audit checks`, `faults`, `self-check`, `acknowledge`: the server's self-audit.
import { setTimeout as pause } from "node:timers/promises";
import { audit } from "@/server/contract/audit-log/audit-log";
import type { SelfAuditFault, SelfAuditLine } from "@/server/contract/audit-log/self-audits";
import type { Client } from "@/cli/client";
import { command, list } from "@/cli/define/command";
import { arg, flag, needed, opt } from "@/cli/define/values";
import { CommandError } from "@/cli/exit-codes";
import type { Column, Printer } from "@/cli/output/printer";
import type { Surroundings } from "@/cli/surroundings";

const noneYet = "No self-audit has ended yet. One runs every night.";

const checkColumns: readonly Column<SelfAuditLine>[] = [
  { name: "ended", value: (row) => row.at },
  {
    name: "faults",
    value: (row) => row.faults,
    tone: (row) => (row.open > 0 ? "failed" : row.faults > 0 ? "attention" : "good"),
  },
  { name: "open", value: (row) => row.open },
  { name: "seconds", value: (row) => row.seconds },
  { name: "events", value: (row) => row.events },
  { name: "hosts", value: (row) => row.covered?.hosts ?? null },
  { name: "transitions", value: (row) => row.covered?.transitions ?? null },
  { name: "reclamations", value: (row) => row.covered?.reclamations ?? null },
  { name: "undigested", value: (row) => row.covered?.undigested ?? null, extra: true },
  { name: "by", value: (row) => row.askedBy ?? "nightly" },
  { name: "id", value: (row) => row.id, extra: true },
];

const faultColumns: readonly Column<SelfAuditFault>[] = [
  {
    name: "kind",
    value: (row) => row.label,
    tone: (row) => (row.acknowledged === null ? "failed" : null),
    whole: true,
  },
  { name: "host", value: (row) => row.hostName ?? row.hostId },
  { name: "says", value: (row) => row.says, long: true },
  { name: "acknowledged", value: (row) => row.acknowledged?.by ?? null },
  { name: "key", value: (row) => row.key, extra: true },
  { name: "reclamation", value: (row) => row.reclamationId, extra: true },
  { name: "reason", value: (row) => row.acknowledged?.reason ?? null, extra: true },
  { name: "next", value: (row) => row.next, extra: true },
];

const lookEveryMs = 1_000;

/** Waits until the requested check has ended. */
async function waitForCheck(client: Client, { interrupted }: Surroundings): Promise<void> {
  while ((await client.audit.selfAudit.query()).now !== null)
    await pause(lookEveryMs, undefined, { signal: interrupted });
}

async function tell(client: Client, printer: Printer): Promise<void> {
  const { last, faults } = await client.audit.selfAudit.query();
  if (last === null) throw new CommandError("notNow", noneYet);
  printer.list(faults, faultColumns, `Self-audit of ${printer.time(last.at)}: nothing wrong.`);
  const unnamed = last.faults - faults.length;
  if (unnamed > 0) printer.say(`${unnamed} more faults were counted and are not listed.`);
}

const faultsShape = audit.selfAudit.output.unwrap().shape.faults;

export const selfAudits = [
  list("audit checks", {
    of: "audit.checks",
    rows: "items",
    columns: checkColumns,
    perPage: 100,
    none: noneYet,
  }),
  command("audit faults", {
    title: "faults of the last self-audit, with who has acknowledged them",
    uses: ["audit.selfAudit"],
    shape: faultsShape,
    run: ({ client, printer }) => tell(client, printer),
  }),
  command("audit self-check", {
    title: audit.selfCheck.title,
    uses: ["audit.selfCheck"],
    shape: faultsShape,
    options: { wait: flag("wait until it has ended; exits with 9 if a fault is open") },
    run: async ({ client, printer, surroundings }, { wait }) => {
      const { already } = await client.audit.selfCheck.mutate({});
      printer.say(
        already
          ? "A self-audit is requested or in progress already: `reclaim audit checks` lists it when it has ended."
          : "A self-audit is requested: `reclaim audit checks` lists it when it has ended.",
      );
      if (wait !== true) return;
      await waitForCheck(client, surroundings);
      await tell(client, printer);
      const { last } = await client.audit.selfAudit.query();
      if (last !== null && last.open > 0)
        throw new CommandError("tampered", `${last.open} faults are not acknowledged.`);
    },
  }),
  command("audit acknowledge", {
    title: audit.acknowledge.title,
    uses: ["audit.acknowledge"],
    args: { keys: arg("[keys...]", "fault keys from `audit faults --columns key`; or --all") },
    options: {
      all: flag("all faults of the last self-audit, also those that are not listed"),
      reason: needed(opt("<text>", "what you found out; kept in the audit log")),
    },
    run: async ({ client, printer }, { keys, all, reason }) => {
      if ((all === true) === keys.length > 0)
        throw new CommandError("usage", "Name faults by their keys, or give --all.");
      const { last } = await client.audit.selfAudit.query();
      if (last === null) throw new CommandError("notNow", noneYet);
      const { acknowledged, open } = await client.audit.acknowledge.mutate({
        check: last.id,
        keys: all === true ? undefined : keys,
        reason,
      });
      printer.say(`${acknowledged} acknowledged, ${open} open.`);
    },
  }),
];

// `reclaim hosts lease` and `reclaim repair-systems`: who has a host, and which external systems may take one (docs/repair.md#who-has-the-host).
import { InvalidArgumentError } from "commander";
import { contract } from "@/server/contract/contract";
import type { HostLease, RepairSystem } from "@/server/surfaces/trpc/types";
import { act, command, list, show } from "@/cli/define/command";
import { arg, flag, host, needed, opt, parsed, reason } from "@/cli/define/values";
import type { Column } from "@/cli/output/printer";
import { confirm } from "@/cli/shell";

const leaseColumns: readonly Column<HostLease>[] = [
  { name: "lease", value: (row) => row.id, whole: true },
  { name: "system", value: (row) => row.system },
  { name: "state", value: (row) => row.how ?? row.state },
  { name: "taken", value: (row) => row.takenAt },
  { name: "taken by", value: (row) => row.takenBy },
  { name: "until", value: (row) => row.until },
  { name: "ended", value: (row) => row.endedAt },
  { name: "ticket", value: (row) => row.ticket },
  { name: "reason", value: (row) => row.reason, long: true },
  { name: "note", value: (row) => row.note, long: true },
];

const systemColumns: readonly Column<RepairSystem>[] = [
  { name: "name", value: (row) => row.name, whole: true },
  { name: "site", value: (row) => row.site, text: (row) => row.site ?? "every site" },
  { name: "hosts", value: (row) => row.hosts },
  { name: "overdue", value: (row) => row.overdue },
  { name: "used", value: (row) => row.lastUsedAt },
  { name: "created by", value: (row) => row.createdBy },
];

function readMoment(text: string): Date {
  const date = new Date(text);
  if (Number.isNaN(date.getTime()))
    throw new InvalidArgumentError("Must be a time such as 2026-12-01T12:00:00Z.");
  return date;
}

export const leases = [
  show("hosts lease show", {
    of: "leases.get",
    args: { host },
    input: ({ host: { id } }) => ({ hostId: id }),
    parts: (found, printer, { host: { name } }) => [
      {
        title: name,
        facts: [
          ["owner", found.words],
          ["lease", found.lease?.id ?? null],
          ["since", found.lease?.takenAt.toISOString() ?? null],
          ["until", found.lease?.until?.toISOString() ?? null],
          ["overdue", found.lease?.state === "overdue" ? "yes" : null],
          ["ticket", found.lease?.ticket ?? null],
          ["reason", found.lease?.reason ?? null],
          ["note", found.lease?.note ?? null],
          ["hand-over", found.refusal],
        ],
      },
      { title: "Earlier leases", table: printer.table(found.earlier, leaseColumns) },
    ],
  }),
  act("hosts lease give", {
    of: "leases.give",
    args: { host },
    options: {
      to: needed(opt("<system>", "the repair system; `reclaim repair-systems list` lists them")),
      reason,
      ticket: opt("<id>", "ticket of the repair system"),
      until: parsed("<time>", "when it is expected back; after that it is shown as overdue", readMoment),
      mayHoldData: flag("the repair system may access the data on the drives"),
    },
    input: ({ host: { id: hostId }, to: system, mayHoldData, ...terms }) => ({
      ...terms,
      hostId,
      system,
      mayHoldData: mayHoldData === true,
    }),
    asks: ({ host: { name }, to: system, mayHoldData }) => [
      [
        "Reclaim sends the host nothing until it is returned, and nobody can claim, clean or restart it.",
        "When it comes back it is checked again before it is allocated.",
        ...(mayHoldData === true ? ["Its drives may hold a tenant's data."] : []),
      ],
      `Hand ${name} over to ${system}?`,
    ],
    said: ({ host: { name }, to: system }, { id }) =>
      `The repair system ${system} has ${name}, by lease ${id}.`,
  }),
  command("hosts lease break", {
    title: contract.leases.break.title,
    uses: ["leases.break"],
    args: { host },
    options: { reason },
    run: async (shell, { host: { id: hostId, name }, reason: why }) => {
      const { client, printer } = shell;
      const { lease: held, words } = await client.leases.get.query({ hostId });
      if (held === null) return printer.say(`${words} There is no lease to break.`);
      await confirm(
        shell,
        [
          `${held.system} may still be working on the machine: make sure that it is not.`,
          "Its writes are refused from now on. Reclaim checks the host again, which restarts it.",
        ],
        `Break the lease of ${held.system} on ${name}?`,
      );
      await client.leases.break.mutate({ hostId, leaseId: held.id, reason: why });
      printer.say(`The lease of ${held.system} on ${name} is broken; Reclaim has the host.`);
    },
  }),
];

const name = arg("<name>", "the system's name");
const secret = ({ token }: { readonly token: string }, { name: system }: { readonly name: string }) =>
  [token, `The token of ${system}, shown this once.`] as const;

export const repairSystems = [
  list("repair-systems list", { of: "leases.systems", columns: systemColumns, none: "No repair systems." }),
  act("repair-systems add", {
    of: "leases.addSystem",
    args: { name },
    options: { site: opt("<name>", "only hosts of this site") },
    input: ({ name: system, site }) => ({ name: system, site: site ?? null }),
    secret,
  }),
  act("repair-systems renew", {
    of: "leases.renewSystem",
    args: { name },
    asks: ({ name: system }) => [
      ["Its current token stops working at once; its leases stay."],
      `Replace the token of ${system}?`,
    ],
    secret,
  }),
  act("repair-systems remove", {
    of: "leases.removeSystem",
    args: { name },
    asks: ({ name: system }) => [["Its token is refused at once."], `Remove the repair system ${system}?`],
    said: ({ name: system }) => `The repair system ${system} is removed.`,
  }),
];

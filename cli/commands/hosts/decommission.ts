// `reclaim hosts decommission`, `accept-leftovers`, `gone`: taking hosts out of the fleet for good, and their remaining records.
import { contract } from "@/server/contract/contract";
import { leftoverLine } from "@/server/contract/hosts/leftovers";
import { list as listOf } from "@/server/contract/define";
import { CommandError } from "@/cli/exit-codes";
import { findHost } from "@/cli/find";
import { actOnHosts, actResults, onHosts } from "@/cli/commands/acts";
import { readNamed } from "@/cli/commands/targets";
import { command, list } from "@/cli/define/command";
import { arg, count, flag, hostText, needed, opt, usually } from "@/cli/define/values";
import type { Column, Part, Printer } from "@/cli/output/printer";
import type { Client } from "@/cli/client";
import { toCommandError } from "@/cli/client";
import { standing } from "@/server/domain/hosts/decommission/leftovers";
import type { GoneDetail, GoneHost, HostDetail, LeftoverLine } from "@/server/surfaces/trpc/types";

const columns: readonly Column<GoneHost>[] = [
  { name: "name", value: (row) => row.name, whole: true },
  {
    name: "how",
    value: (row) => row.how,
    tone: (row) => (row.how === "decommissioned" ? null : "attention"),
  },
  { name: "gone", value: (row) => row.goneAt, text: (row, printer) => printer.age(row.goneAt) },
  { name: "serial", value: (row) => row.serial },
  { name: "site", value: (row) => row.site },
  { name: "rack", value: (row) => row.rack },
  { name: "by", value: (row) => row.byName },
  { name: "reason", value: (row) => row.reason, long: true },
  { name: "slot", value: (row) => row.slot, extra: true },
  { name: "model", value: (row) => row.model, extra: true },
  { name: "hostId", value: (row) => row.hostId, extra: true },
  { name: "id", value: (row) => row.id, extra: true },
];

const leftoverColumns: readonly Column<LeftoverLine>[] = [
  { name: "leftover", value: (row) => row.what, whole: true },
  { name: "outcome", value: (row) => row.outcome },
  { name: "message", value: (row) => row.message },
  { name: "accepted", value: (row) => row.accepted?.reason ?? null },
  { name: "acceptedBy", value: (row) => row.accepted?.by ?? null },
  { name: "key", value: (row) => row.key, extra: true },
];

const goneState = {
  decommissioned: { text: "gone: decommissioned, its certificate says what is proven", tone: "neutral" },
  deleted: { text: "gone: deleted, nothing was proven", tone: "attention" },
  fake: { text: "gone: fake hardware, there was no machine", tone: "neutral" },
} as const;

/** The output of `reclaim hosts show` for a gone host. */
function goneParts(gone: GoneDetail, printer: Printer): readonly Part[] {
  return [
    {
      facts: [
        ["name", gone.name],
        ["id", gone.hostId],
        ["state", goneState[gone.how]],
        ["since", printer.timeAndAge(gone.goneAt)],
        ["by", gone.byName],
        ["reason", gone.reason],
        ["serial", gone.serial],
        ["model", [gone.manufacturer, gone.model].filter((part) => part !== null).join(" ")],
        ["place", [gone.site, gone.rack, gone.slot].filter((part) => part !== null).join(", ")],
        [
          "debts",
          gone.debts === 0 ? null : { text: `${gone.debts} sanitizations are still due`, tone: "attention" },
        ],
        ["enrolled again as", gone.returnedAs],
        ["reclamations", gone.reclamations.map(({ number, kind }) => `${number} ${kind}`).join(", ")],
      ],
    },
    { title: "Leftovers", table: printer.table(gone.leftovers, leftoverColumns) },
  ];
}

/** The record of a gone host, if the text does not name a current host; null if there is no such record either. */
export async function readGoneUnlessKnown(client: Client, text: string): Promise<GoneDetail | null> {
  if ((await client.hosts.find.query({ text })).length > 0) return null;
  try {
    return await client.hosts.goneOne.query({ host: text });
  } catch (error) {
    if (toCommandError(error)?.exit === "notFound") return null;
    throw error;
  }
}

export const showGone = (printer: Printer, gone: GoneDetail): void =>
  printer.show(gone, goneParts(gone, printer));

/** The leftovers to accept: those named, or all that remain. */
function keysOf(host: HostDetail, named: readonly string[]): readonly string[] {
  const stand = standing(host.leaving?.leftovers ?? []);
  if (stand.length === 0) throw new CommandError("notNow", `${host.name} has no leftover to accept.`);
  if (named.length === 0) return stand.map(({ key }) => key);
  return named.map((name) => {
    const found = stand.find(({ key, what }) => key === name || what === name);
    if (found !== undefined) return found.key;
    throw new CommandError(
      "notFound",
      `There is no leftover ${name} to accept.`,
      `There are: ${stand.map(({ what }) => what).join(", ")}.`,
    );
  });
}

export const decommission = [
  onHosts("hosts decommission", {
    intent: "decommission",
    title: contract.host.decommission.title,
    uses: ["host.decommission"],
    goal: "gone",
    options: {
      reason: needed(opt("<text>", "reason, for example an RMA number")),
      keepAccount: flag("keep the BMC account that Reclaim signs in with"),
    },
    perform: ({ client }, seen, { reason, keepAccount }) =>
      client.host.decommission.mutate({ ...seen, reason, keepAccount: keepAccount === true }),
  }),
  command("hosts accept-leftovers", {
    title: contract.host.acceptLeftovers.title,
    uses: ["host.acceptLeftovers"],
    shape: actResults,
    args: {
      host: arg("<host>", hostText),
      leftover: arg("[leftover...]", "leftovers from `reclaim hosts leftovers`; default: all that remain"),
    },
    options: { reason: needed(opt("<text>", "why the host may leave with them")) },
    run: async (shell, { host: text, leftover: named, reason }) => {
      const seen = await readNamed(shell, [text]);
      const keys = seen.hosts.flatMap((host) => keysOf(host, named));
      await actOnHosts(shell, seen, {
        intent: "acceptLeftovers",
        consequences: keys,
        perform: (one) => shell.client.host.acceptLeftovers.mutate({ ...one, reason, keys: [...keys] }),
      });
    },
  }),
  command("hosts leftovers", {
    title: "the leftovers of a host that is being decommissioned or has left, with their outcomes",
    uses: ["host.get", "hosts.goneOne"],
    shape: listOf(leftoverLine),
    args: { host: arg("<host>", "name, id, or serial number of a host that has left") },
    run: async ({ client, printer }, { host: text }) => {
      const gone = await readGoneUnlessKnown(client, text);
      const leftovers =
        gone?.leftovers ??
        (await client.host.get.query({ host: (await findHost(client, text)).id })).leaving?.leftovers;
      printer.list(
        leftovers ?? [],
        leftoverColumns,
        "No leftovers are listed: the host is not being decommissioned.",
      );
    },
  }),
  list("hosts gone", {
    of: "hosts.gone",
    args: { text: usually(arg("[text]", "a part of a name, serial number or reason"), "") },
    options: { limit: usually(count, 200) },
    input: ({ text, limit }) => ({ text, limit: Math.min(200, limit) }),
    rows: "rows",
    columns,
    none: "No host has left the fleet.",
    then: ({ rows, first: { total } }) => (rows.length < total ? [`${rows.length} of ${total} hosts.`] : []),
  }),
];

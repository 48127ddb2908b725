// `reclaim hosts lease` and `reclaim repair-systems`: who has a host, and which external systems may take one (docs/repair.md#who-has-the-host).
import { InvalidArgumentError } from "commander";
import type { Command } from "commander";
import { contract } from "@/server/contract/contract";
import type { HostLease, RepairSystem } from "@/server/surfaces/trpc/types";
import { findHost } from "@/cli/find";
import type { Column } from "@/cli/output/printer";
import { confirm, openShell } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";

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

function addShow(lease: Command, surroundings: Surroundings): void {
  lease
    .command("show")
    .description(contract.leases.get.title)
    .argument("<host>", "name, id, or the start of either")
    .action(async (text: string, _options: object, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const { id: hostId, name } = await findHost(client, text);
      const found = await client.leases.get.query({ hostId });
      const { lease: held } = found;
      printer.show(found, [
        {
          title: name,
          facts: [
            ["owner", found.words],
            ["lease", held?.id ?? null],
            ["since", held?.takenAt.toISOString() ?? null],
            ["until", held?.until?.toISOString() ?? null],
            ["overdue", held?.state === "overdue" ? "yes" : null],
            ["ticket", held?.ticket ?? null],
            ["reason", held?.reason ?? null],
            ["note", held?.note ?? null],
            ["hand-over", found.refusal],
          ],
        },
        { title: "Earlier leases", table: printer.table(found.earlier, leaseColumns) },
      ]);
    });
}

interface GiveOptions {
  readonly to: string;
  readonly reason: string;
  readonly ticket?: string;
  readonly until?: Date;
  readonly mayHoldData?: boolean;
}

function addGive(lease: Command, surroundings: Surroundings): void {
  lease
    .command("give")
    .description(contract.leases.give.title)
    .argument("<host>", "name, id, or the start of either")
    .requiredOption("--to <system>", "the repair system; `reclaim repair-systems list` lists them")
    .requiredOption("--reason <text>", "why")
    .option("--ticket <id>", "of the repair system")
    .option("--until <time>", "when it is expected back; after that it is shown as overdue", readMoment)
    .option("--may-hold-data", "the repair system may access the data on the drives")
    .action(async (text: string, options: GiveOptions, command: Command) => {
      const { to: system, mayHoldData = false, ...terms } = options;
      const shell = await openShell(command, surroundings);
      const { id: hostId, name } = await findHost(shell.client, text);
      await confirm(
        shell,
        [
          "Reclaim sends the host nothing until it is returned, and nobody can claim, clean or restart it.",
          "When it comes back it is checked again before it is allocated.",
          ...(mayHoldData ? ["Its drives may hold a tenant's data."] : []),
        ],
        `Hand ${name} over to ${system}?`,
      );
      const { id } = await shell.client.leases.give.mutate({ hostId, system, mayHoldData, ...terms });
      shell.printer.say(`The repair system ${system} has ${name}, by lease ${id}.`);
    });
}

function addBreak(lease: Command, surroundings: Surroundings): void {
  lease
    .command("break")
    .description(contract.leases.break.title)
    .argument("<host>", "name, id, or the start of either")
    .requiredOption("--reason <text>", "why")
    .action(async (text: string, { reason }: { reason: string }, command: Command) => {
      const shell = await openShell(command, surroundings);
      const { client, printer } = shell;
      const { id: hostId, name } = await findHost(client, text);
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
      await client.leases.break.mutate({ hostId, leaseId: held.id, reason });
      printer.say(`The lease of ${held.system} on ${name} is broken; Reclaim has the host.`);
    });
}

/** @param hosts the command `reclaim hosts` */
export function addLeases(hosts: Command, surroundings: Surroundings): void {
  const lease = hosts
    .command("lease")
    .description("who has a host: show, give it to a repair system, break the lease of one");
  addShow(lease, surroundings);
  addGive(lease, surroundings);
  addBreak(lease, surroundings);
}

function addSystemActs(systems: Command, surroundings: Surroundings): void {
  systems
    .command("add")
    .description(contract.leases.addSystem.title)
    .argument("<name>", "of the system")
    .option("--site <name>", "only hosts of this site")
    .action(async (name: string, { site }: { site?: string }, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const made = await client.leases.addSystem.mutate({ name, site: site ?? null });
      printer.secret(made, made.token, `The token of ${name}, shown this once.`);
    });
  systems
    .command("renew")
    .description(contract.leases.renewSystem.title)
    .argument("<name>", "of the system")
    .action(async (name: string, _options: object, command: Command) => {
      const shell = await openShell(command, surroundings);
      await confirm(
        shell,
        ["Its current token stops working at once; its leases stay."],
        `Replace the token of ${name}?`,
      );
      const made = await shell.client.leases.renewSystem.mutate({ name });
      shell.printer.secret(made, made.token, `The token of ${name}, shown this once.`);
    });
  systems
    .command("remove")
    .description(contract.leases.removeSystem.title)
    .argument("<name>", "of the system")
    .action(async (name: string, _options: object, command: Command) => {
      const shell = await openShell(command, surroundings);
      await confirm(shell, ["Its token is refused at once."], `Remove the repair system ${name}?`);
      await shell.client.leases.removeSystem.mutate({ name });
      shell.printer.say(`The repair system ${name} is removed.`);
    });
}

export function addRepairSystems(program: Command, surroundings: Surroundings): void {
  const systems = program
    .command("repair-systems")
    .description("external systems that may take hosts for repair: list, add, renew, remove");
  systems
    .command("list")
    .alias("ls")
    .description(contract.leases.systems.title)
    .action(async (_options: object, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      printer.list(await client.leases.systems.query(), systemColumns, "No repair systems.");
    });
  addSystemActs(systems, surroundings);
}

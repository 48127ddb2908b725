// `reclaim hosts drives`, `dispose-drive`, `withdraw-disposition`, `assign-sku`: missing drives that are owed, and the SKU that a host is compared with.
import { Option } from "commander";
import type { Command } from "commander";
import { contract } from "@/server/contract/contract";
import { dispositionKinds, dispositionTable } from "@/server/domain/cleaning/sanitization/disposition-kinds";
import type { DispositionKind } from "@/server/domain/cleaning/sanitization/disposition-kinds";
import type { HostDetail } from "@/server/surfaces/trpc/types";
import { CommandError } from "@/cli/exit-codes";
import { findHost } from "@/cli/find";
import { actOnHosts } from "@/cli/commands/acts";
import { readNamed, readTargets } from "@/cli/commands/targets";
import type { TargetOptions } from "@/cli/commands/targets";
import { yesNo } from "@/cli/output/text";
import type { Column } from "@/cli/output/printer";
import { openShell } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";

type Drive = HostDetail["unaccounted"][number];

const columns: readonly Column<Drive>[] = [
  { name: "drive", value: (row) => row.key, whole: true },
  { name: "model", value: (row) => row.model },
  { name: "slot", value: (row) => row.slot },
  { name: "knownBy", value: (row) => row.knownBy },
  { name: "listedByBmc", value: (row) => row.listedByBmc, text: (row) => yesNo(row.listedByBmc) },
  { name: "disposition", value: (row) => row.disposition?.kind ?? null, whole: true },
  { name: "signature", value: (row) => row.disposition?.signature ?? null },
  { name: "by", value: (row) => row.disposition?.by ?? null },
  { name: "signed by", value: (row) => row.disposition?.signedBy ?? null, extra: true },
  { name: "reason", value: (row) => row.disposition?.reason ?? null, long: true },
  { name: "at", value: (row) => row.disposition?.at ?? null, extra: true },
];

const hostText = "name, id, or the start of either";
const driveText = "serial number, as `reclaim hosts drives` lists it";

function addReads(hosts: Command, surroundings: Surroundings): void {
  hosts
    .command("drives")
    .description("missing drives of a host, and their dispositions")
    .argument("<host>", hostText)
    .action(async (text: string, _options: object, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const host = await client.host.get.query({ host: (await findHost(client, text)).id });
      printer.list(host.unaccounted, columns, "No drives are missing.");
    });
}

function addStatements(hosts: Command, surroundings: Surroundings): void {
  hosts
    .command("dispose-drive")
    .description(contract.host.disposeDrive.title)
    .argument("<host>", hostText)
    .argument("<drive>", driveText)
    .addOption(
      new Option("--as <kind>", "what became of it").choices([...dispositionKinds]).makeOptionMandatory(),
    )
    .requiredOption("--reason <text>", "reason, for example a certificate or RMA number")
    .option("--slot <slot>", "with misread: the slot that holds a drive with another serial number")
    .action(
      async (
        host: string,
        drive: string,
        options: { as: DispositionKind; reason: string; slot?: string },
        command: Command,
      ) => {
        const shell = await openShell(command, surroundings);
        const slot = options.slot === undefined ? {} : { slot: options.slot };
        await actOnHosts(shell, await readNamed(shell, [host]), {
          intent: "disposeDrive",
          consequences: [dispositionTable[options.as].consequence],
          perform: ({ hostId }) =>
            shell.client.host.disposeDrive.mutate({
              hostId,
              drive,
              kind: options.as,
              reason: options.reason,
              ...slot,
            }),
        });
      },
    );
  hosts
    .command("withdraw-disposition")
    .description(contract.host.withdrawDisposition.title)
    .argument("<host>", hostText)
    .argument("<drive>", driveText)
    .requiredOption("--reason <text>", "why")
    .action(async (text: string, drive: string, { reason }: { reason: string }, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const { id, name } = await findHost(client, text);
      await client.host.withdrawDisposition.mutate({ hostId: id, drive, reason });
      printer.say(`${name}: the disposition of drive ${drive} was withdrawn`);
    });
}

interface AssignAsked extends TargetOptions {
  readonly none?: boolean;
  readonly reason?: string;
}

/** @param hosts the command `reclaim hosts` */
export function addDrives(hosts: Command, surroundings: Surroundings): void {
  addReads(hosts, surroundings);
  addStatements(hosts, surroundings);
  hosts
    .command("assign-sku")
    .description(contract.host.assignSku.title)
    .argument("[host]", `${hostText}; with --filter left out`)
    .argument("[sku]", "its name")
    .option("--filter <filter>", "or all hosts that match, as in `reclaim hosts list`; asks first")
    .option("--dry-run", "dry run: show which hosts qualify")
    .option("--none", "remove the SKU: the host is matched again")
    .option("--reason <words>", "kept in the audit log")
    .action(
      async (first: string | undefined, second: string | undefined, asked: AssignAsked, command: Command) => {
        const { none, reason, filter } = asked;
        const [text, sku] = filter === undefined ? [first, second] : [undefined, first];
        if (filter !== undefined && second !== undefined)
          throw new CommandError("usage", "Name either a host or --filter.");
        if ((sku === undefined) !== (none === true))
          throw new CommandError("usage", "Name either a SKU or --none.");
        const shell = await openShell(command, surroundings);
        await actOnHosts(shell, await readTargets(shell, text === undefined ? [] : [text], asked), {
          intent: "assignSku",
          perform: ({ hostId }) =>
            shell.client.host.assignSku.mutate({
              hostId,
              sku: sku ?? null,
              ...(reason === undefined ? {} : { reason }),
            }),
        });
      },
    );
}

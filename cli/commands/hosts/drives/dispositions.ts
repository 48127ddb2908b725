// `reclaim hosts drives`, `dispose-drive`, `withdraw-disposition`, `assign-sku`: missing drives that are owed, and the SKU that a host is compared with.
import { contract } from "@/server/contract/contract";
import { list as listOf } from "@/server/contract/define";
import { dispositionKinds, dispositionTable } from "@/server/domain/cleaning/sanitization/disposition-kinds";
import { unaccountedDrive } from "@/server/domain/cleaning/sanitization/unaccounted";
import type { HostDetail } from "@/server/surfaces/trpc/types";
import { CommandError } from "@/cli/exit-codes";
import { actOnHosts, actResults } from "@/cli/commands/acts";
import { readNamed, readTargets, targetOptions } from "@/cli/commands/targets";
import { act, command, derived } from "@/cli/define/command";
import { arg, choice, flag, host, hostText, needed, opt, reason } from "@/cli/define/values";
import { yesNo } from "@/cli/output/text";
import type { Column } from "@/cli/output/printer";

type Drive = HostDetail["unaccounted"][number];

const columns: readonly Column<Drive>[] = [
  { name: "drive", value: (row) => row.key, whole: true },
  { name: "model", value: (row) => row.model },
  { name: "slot", value: (row) => row.slot },
  { name: "knownBy", value: (row) => row.knownBy },
  { name: "listedByBmc", value: (row) => row.listedByBmc, text: (row) => yesNo(row.listedByBmc) },
  { name: "successor", value: (row) => row.successor, extra: true },
  { name: "disposition", value: (row) => row.disposition?.kind ?? null, whole: true },
  { name: "signature", value: (row) => row.disposition?.signature ?? null },
  { name: "by", value: (row) => row.disposition?.by ?? null },
  { name: "signed by", value: (row) => row.disposition?.signedBy ?? null, extra: true },
  { name: "reason", value: (row) => row.disposition?.reason ?? null, long: true },
  { name: "at", value: (row) => row.disposition?.at ?? null, extra: true },
];

const drive = arg("<drive>", "serial number from `reclaim hosts drives`");

export const dispositions = [
  derived("hosts drives", {
    of: "host.get",
    title: "missing drives of a host, and their dispositions",
    args: { host },
    input: ({ host: { id } }) => ({ host: id }),
    rows: ({ unaccounted }) => unaccounted,
    shape: listOf(unaccountedDrive),
    columns,
    none: "No drives are missing.",
  }),
  command("hosts dispose-drive", {
    title: contract.host.disposeDrive.title,
    uses: ["host.disposeDrive"],
    shape: actResults,
    args: { host: arg("<host>", hostText), drive },
    options: {
      as: needed(choice("<kind>", "what became of it", dispositionKinds)),
      reason: needed(opt("<text>", "reason, for example a certificate or RMA number")),
      slot: opt("<slot>", "with misread: the slot that holds a drive with another serial number"),
    },
    run: async (shell, { host: name, drive: serial, as: kind, reason: why, slot }) =>
      actOnHosts(shell, await readNamed(shell, [name]), {
        intent: "disposeDrive",
        consequences: [dispositionTable[kind].consequence],
        perform: ({ hostId }) =>
          shell.client.host.disposeDrive.mutate({
            ...{ hostId, drive: serial, kind, reason: why },
            ...(slot === undefined ? {} : { slot }),
          }),
      }),
  }),
  act("hosts withdraw-disposition", {
    of: "host.withdrawDisposition",
    args: { host, drive },
    options: { reason },
    input: ({ host: { id: hostId }, ...given }) => ({ ...given, hostId }),
    said: ({ host: { name }, drive: serial }) => `${name}: the disposition of drive ${serial} was withdrawn`,
  }),
  command("hosts assign-sku", {
    title: contract.host.assignSku.title,
    uses: ["host.assignSku"],
    shape: actResults,
    args: {
      host: arg("[host]", `${hostText}; omit it with --filter`),
      sku: arg("[sku]", "name of the SKU"),
    },
    options: {
      ...targetOptions,
      none: flag("remove the SKU: the host is matched again"),
      reason: opt("<text>", "why; kept in the audit log"),
    },
    run: async (shell, { host: first, sku: second, none, reason: why, filter, dryRun }) => {
      const [text, sku] = filter === undefined ? [first, second] : [undefined, first];
      if (filter !== undefined && second !== undefined)
        throw new CommandError("usage", "Name either a host or --filter.");
      if ((sku === undefined) !== (none === true))
        throw new CommandError("usage", "Name either a SKU or --none.");
      await actOnHosts(
        shell,
        await readTargets(shell, text === undefined ? [] : [text], { filter, dryRun }),
        {
          intent: "assignSku",
          perform: ({ hostId }) =>
            shell.client.host.assignSku.mutate({
              ...{ hostId, sku: sku ?? null },
              ...(why === undefined ? {} : { reason: why }),
            }),
        },
      );
    },
  }),
];

// `reclaim instances receipt`: the progress of a released machine, and finally what is on record of it.
import type { Command } from "commander";
import { contract } from "@/server/contract/contract";
import type { InstanceReceipt, ReceiptDrive, ReceiptStep } from "@/server/surfaces/trpc/types";
import { findInstance } from "@/cli/find";
import type { Column, Part, Printer } from "@/cli/output/printer";
import { openShell } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";

const stepColumns: readonly Column<ReceiptStep>[] = [
  { name: "step", value: (row) => row.words, whole: true },
  { name: "state", value: (row) => row.state, whole: true },
  { name: "over", value: (row) => row.at },
];

const driveColumns: readonly Column<ReceiptDrive>[] = [
  { name: "drive", value: (row) => row.serial, whole: true },
  { name: "model", value: (row) => row.model },
  { name: "bytes", value: (row) => row.capacityBytes },
  {
    name: "state",
    value: (row) => (row.percent === null ? row.state : `${row.state}, ${Math.round(row.percent)} %`),
    whole: true,
  },
  { name: "technique", value: (row) => row.technique ?? row.statement },
  { name: "level", value: (row) => (row.level === null ? null : `${row.level} (${row.standard ?? ""})`) },
  { name: "read back", value: (row) => row.verification },
  { name: "time", value: (row) => row.at },
];

/** `reclaim instances receipt`. */
export function addReceipt(instances: Command, surroundings: Surroundings): void {
  instances
    .command("receipt")
    .description(contract.instances.receipt.title)
    .argument("<instance>", "name, id, or the start of either")
    .action(async (text: string, _options: object, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const { id } = await findInstance(client, text);
      const receipt = await client.instances.receipt.query({ id });
      printer.show(receipt, partsOf(receipt, printer));
    });
}

function partsOf(receipt: InstanceReceipt, printer: Printer): readonly Part[] {
  const { instance, machine, tenant, checks, limits } = receipt;
  return [
    {
      facts: [
        ["instance", instance.name],
        ["id", instance.id],
        ["tenant", `${tenant.name} (${tenant.org})`],
        ["machine", machine.id],
        ["site", machine.site],
        ["sku", machine.sku],
        ["released", printer.timeAndAge(instance.releaseRequestedAt)],
        ["ended", printer.timeAndAge(instance.endedAt)],
        ["result", receipt.result],
        ["checked", printer.timeAndAge(receipt.provenAt)],
        ["reclamation", receipt.reclamationId],
        ["that is", receipt.says],
        ["waits", receipt.attention ? "The provider has to check the machine before it continues." : null],
      ],
    },
    { title: "Steps", table: printer.table(receipt.steps, stepColumns) },
    ...(receipt.drives.length === 0
      ? []
      : [{ title: "Drives", table: printer.table(receipt.drives, driveColumns) }]),
    ...(checks.length === 0
      ? []
      : [{ title: "Checks", facts: checks.map(({ meaning, status }) => [meaning, status] as const) }]),
    ...(limits.length === 0
      ? []
      : [
          {
            title: "What this does not prove",
            facts: limits.map((limit, index) => [String(index + 1), limit] as const),
          },
        ]),
  ];
}

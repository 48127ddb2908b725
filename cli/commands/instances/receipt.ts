// `reclaim instances receipt`: the progress of a released machine, and finally what is on record of it.
import type { InstanceReceipt, ReceiptDrive, ReceiptStep } from "@/server/surfaces/trpc/types";
import { show } from "@/cli/define/command";
import { instance } from "@/cli/define/values";
import type { Column, Part, Printer } from "@/cli/output/printer";

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

function partsOf(told: InstanceReceipt, printer: Printer): readonly Part[] {
  const { instance: released, machine, tenant, checks, limits } = told;
  return [
    {
      facts: [
        ["instance", released.name],
        ["id", released.id],
        ["tenant", `${tenant.name} (${tenant.org})`],
        ["machine", machine.id],
        ["site", machine.site],
        ["sku", machine.sku],
        ["released", printer.timeAndAge(released.releaseRequestedAt)],
        ["ended", printer.timeAndAge(released.endedAt)],
        ["result", told.result],
        ["checked", printer.timeAndAge(told.provenAt)],
        ["reclamation", told.reclamationId],
        ["meaning", told.says],
        ["waits", told.attention ? "The provider has to check the machine before it continues." : null],
      ],
    },
    { title: "Steps", table: printer.table(told.steps, stepColumns) },
    ...(told.drives.length === 0
      ? []
      : [{ title: "Drives", table: printer.table(told.drives, driveColumns) }]),
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

export const receipt = show("instances receipt", {
  of: "instances.receipt",
  args: { instance },
  input: ({ instance: { id } }) => ({ id }),
  parts: partsOf,
});

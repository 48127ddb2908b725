"use client";
// The drives that a machine had at its release, and what is on record for each.
import { Mark } from "@/components/ui/mark";
import { formatBytes } from "@/components/ui/format/bytes";
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable } from "@/components/ui/table/data-table";
import { ProofTime, proofTimeWidth } from "@/components/ui/time/time";
import { driveLooks } from "@/components/instances/receipt/receipt-look";
import type { ReceiptDrive } from "@/server/surfaces/trpc/types";

const columns: readonly TableColumn<ReceiptDrive>[] = [
  {
    id: "drive",
    label: "Drive",
    width: 176,
    narrow: "top-start",
    rowHeader: true,
    className: "mono",
    cell: ({ serial }) => serial,
  },
  {
    id: "model",
    label: "Model, size",
    width: 208,
    narrow: "bottom-start",
    className: "text-soft wrapping",
    cell: ({ model, capacityBytes }) =>
      [model, capacityBytes === null ? null : formatBytes(capacityBytes)]
        .filter((part) => part !== null)
        .join(", ") || "not on record",
  },
  {
    id: "state",
    label: "State",
    width: 152,
    narrow: "top-end",
    cell: ({ state, percent }) => (
      <span className="marked-text">
        <Mark tone={driveLooks[state].tone} live={state === "erasing"} label="" />
        <span className="cut">
          {driveLooks[state].words}
          {percent === null ? "" : `, ${Math.round(percent)} %`}
        </span>
      </span>
    ),
  },
  {
    id: "how",
    label: "Method and read-back",
    narrow: "line",
    className: "text-soft wrapping",
    cell: ({ technique, level, standard, verification, statement }) =>
      technique === null ? (
        statement
      ) : (
        <>
          <span className="mono">{technique}</span>, {level} by {standard}; {verification ?? "not read back"}
        </>
      ),
  },
  {
    id: "time",
    label: "Time",
    width: proofTimeWidth,
    align: "end",
    narrow: "bottom-end",
    className: "text-quiet",
    cell: ({ at }) => (at === null ? null : <ProofTime at={at} />),
  },
];

export const ReceiptDrives = ({ drives }: { drives: readonly ReceiptDrive[] }) => (
  <DataTable caption="Drives" columns={columns} rows={drives} rowId={({ serial }) => serial} />
);

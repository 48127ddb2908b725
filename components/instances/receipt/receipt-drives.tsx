"use client";
// The drives that a machine had at its release, and what is on record for each.
import { Mark } from "@/components/ui/mark";
import { formatBytes } from "@/components/ui/format/bytes";
import { columnsOf } from "@/components/ui/table/column";
import { DataTable } from "@/components/ui/table/data-table";
import { driveLooks } from "@/components/instances/receipt/receipt-look";
import type { ReceiptDrive } from "@/server/surfaces/trpc/types";

const column = columnsOf<ReceiptDrive>();

const columns = [
  column.name("drive", "Drive", ({ serial }) => serial, { width: 176, className: "mono" }),
  column.cell(
    "model",
    "Model, size",
    ({ model, capacityBytes }) =>
      [model, capacityBytes === null ? null : formatBytes(capacityBytes)]
        .filter((part) => part !== null)
        .join(", ") || "not on record",
    { width: 208, narrow: "bottom-start", className: "text-soft wrapping" },
  ),
  column.cell(
    "state",
    "State",
    ({ state, percent }) => (
      <span className="marked-text">
        <Mark tone={driveLooks[state].tone} live={state === "erasing"} label="" />
        <span className="cut">
          {driveLooks[state].words}
          {percent === null ? "" : `, ${Math.round(percent)} %`}
        </span>
      </span>
    ),
    { width: 152, narrow: "top-end" },
  ),
  column.cell(
    "how",
    "Method and read-back",
    ({ technique, level, standard, verification, statement }) =>
      technique === null ? (
        statement
      ) : (
        <>
          <span className="mono">{technique}</span>, {level} by {standard}; {verification ?? "not read back"}
        </>
      ),
    { narrow: "line", className: "text-soft wrapping" },
  ),
  column.proofTime("time", "Time", ({ at }) => at, {
    align: "end",
    narrow: "bottom-end",
    className: "text-quiet",
    none: null,
  }),
];

export const ReceiptDrives = ({ drives }: { drives: readonly ReceiptDrive[] }) => (
  <DataTable caption="Drives" columns={columns} rows={drives} rowId={({ serial }) => serial} />
);

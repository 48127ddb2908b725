"use client";
// The parts that a host's SKU requires, next to those that the agent found.
import { formatBytes } from "@/components/ui/format/bytes";
import { Empty } from "@/components/ui/empty";
import { Mark } from "@/components/ui/mark";
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable } from "@/components/ui/table/data-table";
import type { HostInventoryView } from "@/server/surfaces/trpc/types";

type Part = HostInventoryView["components"][number];

/** Byte counts in a readable unit; anything else unchanged. */
const formatPart = (what: string, value: string) =>
  what.endsWith(" bytes") && !/\d/.test(what) ? formatBytes(value) : value;

/** "NVMe drives 3.84 TB" from "nvme 3840755982336 bytes". */
const partLabel = (what: string) =>
  what
    .replace(/^nvme\b/, "NVMe drives")
    .replace(/\b\d+ bytes$/, (bytes) => formatBytes(bytes.replace(" bytes", "")))
    .replace(/ bytes$/, "");

export function PartsTable({ parts, hasSku }: { parts: readonly Part[]; hasSku: boolean }) {
  return (
    <DataTable
      caption="Parts against the SKU"
      columns={columns}
      rows={parts}
      rowId={({ what }) => what}
      empty={
        <Empty title="Nothing to compare yet">
          {hasSku
            ? "The agent has not taken an inventory of this host."
            : "Without a SKU there is nothing to compare an inventory with."}
        </Empty>
      }
    />
  );
}

const columns: readonly TableColumn<Part>[] = [
  {
    id: "part",
    label: "Part",
    narrow: "top-start",
    rowHeader: true,
    cell: ({ what }) => partLabel(what),
  },
  {
    id: "required",
    label: "Required",
    narrow: "bottom-start",
    className: "text-quiet",
    cell: ({ what, wanted }) => formatPart(what, wanted),
  },
  { id: "found", label: "Found", narrow: "bottom-end", cell: ({ what, found }) => formatPart(what, found) },
  {
    id: "result",
    label: "Result",
    narrow: "top-end",
    sort: ({ same }) => (same ? 1 : 0),
    cell: ({ same }) => (
      <span className="marked-text">
        <Mark tone={same ? "good" : "failed"} label="" />
        <span className={same ? "text-quiet" : "tone"} data-tone="failed">
          {same ? "same" : "differs"}
        </span>
      </span>
    ),
  },
];

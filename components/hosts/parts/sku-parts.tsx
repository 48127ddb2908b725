"use client";
// The parts that a host's SKU requires, next to those that the agent found.
import { AgentAge } from "@/components/hosts/inventory/reading-age";
import { Empty } from "@/components/ui/empty";
import { formatBytes } from "@/components/ui/format/bytes";
import { Mark } from "@/components/ui/mark";
import { columnsOf } from "@/components/ui/table/column";
import { DataTable } from "@/components/ui/table/data-table";
import type { HostInventoryView } from "@/server/surfaces/trpc/types";

type Component = HostInventoryView["components"][number];

/** Byte counts in a readable unit; anything else unchanged. */
const formatPart = (what: string, value: string) =>
  what.endsWith(" bytes") && !/\d/.test(what) ? formatBytes(value) : value;

/** "NVMe drives 3.84 TB" from "nvme 3840755982336 bytes". */
const partLabel = (what: string) =>
  what
    .replace(/^nvme\b/, "NVMe drives")
    .replace(/\b\d+ bytes$/, (bytes) => formatBytes(bytes.replace(" bytes", "")))
    .replace(/ bytes$/, "");

export function SkuParts({ sku, inventory }: { sku: string | null; inventory: HostInventoryView }) {
  return (
    <>
      <div className="sec">
        <h2>Parts</h2>
        <span className="sum cut">
          {sku === null ? "no SKU is assigned" : `what SKU ${sku} requires, and what the agent found`}
          <AgentAge inventory={inventory} />
        </span>
      </div>
      <PartsTable parts={inventory.components} hasSku={sku !== null} />
    </>
  );
}

function PartsTable({ parts, hasSku }: { parts: readonly Component[]; hasSku: boolean }) {
  return (
    <DataTable
      caption="Parts against the SKU"
      columns={componentColumns}
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

const componentColumn = columnsOf<Component>();

const componentColumns = [
  componentColumn.cell("part", "Part", ({ what }) => partLabel(what), {
    narrow: "top-start",
    rowHeader: true,
  }),
  componentColumn.cell("required", "Required", ({ what, wanted }) => formatPart(what, wanted), {
    narrow: "bottom-start",
    className: "text-quiet",
  }),
  componentColumn.cell("found", "Found", ({ what, found }) => formatPart(what, found), {
    narrow: "bottom-end",
  }),
  componentColumn.cell(
    "result",
    "Result",
    ({ same }) => (
      <span className="marked-text">
        <Mark tone={same ? "good" : "failed"} label="" />
        <span className={same ? "text-quiet" : "tone"} data-tone="failed">
          {same ? "same" : "differs"}
        </span>
      </span>
    ),
    { narrow: "top-end", sort: ({ same }) => (same ? 1 : 0) },
  ),
];

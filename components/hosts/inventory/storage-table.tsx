"use client";
// A host's drives: missing, accounted for by a disposition, present, and excluded.
import { formatBytes } from "@/components/ui/format/bytes";
import { formatList } from "@/server/domain/numbers";
import { Empty } from "@/components/ui/empty";
import { Mark } from "@/components/ui/mark";
import { columnsOf } from "@/components/ui/table/column";
import { DataTable } from "@/components/ui/table/data-table";
import { routes } from "@/server/domain/console/routes";
import type { HostInventoryView } from "@/server/surfaces/trpc/types";
import { sourceLabels } from "@/components/hosts/inventory/source-labels";

interface StorageRow {
  readonly serial: string;
  readonly model: string;
  /** The drive as an inventory lists it; null if none does. */
  readonly found: HostInventoryView["known"][number] | null;
  readonly status: string;
  readonly tone: "failed" | "ordinary" | "quiet";
}

/** One row per device: missing ones first, then those with a disposition, present ones, and excluded ones. */
function storageRows({ known, missing, excluded, answered }: HostInventoryView): readonly StorageRow[] {
  const foundOf = (serial: string) => known.find((device) => device.serial === serial) ?? null;
  const there = known.filter(({ serial }) => !missing.some((device) => device.serial === serial));
  return [
    ...missing.map(({ serial, model, knownBy }): StorageRow => ({
      serial,
      model,
      found: foundOf(serial),
      status: `missing; known by ${knownBy}`,
      tone: "failed",
    })),
    ...answered.map(({ serial, model, words }): StorageRow => ({
      serial,
      model,
      found: null,
      status: words,
      tone: "quiet",
    })),
    ...there.map((found): StorageRow => ({
      serial: found.serial,
      model: found.model,
      found,
      tone: "ordinary",
      status: `known by ${formatList(found.sources.map((source) => sourceLabels[source] ?? source))}`,
    })),
    ...excluded.map(({ serial, model, reason }): StorageRow => ({
      serial,
      model,
      found: null,
      status: `left out: ${reason}`,
      tone: "quiet",
    })),
  ];
}

const mediaLabels: Readonly<Record<string, string>> = { nvme: "NVMe", ssd: "SSD", hdd: "HDD", usb: "USB" };

export function StorageTable({ inventory }: { inventory: HostInventoryView }) {
  return (
    <DataTable
      caption="Storage devices"
      columns={columns}
      rows={storageRows(inventory)}
      rowId={(row) => `${row.tone} ${row.serial} ${row.model}`}
      empty={
        <Empty title="No device list yet">
          The list is built when a reclamation plans its steps: all devices that the BMC or the agent reports
          or an open debt names. A device that one of them does not see keeps the host from becoming Ready.
        </Empty>
      }
    />
  );
}

const quietClass = ({ tone }: StorageRow) => (tone === "quiet" ? "text-faint" : undefined);

const column = columnsOf<StorageRow>();

const columns = [
  column.link(
    "serial",
    "Serial",
    ({ serial, model }) => ({ words: serial, href: routes.drives.one(serial, { model }) }),
    {
      width: "24%",
      className: (row) =>
        row.tone === "failed" ? "mono text-medium" : row.tone === "quiet" ? "mono text-faint" : "mono",
      linkClass: "link",
    },
  ),
  column.text("model", "Model", ({ model }) => model, {
    width: "24%",
    narrow: "bottom-start",
    className: quietClass,
  }),
  column.cell("slot", "Slot", ({ found }) => (found === null ? null : (found.slot ?? "–")), {
    className: "text-quiet",
    sort: ({ found }) => found?.slot ?? null,
  }),
  column.cell(
    "medium",
    "Medium",
    ({ found }) => (found === null ? null : (mediaLabels[found.media] ?? found.media)),
    { className: "text-quiet", sort: ({ found }) => found?.media ?? null },
  ),
  column.cell("size", "Size", ({ found }) => (found === null ? null : formatBytes(found.capacityBytes)), {
    align: "end",
    narrow: "top-end",
    firstOrder: "descending",
    sort: ({ found }) => (found === null ? null : BigInt(found.capacityBytes)),
  }),
  column.cell(
    "status",
    "Status",
    ({ status, tone }) =>
      tone === "failed" ? (
        <span className="marked-text">
          <Mark tone="failed" label="" />
          <span className="tone" data-tone="failed">
            {status}
          </span>
        </span>
      ) : (
        status
      ),
    {
      width: "24%",
      spaced: true,
      narrow: "line",
      className: "text-quiet wrapping",
      sort: ({ status }) => status,
    },
  ),
];

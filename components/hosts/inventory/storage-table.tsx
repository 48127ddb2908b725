"use client";
// A host's drives: missing, accounted for by a disposition, present, and excluded.
import Link from "next/link";
import { formatBytes } from "@/components/ui/format/bytes";
import { formatList } from "@/components/ui/format/numbers";
import { Empty } from "@/components/ui/empty";
import { Mark } from "@/components/ui/mark";
import type { TableColumn } from "@/components/ui/table/columns";
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

const columns: readonly TableColumn<StorageRow>[] = [
  {
    id: "serial",
    label: "Serial",
    width: "24%",
    narrow: "top-start",
    rowHeader: true,
    className: (row) =>
      row.tone === "failed" ? "mono text-medium" : row.tone === "quiet" ? "mono text-faint" : "mono",
    sort: ({ serial }) => serial,
    cell: ({ serial, model }) => (
      <Link className="link" href={routes.drives.one(serial, { model })} prefetch={false}>
        {serial}
      </Link>
    ),
  },
  {
    id: "model",
    label: "Model",
    width: "24%",
    narrow: "bottom-start",
    className: quietClass,
    sort: ({ model }) => model,
    cell: ({ model }) => model,
  },
  {
    id: "slot",
    label: "Slot",
    className: "text-quiet",
    sort: ({ found }) => found?.slot ?? null,
    cell: ({ found }) => (found === null ? null : (found.slot ?? "–")),
  },
  {
    id: "medium",
    label: "Medium",
    className: "text-quiet",
    sort: ({ found }) => found?.media ?? null,
    cell: ({ found }) => (found === null ? null : (mediaLabels[found.media] ?? found.media)),
  },
  {
    id: "size",
    label: "Size",
    align: "end",
    narrow: "top-end",
    firstOrder: "descending",
    sort: ({ found }) => (found === null ? null : BigInt(found.capacityBytes)),
    cell: ({ found }) => (found === null ? null : formatBytes(found.capacityBytes)),
  },
  {
    id: "status",
    label: "Status",
    width: "24%",
    spaced: true,
    narrow: "line",
    className: "text-quiet wrapping",
    sort: ({ status }) => status,
    cell: ({ status, tone }) =>
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
  },
];

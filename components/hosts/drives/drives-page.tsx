"use client";
// Every drive that a host ever listed or that was erased, searchable by part of its serial number, model or firmware.
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTRPC } from "@/components/trpc/trpc";
import { Empty } from "@/components/ui/empty";
import { formatBytes } from "@/components/ui/format/bytes";
import { useListView, useSettled } from "@/components/ui/resource-table/list-view";
import { useRows } from "@/components/ui/resource-table/resource-list";
import { ResourceTable } from "@/components/ui/resource-table/resource-table";
import { columnsOf } from "@/components/ui/table/column";
import { ProofTime, proofTimeWidth } from "@/components/ui/time/time";
import { routes } from "@/server/domain/console/routes";
import type { DriveRow } from "@/server/surfaces/trpc/types";
import { EraseMark, HostLink } from "@/components/hosts/drives/drive-cells";
import { drivesQuery } from "@/components/hosts/drives/drives-query";

const column = columnsOf<DriveRow>();

const columns = [
  column.link("serial", "Serial", ({ id, serial }) => ({ words: serial, href: routes.drives.one(id) }), {
    width: "18%",
    className: "mono",
    linkClass: "link",
  }),
  column.text("model", "Model", ({ model }) => model, { width: "18%", narrow: "bottom-start" }),
  column.text("firmware", "Firmware", ({ firmware }) => firmware, {
    from: "medium",
    width: 104,
    className: "mono text-quiet",
  }),
  column.cell(
    "size",
    "Size",
    ({ capacityBytes }) => (capacityBytes === null ? "–" : formatBytes(capacityBytes)),
    {
      ...{ from: "medium", width: 80, align: "end", className: "text-quiet", firstOrder: "descending" },
      sort: ({ capacityBytes }) => (capacityBytes === null ? null : BigInt(capacityBytes)),
    },
  ),
  column.cell(
    "host",
    "Host",
    ({ stay }) =>
      stay === null ? (
        <span className="text-quiet">never listed</span>
      ) : (
        <span className="cut">
          {stay.until === null ? null : <span className="text-quiet">last in </span>}
          <HostLink host={stay.host} />
          {stay.slot === null ? null : <span className="text-quiet"> {stay.slot}</span>}
        </span>
      ),
    { width: "20%", narrow: "top-end", sort: ({ stay }) => stay?.host.name ?? null },
  ),
  column.cell(
    "erase",
    "Last result",
    ({ erase, disposition }) => (
      <>
        {erase === null ? (
          <span className="text-quiet">never erased by Reclaim</span>
        ) : (
          <EraseMark erase={erase} />
        )}
        {disposition === null ? null : <span className="text-quiet">; stated: {disposition}</span>}
      </>
    ),
    { narrow: "line" },
  ),
  column.cell("at", "When", ({ erase }) => (erase === null ? null : <ProofTime at={erase.at} />), {
    width: proofTimeWidth,
    align: "end",
    narrow: "bottom-end",
    className: "text-quiet",
    firstOrder: "descending",
    sort: ({ erase }) => erase?.at ?? null,
  }),
];

export function DrivesPage() {
  const trpc = useTRPC();
  const held = useListView();
  const asked = useSettled(held[0].filter);
  const read = useInfiniteQuery({ ...drivesQuery(trpc, asked), placeholderData: keepPreviousData });
  return (
    <>
      <div className="head">
        <Link className="back" href={routes.hosts()}>
          Hosts
        </Link>
        <h1>Drives</h1>
        <Link className="btn plain" href={routes.drives.models()} prefetch={false}>
          Models
        </Link>
      </div>
      <ResourceTable
        name="drives"
        noun="drive"
        caption="Drives"
        list={useRows(read)}
        columns={columns}
        rowId={({ id }) => id}
        namesOf={({ serial }) => [serial]}
        searches={{
          held,
          placeholder: "Part of a serial number, model or firmware",
          hint: "Each word must match the serial number, model or firmware of the drive.",
        }}
        empty={
          <Empty title="No drives yet">
            A drive appears here when a BMC or an agent first lists it, and stays.
          </Empty>
        }
      />
    </>
  );
}

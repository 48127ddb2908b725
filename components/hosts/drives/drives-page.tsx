"use client";
// Every drive that a host ever listed or that was erased, searchable by part of its serial number, model or firmware.
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import Link from "next/link";
import { pagedTable } from "@/components/trpc/paged-table";
import { useTRPC } from "@/components/trpc/trpc";
import { Empty } from "@/components/ui/empty";
import { formatBytes } from "@/components/ui/format/bytes";
import { formatCounted } from "@/components/ui/format/numbers";
import { SearchField } from "@/components/ui/search-field";
import { columnsOf } from "@/components/ui/table/column";
import { DataTable } from "@/components/ui/table/data-table";
import { ProofTime, proofTimeWidth } from "@/components/ui/time/time";
import { routes } from "@/server/domain/console/routes";
import type { DriveRow } from "@/server/surfaces/trpc/types";
import { EraseMark, HostLink } from "@/components/hosts/drives/drive-cells";
import { drivesQuery } from "@/components/hosts/drives/drives-query";
import { useTyped } from "@/components/ui/form/use-typed";

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
    { from: "medium", width: 80, align: "end", className: "text-quiet" },
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
    { width: "20%", narrow: "top-end" },
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
  }),
];

export function DrivesPage({ q }: { q: string }) {
  const trpc = useTRPC();
  const [typed, asked, type, apply] = useTyped(q, routes.drives.list);
  const list = useInfiniteQuery({ ...drivesQuery(trpc, asked), placeholderData: keepPreviousData });
  const rows = list.data?.pages.flatMap((page) => page.rows) ?? [];
  const total = list.data?.pages[0]?.total ?? null;
  return (
    <>
      <div className="head">
        <Link className="back" href={routes.hosts()}>
          Hosts
        </Link>
        <h1>Drives</h1>
        <span className="what" role="status">
          {total === null ? "" : `${formatCounted(total, "drive")}${asked === "" ? "" : " found"}`}
        </span>
        <Link className="btn plain" href={routes.drives.models()} prefetch={false}>
          Models
        </Link>
      </div>
      <search className="filter">
        <SearchField
          label="Find drives"
          value={typed}
          onChange={type}
          onSubmit={apply}
          placeholder="Part of a serial number, model or firmware"
        />
      </search>
      <DataTable
        caption="Drives"
        fullWidth
        columns={columns}
        rows={rows}
        rowId={({ id }) => id}
        {...pagedTable(list, { before: "The drives could not be read.", more: "Show more drives" })}
        empty={<NoDrives asked={asked} />}
      />
    </>
  );
}

const NoDrives = ({ asked }: { asked: string }) =>
  asked === "" ? (
    <Empty title="No drives yet">
      A drive appears here when a BMC or an agent first lists it, and stays.
    </Empty>
  ) : (
    <Empty title="No drive matches">
      Each word must match the serial number, model or firmware of the drive.
    </Empty>
  );

"use client";
// Erases in progress, with the end that their devices estimate.
import Link from "next/link";
import { Empty } from "@/components/ui/empty";
import { formatCount, formatPercent } from "@/components/ui/format/numbers";
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable } from "@/components/ui/table/data-table";
import { Time } from "@/components/ui/time/time";
import { routes } from "@/server/domain/console/routes";
import type { ErasingHost, FleetSummary } from "@/server/surfaces/trpc/types";

export function ErasesSection({ erases }: { erases: FleetSummary["erases"] }) {
  const { total, hosts } = erases;
  return (
    <>
      <div className="sec">
        <h2>Running erases</h2>
        <span className="sum cut">
          {total > hosts.length
            ? `the next ${hosts.length} of ${formatCount(total)} to end`
            : "by expected end"}
        </span>
      </div>
      {hosts.length === 0 ? (
        <Empty title="No erase is running">
          Hosts whose drives are being erased are listed here, with the expected end of the slowest drive.
        </Empty>
      ) : (
        <DataTable caption="Running erases" columns={columns} rows={hosts} rowId={({ hostId }) => hostId} />
      )}
    </>
  );
}

const columns: readonly TableColumn<ErasingHost>[] = [
  {
    id: "host",
    label: "Host",
    narrow: "top-start",
    rowHeader: true,
    cell: ({ name }) => (
      <Link className="text-medium" href={routes.host(name)}>
        {name}
      </Link>
    ),
  },
  {
    id: "step",
    label: "Step",
    narrow: "bottom-start",
    className: "mono text-small",
    cell: ({ step }) => step ?? "",
  },
  {
    id: "percent",
    label: "Done",
    width: 64,
    align: "end",
    narrow: "bottom-end",
    className: "text-quiet",
    cell: ({ percent }) => (percent === null ? "" : formatPercent(percent)),
  },
  {
    id: "ends",
    label: "Expected end",
    width: 112,
    align: "end",
    narrow: "top-end",
    cell: ({ endsAt }) =>
      endsAt === null ? <span className="text-quiet">no estimate</span> : <Time at={endsAt} />,
  },
];

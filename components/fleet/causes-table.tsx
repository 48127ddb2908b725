// Why hosts are not back: failure causes and states over their limit, most hosts first, with the cumulative share.
import Link from "next/link";
import { routes } from "@/server/domain/console/routes";
import { formatPercent } from "@/components/ui/format/numbers";
import { Mark } from "@/components/ui/mark";
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable } from "@/components/ui/table/data-table";
import type { FleetCause } from "@/server/surfaces/trpc/types";

/** Each number links to its hosts. */
export function CausesTable({ causes }: { causes: readonly FleetCause[] }) {
  const most = Math.max(1, ...causes.map(({ count }) => count));
  return (
    <DataTable
      caption="Why hosts are not back"
      headHidden
      columns={columnsFor(most)}
      rows={causes}
      rowId={(cause) => `${cause.kind} ${cause.label}`}
    />
  );
}

const toneOf = ({ kind }: FleetCause) => (kind === "failed" ? "failed" : "attention");

const columnsFor = (most: number): readonly TableColumn<FleetCause>[] => [
  {
    id: "cause",
    label: "Cause",
    width: 208,
    narrow: "top-start",
    rowHeader: true,
    title: (cause) => cause.label,
    cell: (cause) => (
      <span className="marked-text">
        <Mark tone={toneOf(cause)} />
        <span className="cut">{cause.label.split("/").at(-1)}</span>
      </span>
    ),
  },
  {
    id: "meaning",
    label: "Description",
    narrow: "bottom-start",
    className: "text-quiet wrapping",
    title: (cause) => cause.words,
    cell: (cause) => cause.words,
  },
  {
    id: "share",
    label: "Share",
    width: 80,
    cell: (cause) => (
      <svg width="100%" height="12" data-tone={toneOf(cause)} aria-hidden="true">
        <rect className="fill-tone" y="2" width={`${(92 * cause.count) / most}%`} height="8" />
      </svg>
    ),
  },
  {
    id: "hosts",
    label: "Hosts",
    width: 36,
    align: "end",
    narrow: "top-end",
    className: "text-medium",
    cell: (cause) => (
      <Link href={routes.hosts({ q: cause.filter })} aria-label={`${cause.count} hosts: ${cause.label}`}>
        {cause.count}
      </Link>
    ),
  },
  {
    id: "cumulative",
    label: "Cumulative hosts",
    width: 52,
    align: "end",
    narrow: "bottom-end",
    className: "text-quiet",
    cell: (cause) => formatPercent(cause.cumulativePercent),
  },
];

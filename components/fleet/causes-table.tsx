// Why hosts are not back: failure causes and states over their limit, most hosts first, with the cumulative share.
import Link from "next/link";
import { routes } from "@/server/domain/console/routes";
import { formatPercent } from "@/server/domain/numbers";
import { Mark } from "@/components/ui/mark";
import { columnsOf } from "@/components/ui/table/column";
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

const column = columnsOf<FleetCause>();

const columnsFor = (most: number): readonly TableColumn<FleetCause>[] => [
  column.cell(
    "cause",
    "Cause",
    (cause) => (
      <span className="marked-text">
        <Mark tone={toneOf(cause)} />
        <span className="cut">{cause.label.split("/").at(-1)}</span>
      </span>
    ),
    { width: 208, narrow: "top-start", rowHeader: true, title: (cause) => cause.label },
  ),
  column.text("meaning", "Description", (cause) => cause.words, {
    narrow: "bottom-start",
    className: "text-quiet wrapping",
  }),
  column.cell(
    "share",
    "Share",
    (cause) => (
      <svg width="100%" height="12" data-tone={toneOf(cause)} aria-hidden="true">
        <rect className="fill-tone" y="2" width={`${(92 * cause.count) / most}%`} height="8" />
      </svg>
    ),
    { width: 80 },
  ),
  column.cell(
    "hosts",
    "Hosts",
    (cause) => (
      <Link href={routes.hosts({ q: cause.filter })} aria-label={`${cause.count} hosts: ${cause.label}`}>
        {cause.count}
      </Link>
    ),
    { width: 36, align: "end", narrow: "top-end", className: "text-medium" },
  ),
  column.cell("cumulative", "Cumulative hosts", (cause) => formatPercent(cause.cumulativePercent), {
    width: 52,
    align: "end",
    narrow: "bottom-end",
    className: "text-quiet",
  }),
];

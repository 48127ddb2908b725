"use client";
// A site's limits, each with its current use.
import type { ReactNode } from "react";
import { formatCount } from "@/server/domain/numbers";
import { columnsOf } from "@/components/ui/table/column";
import { DataTable } from "@/components/ui/table/data-table";
import type { SiteQueue } from "@/server/surfaces/trpc/types";

interface LimitsTableProps {
  readonly queue: SiteQueue;
  /** A button in the header of the last column, such as one that changes the limits. */
  readonly act?: ReactNode;
}

export function LimitsTable({ queue, act }: LimitsTableProps) {
  return (
    <>
      {act === undefined ? null : (
        <div className="sec">
          <h3>Limits</h3>
          <span className="sum cut">policy version {queue.policyVersion}</span>
          <span className="end">{act}</span>
        </div>
      )}
      <DataTable
        caption={`Limits of ${queue.site}`}
        columns={columns}
        rows={[
          ...queue.limits,
          ...queue.segments.map(placeRow("boots per minute of segment")),
          ...queue.powerDomains.map(placeRow("hosts in progress of power domain")),
        ]}
        rowId={({ name }) => name}
      />
    </>
  );
}

interface LimitRow {
  readonly name: string;
  readonly words: string;
  readonly limit: number | null;
  readonly used: number | null;
}

const placeRow =
  (words: string) =>
  ({ place, limit, used }: SiteQueue["segments"][number]): LimitRow => ({
    name: `${words} ${place}`,
    words: `${words} ${place}`,
    limit,
    used,
  });

const column = columnsOf<LimitRow>();

const columns = [
  column.name("limit", "Limit", ({ words }) => words, { className: "wrapping" }),
  column.cell(
    "used",
    "Used",
    ({ used }) =>
      used === null ? (
        "–"
      ) : (
        <>
          {formatCount(used)}
          <span className="narrow-label"> used</span>
        </>
      ),
    { width: 88, align: "end", narrow: "top-end" },
  ),
  column.cell(
    "maximum",
    "Maximum",
    ({ limit }) =>
      limit === null ? (
        <span className="text-quiet">no limit</span>
      ) : (
        <>
          <span className="narrow-label">max: </span>
          {formatCount(limit)}
        </>
      ),
    { width: 88, align: "end", narrow: "bottom-end" },
  ),
];

"use client";
// Erases in progress, with the end that their devices estimate.
import { Empty } from "@/components/ui/empty";
import { formatCount, formatPercent } from "@/server/domain/numbers";
import { columnsOf } from "@/components/ui/table/column";
import { DataTable } from "@/components/ui/table/data-table";
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

const column = columnsOf<ErasingHost>();

const columns = [
  column.link("host", "Host", ({ name }) => ({ words: name, href: routes.host(name) })),
  column.text("step", "Step", ({ step }) => step, {
    narrow: "bottom-start",
    className: "mono text-small",
    none: "",
  }),
  column.cell("percent", "Done", ({ percent }) => (percent === null ? "" : formatPercent(percent)), {
    width: 64,
    align: "end",
    narrow: "bottom-end",
    className: "text-quiet",
  }),
  column.time("ends", "Expected end", ({ endsAt }) => endsAt, {
    width: 112,
    align: "end",
    narrow: "top-end",
    none: <span className="text-quiet">no estimate</span>,
  }),
];

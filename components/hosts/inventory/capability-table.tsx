"use client";
// How a host's drives can be erased, as they report it; drives of the same model with the same capabilities share a row.
import { Fragment } from "react";
import { Empty } from "@/components/ui/empty";
import { formatCount } from "@/server/domain/numbers";
import { columnsOf } from "@/components/ui/table/column";
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable } from "@/components/ui/table/data-table";
import type { HostInventoryView } from "@/server/surfaces/trpc/types";

type Group = HostInventoryView["capabilities"][number];

export function CapabilityTable({ groups }: { groups: readonly Group[] }) {
  return (
    <DataTable
      caption="Erase capabilities"
      columns={columns}
      rows={groups}
      rowId={({ model, serials }) => `${model} ${serials.join(" ")}`}
      empty={
        <Empty title="No erase capabilities reported">
          The agent reports them with its inventory each time it starts. Drives that only the BMC can reach
          are not included.
        </Empty>
      }
    />
  );
}

const column = columnsOf<Group>();

const techniqueColumn = (id: "offers" | "refuses" | "unknown", label: string): TableColumn<Group> =>
  column.cell(
    id,
    label,
    ({ [id]: techniques }) =>
      techniques.length === 0 ? (
        <span className="text-faint">
          <span className="narrow-label">{label}: </span>
          none
        </span>
      ) : (
        <>
          <span className="narrow-label">{label}: </span>
          {techniques.map((technique, place) => (
            <Fragment key={technique}>
              {place === 0 ? "" : ", "}
              <span className="technique">{technique}</span>
            </Fragment>
          ))}
        </>
      ),
    { narrow: "line", className: id === "offers" ? "wrapping" : "text-quiet wrapping" },
  );

const columns: readonly TableColumn<Group>[] = [
  column.name("model", "Model", ({ model }) => model, { width: "18%", className: "wrapping" }),
  column.cell(
    "drives",
    "Drives",
    ({ serials }) => (
      <>
        <span className="narrow-label">drives: </span>
        {formatCount(serials.length)}
      </>
    ),
    { width: 88, narrow: "top-end", title: ({ serials }) => serials.join(", ") },
  ),
  techniqueColumn("offers", "Offers"),
  techniqueColumn("refuses", "Refuses"),
  { ...techniqueColumn("unknown", "Unknown"), width: "14%" },
  column.text("said", "Identification", ({ said }) => said, {
    narrow: "line",
    className: "text-quiet wrapping",
    none: "not reported by this agent",
  }),
];

"use client";
// Hosts that wait for a procedure or its sign-off, longest wait first.
import Link from "next/link";
import { useMemo } from "react";
import { Button } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { Mark } from "@/components/ui/mark";
import { columnsOf } from "@/components/ui/table/column";
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable, type DataTableProps } from "@/components/ui/table/data-table";
import { Age } from "@/components/ui/time/time";
import { routes } from "@/server/domain/console/routes";
import type { DueLine } from "@/server/surfaces/trpc/types";

const column = columnsOf<DueLine>();

const columns = [
  column.cell(
    "host",
    "Host",
    ({ host }) => <Link href={routes.host(host.name, { tab: "assurance" })}>{host.name}</Link>,
    { width: 150, narrow: "top-start", title: ({ host }) => host.name },
  ),
  column.text("procedure", "Procedure", ({ procedure }) => procedure.title, { width: 210, narrow: "line" }),
  column.cell(
    "says",
    "Status",
    ({ words, status }) => (
      <span className="tone" data-tone={status === "rejected" ? "attention" : "neutral"}>
        {words}
      </span>
    ),
    { title: ({ words }) => words, narrow: "line" },
  ),
  column.text("why", "Why", ({ reason }) => reason, { width: 160, from: "medium", className: "text-quiet" }),
  column.cell(
    "waits",
    "Waiting, limit 24 h",
    ({ since, overLimit }) =>
      overLimit ? (
        <span className="tone" data-tone="attention">
          <Mark tone="attention" label="over its limit" /> <Age at={since} />
        </span>
      ) : (
        <Age at={since} />
      ),
    { width: 150, align: "end", narrow: "bottom-start", className: "text-quiet" },
  ),
];

const actsColumn = (onRecord: (row: DueLine) => void): TableColumn<DueLine> =>
  column.cell(
    "acts",
    "Actions",
    (row) =>
      row.status === "awaitsSignOff" ? null : (
        <Button
          small
          onClick={() => onRecord(row)}
          aria-label={`Record… ${row.procedure.name} on ${row.host.name}`}
        >
          Record…
        </Button>
      ),
    { labelHidden: true, width: 100, align: "end", narrow: "bottom-end" },
  );

/** Row id: one row per host and procedure. */
export const dueId = ({ host, procedure }: DueLine): string => `${host.id} ${procedure.name}`;

interface DueTableProps extends Pick<
  DataTableProps<DueLine>,
  "rows" | "cursor" | "loading" | "problem" | "selection" | "paging"
> {
  /** Undefined if this user may not record. */
  readonly onRecord: ((row: DueLine) => void) | undefined;
}

export function DueTable({ onRecord, ...table }: DueTableProps) {
  const all = useMemo(
    () => [...columns, ...(onRecord === undefined ? [] : [actsColumn(onRecord)])],
    [onRecord],
  );
  return (
    <DataTable
      {...table}
      caption="Procedures due"
      fullWidth
      columns={all}
      rowId={dueId}
      empty={
        <Empty title="No procedures due">
          A host appears here when everything else is proven and a procedure of its policy is still due.
          Procedures are defined in{" "}
          <Link className="link" href={routes.settings.procedures()}>
            Settings, Procedures
          </Link>
          .
        </Empty>
      }
    />
  );
}

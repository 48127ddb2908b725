"use client";
// Step runs of a reclamation, each with its devices, and each failed device with its attempts.
import { useMemo, useState } from "react";
import type { ColumnLayout, TableColumn } from "@/components/ui/table/columns";
import { DataTable } from "@/components/ui/table/data-table";
import { usePrinting } from "@/components/ui/media/use-printing";
import type { DisabledStepLine, StepRunLine } from "@/server/surfaces/trpc/types";
import { runCells, type RunColumnId } from "@/components/reclamations/step-runs/run-cells";
import { runRowClass, runRows, type RunRow } from "@/components/reclamations/step-runs/run-rows";

interface RunsTableProps {
  runs: readonly StepRunLine[];
  /** Steps that an override removed from the plan. */
  disabled: readonly DisabledStepLine[];
}

/** Below 1240 px the widths scale with the window. */
const layouts: readonly (readonly [RunColumnId, ColumnLayout])[] = [
  ["name", { label: "Step run", width: "min(236px, 18vw)" }],
  ["result", { label: "Result", width: "min(240px, 18vw)" }],
  ["facts", { label: "Verified, command", width: "min(304px, 19vw)" }],
  ["attempt", { label: "Attempt", width: 68 }],
  ["started", { label: "Started", width: 72, align: "end" }],
  ["took", { label: "Took", width: 84, align: "end" }],
  ["note", { label: "Priority; firmware, model", spaced: true }],
];

const namesRow = (row: RunRow) => row.kind !== "args" && row.kind !== "attempt" && row.kind !== "passedOver";

const columnsFor = (onToggle: (id: string) => void): readonly TableColumn<RunRow>[] =>
  layouts.map(([id, layout]) => {
    const cellOf = (row: RunRow) => runCells(row, onToggle)[id];
    return {
      id,
      ...layout,
      ...(id === "name" ? { rowHeader: namesRow } : {}),
      cell: (row) => cellOf(row)?.content,
      title: (row) => cellOf(row)?.title,
      className: (row) => cellOf(row)?.className,
      narrow: (row) => cellOf(row)?.narrow,
      span: (row) => cellOf(row)?.span ?? 1,
    };
  });

/** The plan in order (what ran, what runs, what waits), then the steps that an override removed. */
export function RunsTable({ runs, disabled }: RunsTableProps) {
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const printing = usePrinting();
  const rows = useMemo(() => runRows(runs, disabled, toggled, printing), [runs, disabled, toggled, printing]);
  const columns = useMemo(
    () =>
      columnsFor((id) =>
        setToggled((before) => {
          const after = new Set(before);
          if (!after.delete(id)) after.add(id);
          return after;
        }),
      ),
    [],
  );
  return (
    <DataTable
      caption="Step runs"
      className="step-runs"
      columns={columns}
      rows={rows}
      rowId={({ id }) => id}
      rowClassName={runRowClass}
    />
  );
}

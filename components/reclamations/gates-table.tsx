"use client";
// All gates of a reclamation, each with its evidence.
import { useMemo, useState } from "react";
import { Mark } from "@/components/ui/mark";
import { columnsOf } from "@/components/ui/table/column";
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable } from "@/components/ui/table/data-table";
import { usePrinting } from "@/components/ui/media/use-printing";
import type { GateLine } from "@/server/surfaces/trpc/types";
import { GateEvidence, type EvidenceHost } from "@/components/reclamations/gate-evidence";
import { lookOf } from "@/components/reclamations/gate-look";

interface GatesTableProps {
  gates: readonly GateLine[];
  /** The host whose pages have details; null if it has left the fleet. */
  host: EvidenceHost | null;
}

/** A row expands to its evidence: sentences with links, and verbatim. */
export function GatesTable({ gates, host }: GatesTableProps) {
  const printing = usePrinting();
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const columns = useMemo(
    () => [
      ...gateColumns,
      evidenceColumn(open, (gate) =>
        setOpen((before) => {
          const after = new Set(before);
          if (!after.delete(gate)) after.add(gate);
          return after;
        }),
      ),
    ],
    [open],
  );
  return (
    <DataTable
      caption="Gates"
      className="gates-table"
      columns={columns}
      rows={gates}
      rowId={({ gate }) => gate}
      detail={(row) =>
        (printing && row.evidence !== null) || open.has(row.gate) ? (
          <GateEvidence row={row} host={host} whole={printing} />
        ) : null
      }
    />
  );
}

const column = columnsOf<GateLine>();

const gateColumns = [
  column.name("gate", "Gate", ({ gate }) => gate, { width: 232, className: "text-medium" }),
  column.cell(
    "status",
    "Status",
    (row) => {
      const { tone, none, words } = lookOf(row);
      return (
        <span className="marked-text">
          <Mark tone={tone} none={none} label="" />
          <span className={tone === "failed" ? "tone" : undefined} data-tone={tone}>
            {words}
          </span>
        </span>
      );
    },
    { width: 148, narrow: "top-end" },
  ),
  column.cell("reason", "Rests on", ({ reason, soFar }) => soFar?.words ?? reason, {
    narrow: "bottom-start",
    className: "text-quiet wrapping",
    title: ({ reason, soFar }) => soFar?.words ?? reason,
  }),
  column.proofTime("evaluated", "Evaluated", ({ evaluatedAt }) => evaluatedAt, {
    align: "end",
    className: "text-quiet",
    none: "–",
  }),
];

const evidenceColumn = (open: ReadonlySet<string>, onToggle: (gate: string) => void): TableColumn<GateLine> =>
  column.cell(
    "evidence",
    "Evidence",
    ({ gate, evidence }) =>
      evidence === null ? null : (
        <button
          type="button"
          className="copy"
          aria-expanded={open.has(gate)}
          onClick={() => onToggle(gate)}
          aria-label={`${open.has(gate) ? "Hide" : "Show"} the evidence of ${gate}`}
        >
          {open.has(gate) ? "Hide" : "Show"}
        </button>
      ),
    { width: 80, align: "end", narrow: "bottom-end" },
  );

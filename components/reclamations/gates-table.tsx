"use client";
// All gates of a reclamation, each with its evidence and the generation of the decision that evaluated it.
import { useMemo, useState } from "react";
import { Mark } from "@/components/ui/mark";
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable } from "@/components/ui/table/data-table";
import { ProofTime, proofTimeWidth } from "@/components/ui/time/time";
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

const gateColumns: readonly TableColumn<GateLine>[] = [
  {
    id: "gate",
    label: "Gate",
    width: 232,
    narrow: "top-start",
    rowHeader: true,
    className: "text-medium",
    cell: ({ gate }) => gate,
  },
  {
    id: "status",
    label: "Status",
    width: 148,
    narrow: "top-end",
    cell: (row) => {
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
  },
  {
    id: "reason",
    label: "Rests on",
    narrow: "bottom-start",
    className: "text-quiet wrapping",
    title: ({ reason, soFar }) => soFar?.words ?? reason,
    cell: ({ reason, soFar }) => soFar?.words ?? reason,
  },
  {
    id: "evaluated",
    label: "Evaluated",
    width: proofTimeWidth,
    align: "end",
    className: "text-quiet",
    cell: ({ evaluatedAt }) => (evaluatedAt === null ? "–" : <ProofTime at={evaluatedAt} />),
  },
  {
    id: "generation",
    label: "Generation",
    width: "min(110px, 7.6vw)",
    align: "end",
    className: "text-quiet mono",
    cell: ({ generation, evidenceSeq }) => (generation === null ? "–" : `${generation} / ${evidenceSeq}`),
  },
];

const evidenceColumn = (
  open: ReadonlySet<string>,
  onToggle: (gate: string) => void,
): TableColumn<GateLine> => ({
  id: "evidence",
  label: "Evidence",
  width: 80,
  align: "end",
  narrow: "bottom-end",
  cell: ({ gate, evidence }) =>
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
});

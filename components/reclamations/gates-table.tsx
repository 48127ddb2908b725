"use client";
// All gates of a reclamation with the evidence that each rests on and the generation of the decision that evaluated it.
import { useMemo, useState } from "react";
import { Mark } from "@/components/ui/mark";
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable } from "@/components/ui/table/data-table";
import { Time } from "@/components/ui/time/time";
import type { GateLine } from "@/server/surfaces/trpc/types";
import { gateLook } from "@/components/reclamations/gate-look";

/** A row opens to show its evidence word for word. */
export function GatesTable({ gates }: { gates: readonly GateLine[] }) {
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
      detail={(row) => (open.has(row.gate) ? <Evidence row={row} /> : null)}
    />
  );
}

function Evidence({ row }: { row: GateLine }) {
  return (
    <>
      <p>{row.meaning}.</p>
      <pre className="log whole" tabIndex={0} aria-label={`Evidence of ${row.gate}`}>
        {JSON.stringify(row.evidence, null, 2)}
      </pre>
    </>
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
    cell: ({ status }) => {
      const { tone, none, words } = gateLook[status];
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
    className: "text-quiet",
    title: ({ reason }) => reason,
    cell: ({ reason }) => reason,
  },
  {
    id: "evaluated",
    label: "Evaluated",
    width: 132,
    align: "end",
    className: "text-quiet",
    cell: ({ evaluatedAt }) => (evaluatedAt === null ? "–" : <Time at={evaluatedAt} />),
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

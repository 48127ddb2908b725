"use client";
// All gates of a reclamation with the evidence that each rests on and the generation of the decision that evaluated it.
import { Fragment, useState } from "react";
import { Mark } from "@/components/ui/mark";
import { Time } from "@/components/ui/time/time";
import type { GateLine } from "@/server/surfaces/trpc/types";
import { gateLook } from "@/components/reclamations/gate-look";

/** A row opens to show its evidence word for word. */
export function GatesTable({ gates }: { gates: readonly GateLine[] }) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (gate: string) =>
    setOpen((before) => {
      const after = new Set(before);
      if (!after.delete(gate)) after.add(gate);
      return after;
    });
  return (
    <table className="t gates-table" aria-label="Gates">
      <colgroup>
        <col className="col-gate" />
        <col className="col-status" />
        <col />
        <col className="col-at" />
        <col className="col-generation" />
        <col className="col-evidence" />
      </colgroup>
      <thead>
        <tr>
          <th scope="col">Gate</th>
          <th scope="col">Status</th>
          <th scope="col">Rests on</th>
          <th scope="col" className="r">
            Evaluated
          </th>
          <th scope="col" className="r">
            Generation
          </th>
          <th scope="col" className="r">
            Evidence
          </th>
        </tr>
      </thead>
      <tbody>
        {gates.map((row) => (
          <Fragment key={row.gate}>
            <GateTr row={row} open={open.has(row.gate)} onToggle={() => toggle(row.gate)} />
            {open.has(row.gate) ? (
              <tr className="fold">
                <td colSpan={6}>
                  <p>{row.meaning}.</p>
                  <pre className="log whole" tabIndex={0} aria-label={`Evidence of ${row.gate}`}>
                    {JSON.stringify(row.evidence, null, 2)}
                  </pre>
                </td>
              </tr>
            ) : null}
          </Fragment>
        ))}
      </tbody>
    </table>
  );
}

function GateTr({ row, open, onToggle }: { row: GateLine; open: boolean; onToggle: () => void }) {
  const { tone, none, words } = gateLook[row.status];
  return (
    <tr>
      <td data-m="a" className="b">
        {row.gate}
      </td>
      <td data-m="b">
        <span className="st">
          <Mark tone={tone} none={none} label="" />
          <span className={tone === "failed" ? "tone" : undefined} data-tone={tone}>
            {words}
          </span>
        </span>
      </td>
      <td data-m="c" className="n10" title={row.reason}>
        {row.reason}
      </td>
      <td className="r n10">{row.evaluatedAt === null ? "–" : <Time at={row.evaluatedAt} />}</td>
      <td className="r n10 mono">
        {row.generation === null ? "–" : `${row.generation} / ${row.evidenceSeq}`}
      </td>
      <td className="r" data-m="d">
        {row.evidence === null ? null : (
          <button
            type="button"
            className="copy"
            aria-expanded={open}
            onClick={onToggle}
            aria-label={`${open ? "Hide" : "Show"} the evidence of ${row.gate}`}
          >
            {open ? "Hide" : "Show"}
          </button>
        )}
      </td>
    </tr>
  );
}

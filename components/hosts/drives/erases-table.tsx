"use client";
// A drive's erases, one per line; expanded, every technique of the policy with what was sent, answered and refused.
import Link from "next/link";
import { useState } from "react";
import { AttemptAnswer } from "@/components/reclamations/step-runs/attempt-cells";
import { Opener } from "@/components/reclamations/step-runs/opener";
import { Empty } from "@/components/ui/empty";
import { formatCounted } from "@/components/ui/format/numbers";
import { usePrinting } from "@/components/ui/media/use-printing";
import { columnsOf } from "@/components/ui/table/column";
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable } from "@/components/ui/table/data-table";
import { routes } from "@/server/domain/console/routes";
import type { DriveErase } from "@/server/surfaces/trpc/types";
import { EraseMark, HostLink } from "@/components/hosts/drives/drive-cells";

const formatTries = ({ readable, tries, passedOver }: DriveErase): string =>
  readable
    ? [
        tries.length === 0 ? "nothing sent" : formatCounted(tries.length, "attempt", "attempts"),
        passedOver.length === 0 ? null : `${passedOver.length} not offered`,
      ]
        .filter((part) => part !== null)
        .join(", ")
    : "report unreadable by this version";

const reclamationHref = ({ host, reclamation }: DriveErase): string =>
  host.gone || host.name === null
    ? routes.gone.one(host.id, { reclamation: reclamation.id })
    : routes.host(host.name, { reclamation: reclamation.id });

const column = columnsOf<DriveErase>();

const columnsFor = (
  open: ReadonlySet<string>,
  onToggle: (id: string) => void,
): readonly TableColumn<DriveErase>[] => [
  column.cell("result", "Result", (erase) => <EraseMark erase={erase} />, {
    width: "24%",
    narrow: "top-start",
    rowHeader: true,
  }),
  column.cell(
    "tries",
    "Attempts",
    (erase) => (
      <Opener isOpen={open.has(erase.id)} onToggle={() => onToggle(erase.id)} what="attempts">
        {formatTries(erase)}
      </Opener>
    ),
    { width: "16%", narrow: "bottom-start" },
  ),
  column.text("read", "Read back", ({ verification }) => verification, {
    from: "medium",
    className: "text-quiet",
  }),
  column.cell("host", "Host", ({ host }) => <HostLink host={host} />, { width: "16%", narrow: "top-end" }),
  column.cell(
    "reclamation",
    "Reclamation",
    (erase) => (
      <Link className="link" href={reclamationHref(erase)} prefetch={false}>
        {erase.reclamation.number}
      </Link>
    ),
    { width: 112, from: "medium", className: "mono" },
  ),
  column.proofTime("at", "When", ({ at }) => at, {
    align: "end",
    narrow: "bottom-end",
    className: "text-quiet",
  }),
];

export function ErasesTable({ erases }: { erases: readonly DriveErase[] }) {
  const printing = usePrinting();
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string) =>
    setOpen((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  return (
    <DataTable
      caption="Erases"
      columns={columnsFor(open, toggle)}
      rows={erases}
      rowId={({ id }) => id}
      detail={(erase) => (printing || open.has(erase.id) ? <EraseTries erase={erase} /> : null)}
      empty={
        <Empty title="Never erased by Reclaim">No reclamation has reported a result for this drive.</Empty>
      }
    />
  );
}

/** Why it counts or not, the techniques passed over, and each command with its answer. */
function EraseTries({ erase }: { erase: DriveErase }) {
  const { reason, level, standard, techniqueTable, step, attempt, firmware, readable, passedOver, tries } =
    erase;
  return (
    <div className="gate-evidence">
      <p>
        {reason}. Level {level} under {standard}, by version {techniqueTable} of the table of techniques;{" "}
        <span className="mono text-small">{step}</span>, attempt {attempt}
        {firmware === null ? null : `, firmware ${firmware}`}.
        {readable ? null : " This version cannot read the report, so the commands sent are not known."}
      </p>
      <ol>
        {passedOver.map(({ technique, why }) => (
          <li key={technique}>
            <span className="mono text-small">{technique}</span>: not sent because the drive does not support
            it: {why}
          </li>
        ))}
        {tries.map((tried, index) => (
          <li key={index}>
            <span className="mono text-small">{tried.technique}</span>: {tried.refused ?? "completed"}
            <AttemptAnswer attempt={tried} />
          </li>
        ))}
      </ol>
    </div>
  );
}

"use client";
// The effect of another erase policy: known drives by model, recorded reclamations, and what no record can tell.
import Link from "next/link";
import { formatCount, formatCounted } from "@/components/ui/format/numbers";
import { Empty } from "@/components/ui/empty";
import { Notice } from "@/components/ui/notice";
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable } from "@/components/ui/table/data-table";
import { Time } from "@/components/ui/time/time";
import { basisText } from "@/server/domain/cleaning/policy/basis";
import { routes } from "@/server/domain/console/routes";
import type { PolicyForesight } from "@/server/surfaces/trpc/types";
import { mediaLabels } from "@/components/cleaning/policy/erase-form";

type Model = PolicyForesight["models"][number];
type Otherwise = PolicyForesight["otherwise"][number];

const sum = (models: readonly Model[], of: (model: Model) => number): number =>
  models.reduce((total, model) => total + of(model), 0);

export function EraseForesight({ told }: { readonly told: PolicyForesight }) {
  const { models, reclamations: r } = told;
  const cannot = sum(models, (model) => model.cannot);
  const unknown = sum(models, (model) => model.unknown);
  return (
    <>
      <Notice tone={cannot + r.stop > 0 ? "attention" : unknown + r.unknown > 0 ? "waiting" : "good"}>
        {cannot > 0
          ? `${formatCounted(cannot, "known drive")} cannot meet it`
          : unknown === 0
            ? "Every known drive meets it"
            : "No drive is known to miss it"}
        {unknown === 0 ? "" : `; unknown for ${formatCounted(unknown, "drive")}`}. Of{" "}
        {formatCounted(r.total, "reclamation")} since <Time at={told.since} />: {formatCount(r.stop)} would
        have stopped, {formatCount(r.pass)} would have passed their erase, {formatCount(r.same)} would have
        ended as recorded, {formatCount(r.unknown)} are unknown, {formatCount(r.withoutErase)} have no
        recorded erase.
        {told.truncated ? " There are too many records; the oldest were left out." : ""}
      </Notice>
      {told.notes.length === 0 ? null : (
        <ul aria-label="Limits of the records">
          {told.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      <DataTable
        caption="Known drives by model"
        columns={modelColumns}
        rows={models}
        rowId={({ model, media }) => `${media} ${model}`}
        empty={<Empty title="No known drives">Drives appear when a BMC or an agent has listed them.</Empty>}
      />
      {told.otherwise.length === 0 ? null : (
        <>
          <div className="sec">
            <h3>Reclamations with a different outcome</h3>
            <span className="sum cut">
              {r.stop + r.pass > told.otherwise.length
                ? `the newest ${told.otherwise.length} of ${formatCount(r.stop + r.pass)}`
                : ""}
            </span>
          </div>
          <DataTable
            caption="Reclamations with a different outcome"
            columns={otherwiseColumns}
            rows={told.otherwise}
            rowId={({ id }) => id}
          />
        </>
      )}
    </>
  );
}

const count = (
  id: keyof Model & ("drives" | "meets" | "cannot" | "unknown" | "cannotNow"),
  label: string,
  narrowLabel = label.toLowerCase(),
): TableColumn<Model> => ({
  id,
  label,
  width: 92,
  align: "end",
  sort: (model) => model[id],
  cell: (model) => (
    <>
      {formatCount(model[id])}
      <span className="narrow-label"> {narrowLabel}</span>
    </>
  ),
});

const modelColumns: readonly TableColumn<Model>[] = [
  {
    id: "model",
    label: "Model",
    narrow: "top-start",
    rowHeader: true,
    sort: ({ model }) => model,
    cell: ({ model }) => model,
  },
  { id: "media", label: "Media", width: 80, from: "medium", cell: ({ media }) => mediaLabels[media] },
  { ...count("drives", "Drives"), narrow: "top-end" },
  { ...count("meets", "Meet it"), from: "medium" },
  { ...count("cannot", "Cannot", "cannot meet it"), narrow: "bottom-start" },
  { ...count("cannotNow", "Cannot now"), from: "wide" },
  { ...count("unknown", "Unknown"), narrow: "bottom-end" },
  {
    id: "basis",
    label: "Basis",
    width: 190,
    spaced: true,
    from: "wide",
    className: "text-quiet wrapping",
    cell: ({ basis }) => basisText(basis),
  },
  {
    id: "reason",
    label: "Why",
    spaced: true,
    narrow: "line",
    className: "text-quiet",
    title: ({ reason }) => reason,
    cell: ({ reason }) => reason ?? "",
  },
];

const otherwiseColumns: readonly TableColumn<Otherwise>[] = [
  {
    id: "host",
    label: "Host",
    narrow: "top-start",
    rowHeader: true,
    cell: ({ host, id }) => (
      <Link href={routes.host(host, { reclamation: id })} prefetch={false} data-open="">
        {host}
      </Link>
    ),
  },
  {
    id: "started",
    label: "Began",
    width: 140,
    narrow: "top-end",
    cell: ({ startedAt }) => <Time at={startedAt} />,
  },
  {
    id: "ended",
    label: "Ended",
    width: 110,
    from: "medium",
    className: "text-quiet",
    cell: ({ outcome }) => outcome ?? "stopped",
  },
  {
    id: "would",
    label: "Would have",
    width: 120,
    narrow: "bottom-start",
    cell: ({ would }) => (would === "stop" ? "stopped" : "passed"),
  },
  {
    id: "reason",
    label: "Why",
    narrow: "line",
    className: "text-quiet",
    title: ({ reason }) => reason,
    cell: ({ reason }) => reason,
  },
];

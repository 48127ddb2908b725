"use client";
// The effect of another erase policy: known drives by model, recorded reclamations, and what no record can tell.
import Link from "next/link";
import { formatCount, formatCounted } from "@/server/domain/numbers";
import { Empty } from "@/components/ui/empty";
import { Notice } from "@/components/ui/notice";
import { columnsOf } from "@/components/ui/table/column";
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable } from "@/components/ui/table/data-table";
import { Time } from "@/components/ui/time/time";
import { basisText } from "@/server/domain/cleaning/policy/basis";
import { routes } from "@/server/domain/console/routes";
import type { PolicyEffects } from "@/server/surfaces/trpc/types";
import { mediaLabels } from "@/components/cleaning/policy/erase-form";

type Model = PolicyEffects["models"][number];
type Otherwise = PolicyEffects["otherwise"][number];

const sum = (models: readonly Model[], of: (model: Model) => number): number =>
  models.reduce((total, model) => total + of(model), 0);

export function EraseEffect({ told }: { readonly told: PolicyEffects }) {
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

const modelColumn = columnsOf<Model>();

const count = (
  id: keyof Model & ("drives" | "meets" | "cannot" | "unknown" | "cannotNow"),
  label: string,
  narrowLabel = label.toLowerCase(),
): TableColumn<Model> =>
  modelColumn.cell(
    id,
    label,
    (model) => (
      <>
        {formatCount(model[id])}
        <span className="narrow-label"> {narrowLabel}</span>
      </>
    ),
    { width: 92, align: "end", sort: (model) => model[id] },
  );

const modelColumns: readonly TableColumn<Model>[] = [
  modelColumn.name("model", "Model", ({ model }) => model),
  modelColumn.cell("media", "Media", ({ media }) => mediaLabels[media], { width: 80, from: "medium" }),
  { ...count("drives", "Drives"), narrow: "top-end" },
  { ...count("meets", "Meet it"), from: "medium" },
  { ...count("cannot", "Cannot", "cannot meet it"), narrow: "bottom-start" },
  { ...count("cannotNow", "Cannot now"), from: "wide" },
  { ...count("unknown", "Unknown"), narrow: "bottom-end" },
  modelColumn.cell("basis", "Basis", ({ basis }) => basisText(basis), {
    width: 190,
    spaced: true,
    from: "wide",
    className: "text-quiet wrapping",
  }),
  modelColumn.text("reason", "Why", ({ reason }) => reason, {
    spaced: true,
    narrow: "line",
    className: "text-quiet",
    none: "",
  }),
];

const otherwiseColumn = columnsOf<Otherwise>();

const otherwiseColumns = [
  otherwiseColumn.cell(
    "host",
    "Host",
    ({ host, id }) => (
      <Link href={routes.host(host, { reclamation: id })} prefetch={false} data-open="">
        {host}
      </Link>
    ),
    { narrow: "top-start", rowHeader: true },
  ),
  otherwiseColumn.time("started", "Began", ({ startedAt }) => startedAt, { width: 140, narrow: "top-end" }),
  otherwiseColumn.text("ended", "Ended", ({ outcome }) => outcome, {
    width: 110,
    from: "medium",
    className: "text-quiet",
    none: "stopped",
  }),
  otherwiseColumn.cell("would", "Would have", ({ would }) => (would === "stop" ? "stopped" : "passed"), {
    width: 120,
    narrow: "bottom-start",
  }),
  otherwiseColumn.text("reason", "Why", ({ reason }) => reason, { narrow: "line", className: "text-quiet" }),
];

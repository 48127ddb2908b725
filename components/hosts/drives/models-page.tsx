"use client";
// Drive models: how long their erases took, what they left behind, and which drives stalled or lied, by firmware and technique.
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTRPC } from "@/components/trpc/trpc";
import { Empty } from "@/components/ui/empty";
import { formatDuration } from "@/components/ui/format/duration";
import { formatCount } from "@/server/domain/numbers";
import { Mark } from "@/components/ui/mark";
import { useListView, useSettled } from "@/components/ui/resource-table/list-view";
import { usePagedList } from "@/components/ui/resource-table/resource-list";
import { ResourceTable } from "@/components/ui/resource-table/resource-table";
import { columnsOf } from "@/components/ui/table/column";
import { routes } from "@/server/domain/console/routes";
import { formatRemnant } from "@/server/domain/cleaning/sanitization/models/remnant-text";
import type { DriveModelRow } from "@/server/surfaces/trpc/types";
import { driveModelsQuery } from "@/components/hosts/drives/drives-query";

const took = (ms: number | null): string => (ms === null ? "–" : formatDuration(ms));
const bad = (count: number, what: string) =>
  count === 0 ? <span className="text-quiet">0</span> : <Failed what={what}>{formatCount(count)}</Failed>;

const Failed = ({ what, children }: { what: string; children: string }) => (
  <span className="marked-text">
    <Mark tone="failed" label={what} />
    <span className="cut">{children}</span>
  </span>
);

const column = columnsOf<DriveModelRow>();

const columns = [
  column.link(
    "model",
    "Model",
    ({ model, firmware }) => ({
      words: model,
      href: routes.drives.list({ q: `${model} ${firmware ?? ""}`.trim() }),
    }),
    { width: "16%", linkClass: "link" },
  ),
  column.text("firmware", "Firmware", ({ firmware }) => firmware, {
    width: 88,
    narrow: "top-end",
    className: "mono text-quiet",
  }),
  column.text("technique", "Technique", ({ technique }) => technique, {
    width: 190,
    narrow: "bottom-start",
    className: "mono",
  }),
  column.count("hosts", "Hosts", ({ hosts }) => hosts, { from: "wide", width: 64 }),
  column.count("runs", "Runs", ({ runs }) => runs, { width: 68 }),
  column.cell(
    "remnants",
    "Remnants",
    ({ remnants, canaries, bound }) =>
      remnants > 0 ? (
        <Failed what="left data">{formatRemnant(remnants, canaries, bound)}</Failed>
      ) : (
        <span className={bound === null ? "text-quiet" : undefined}>
          {formatRemnant(remnants, canaries, bound)}
        </span>
      ),
    {
      narrow: "line",
      title: ({ refuted, probed, eraseBound }) =>
        `Erases that left remnants: ${formatRemnant(refuted, probed, eraseBound)}`,
    },
  ),
  column.cell("half", "Median", ({ halfMs }) => took(halfMs), {
    width: 100,
    align: "end",
    narrow: "bottom-end",
    title: ({ mostMs, longestMs }) =>
      longestMs === null ? null : `95th percentile ${took(mostMs)}, longest ${took(longestMs)}`,
  }),
  column.cell("most", "95th pct.", ({ mostMs }) => took(mostMs), {
    from: "widest",
    width: 100,
    align: "end",
  }),
  column.cell("longest", "Longest", ({ longestMs }) => took(longestMs), {
    from: "widest",
    width: 100,
    align: "end",
  }),
  column.cell("stalls", "Stalls", ({ stalls }) => bad(stalls, "stalled"), {
    from: "medium",
    width: 64,
    align: "end",
  }),
  column.cell("lies", "False successes", ({ lies }) => bad(lies, "lied"), {
    from: "medium",
    width: 56,
    align: "end",
  }),
  column.time("at", "Last", ({ lastAt }) => lastAt, {
    from: "widest",
    width: 96,
    align: "end",
    className: "text-quiet",
  }),
];

const modelRows = {
  rowsOf: ({ rows }: { readonly rows: readonly DriveModelRow[] }) => rows,
  rowId: ({ model, firmware, technique }: DriveModelRow) =>
    `${model}\u0000${firmware ?? ""}\u0000${technique}`,
};

export function ModelsPage() {
  const trpc = useTRPC();
  const held = useListView();
  const asked = useSettled(held[0].filter);
  const read = useInfiniteQuery({ ...driveModelsQuery(trpc, asked), placeholderData: keepPreviousData });
  return (
    <>
      <div className="head">
        <Link className="back" href={routes.drives.list()}>
          Drives
        </Link>
        <h1>Drive models</h1>
        <span className="what">how erases went, by firmware and technique</span>
      </div>
      <ResourceTable
        name="drive-models"
        noun="drive model"
        caption="Drive models"
        list={usePagedList(read, modelRows)}
        columns={columns}
        rowId={modelRows.rowId}
        searches={{
          held,
          placeholder: "Part of a model, firmware or technique",
          hint: "Each word must match the model, firmware or technique.",
        }}
        empty={
          <Empty title="No erases yet">
            A model appears here within a minute of its first erase. Remnants are counted where the policy
            asks for canaries.
          </Empty>
        }
      />
    </>
  );
}

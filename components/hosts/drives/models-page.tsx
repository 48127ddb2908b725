"use client";
// Drive models: how long their erases took, what they left behind, and which drives stalled or lied, by firmware and technique.
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import Link from "next/link";
import { pagedTable } from "@/components/trpc/paged-table";
import { useTRPC } from "@/components/trpc/trpc";
import { Empty } from "@/components/ui/empty";
import { formatDuration } from "@/components/ui/format/duration";
import { formatCount } from "@/components/ui/format/numbers";
import { Mark } from "@/components/ui/mark";
import { SearchField } from "@/components/ui/search-field";
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable } from "@/components/ui/table/data-table";
import { Time } from "@/components/ui/time/time";
import { routes } from "@/server/domain/console/routes";
import { formatRemnant } from "@/server/domain/cleaning/sanitization/models/remnant-text";
import type { DriveModelRow } from "@/server/surfaces/trpc/types";
import { driveModelsQuery } from "@/components/hosts/drives/drives-query";
import { useTyped } from "@/components/ui/form/use-typed";

const took = (ms: number | null): string => (ms === null ? "–" : formatDuration(ms));
const bad = (count: number, what: string) =>
  count === 0 ? <span className="text-quiet">0</span> : <Failed what={what}>{formatCount(count)}</Failed>;

const Failed = ({ what, children }: { what: string; children: string }) => (
  <span className="marked-text">
    <Mark tone="failed" label={what} />
    <span className="cut">{children}</span>
  </span>
);

const columns: readonly TableColumn<DriveModelRow>[] = [
  {
    id: "model",
    label: "Model",
    width: "16%",
    narrow: "top-start",
    rowHeader: true,
    title: ({ model }) => model,
    cell: ({ model, firmware }) => (
      <Link
        className="link"
        href={routes.drives.list({ q: `${model} ${firmware ?? ""}`.trim() })}
        prefetch={false}
      >
        {model}
      </Link>
    ),
  },
  {
    id: "firmware",
    label: "Firmware",
    width: 88,
    narrow: "top-end",
    className: "mono text-quiet",
    cell: ({ firmware }) => firmware ?? "–",
  },
  {
    id: "technique",
    label: "Technique",
    width: 190,
    narrow: "bottom-start",
    className: "mono",
    title: ({ technique }) => technique,
    cell: ({ technique }) => technique,
  },
  {
    id: "hosts",
    label: "Hosts",
    from: "wide",
    width: 64,
    align: "end",
    cell: ({ hosts }) => formatCount(hosts),
  },
  { id: "runs", label: "Runs", width: 68, align: "end", cell: ({ runs }) => formatCount(runs) },
  {
    id: "remnants",
    label: "Remnants",
    narrow: "line",
    title: ({ refuted, probed, eraseBound }) =>
      `Erases that left remnants: ${formatRemnant(refuted, probed, eraseBound)}`,
    cell: ({ remnants, canaries, bound }) =>
      remnants > 0 ? (
        <Failed what="left data">{formatRemnant(remnants, canaries, bound)}</Failed>
      ) : (
        <span className={bound === null ? "text-quiet" : undefined}>
          {formatRemnant(remnants, canaries, bound)}
        </span>
      ),
  },
  {
    id: "half",
    label: "Median",
    width: 100,
    align: "end",
    narrow: "bottom-end",
    title: ({ mostMs, longestMs }) =>
      longestMs === null ? null : `95th percentile ${took(mostMs)}, longest ${took(longestMs)}`,
    cell: ({ halfMs }) => took(halfMs),
  },
  {
    id: "most",
    label: "95th pct.",
    from: "widest",
    width: 100,
    align: "end",
    cell: ({ mostMs }) => took(mostMs),
  },
  {
    id: "longest",
    label: "Longest",
    from: "widest",
    width: 100,
    align: "end",
    cell: ({ longestMs }) => took(longestMs),
  },
  {
    id: "stalls",
    label: "Stalls",
    from: "medium",
    width: 64,
    align: "end",
    cell: ({ stalls }) => bad(stalls, "stalled"),
  },
  {
    id: "lies",
    label: "False OK",
    from: "medium",
    width: 56,
    align: "end",
    cell: ({ lies }) => bad(lies, "lied"),
  },
  {
    id: "at",
    label: "Last",
    from: "widest",
    width: 96,
    align: "end",
    className: "text-quiet",
    cell: ({ lastAt }) => <Time at={lastAt} />,
  },
];

export function ModelsPage({ q }: { q: string }) {
  const trpc = useTRPC();
  const [typed, asked, type, apply] = useTyped(q, routes.drives.models);
  const found = useInfiniteQuery({ ...driveModelsQuery(trpc, asked), placeholderData: keepPreviousData });
  const rows = found.data?.pages.flatMap((page) => page.rows) ?? [];
  return (
    <>
      <div className="head">
        <Link className="back" href={routes.drives.list()}>
          Drives
        </Link>
        <h1>Drive models</h1>
        <span className="what">how erases went, by firmware and technique</span>
      </div>
      <search className="filter">
        <SearchField
          label="Find drive models"
          value={typed}
          onChange={type}
          onSubmit={apply}
          placeholder="Part of a model, firmware or technique"
        />
      </search>
      <DataTable
        caption="Drive models"
        fullWidth
        columns={columns}
        rows={rows}
        rowId={({ model, firmware, technique }) => `${model}\u0000${firmware ?? ""}\u0000${technique}`}
        {...pagedTable(found, { before: "The drive models could not be read.", more: "Show more models" })}
        empty={<NoModels asked={asked} />}
      />
    </>
  );
}

const NoModels = ({ asked }: { asked: string }) =>
  asked === "" ? (
    <Empty title="No erases yet">
      A model appears here within a minute of its first erase. Remnants are counted where the policy asks for
      canaries.
    </Empty>
  ) : (
    <Empty title="No model matches">Each word must match the model, firmware or technique.</Empty>
  );

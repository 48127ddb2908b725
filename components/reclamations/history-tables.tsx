"use client";
// A host's reclamations, and the states it was in.
import { useMemo, type ReactNode } from "react";
import { StandingLabel } from "@/components/assurance/standing";
import { formatTimer } from "@/components/ui/format/duration";
import { Mark } from "@/components/ui/mark";
import { StateLabel } from "@/components/ui/state-label";
import { columnsOf } from "@/components/ui/table/column";
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable } from "@/components/ui/table/data-table";
import { Running } from "@/components/ui/time/time";
import type { HistoryLine, ReclamationHead } from "@/server/surfaces/trpc/types";
import { reclamationKindLabel } from "@/components/reclamations/reclamation-labels";

/** Mark and label of an outcome; a reclamation in progress has none yet. */
function outcomeOf({ endedAt, outcome, stoppedCause }: ReclamationHead): {
  tone: "working" | "failed" | "neutral";
  words: string;
} {
  if (outcome === "ready") return { tone: "neutral", words: "ready" };
  if (endedAt !== null) return { tone: "neutral", words: outcome ?? "ended" };
  return stoppedCause === null
    ? { tone: "working", words: "in progress" }
    : { tone: "failed", words: `stopped: ${stoppedCause}` };
}

const reclamationHeadColumn = columnsOf<ReclamationHead>();

const reclamationColumns = (
  href: (reclamationId: string) => string,
): readonly TableColumn<ReclamationHead>[] => [
  reclamationHeadColumn.link(
    "number",
    "Reclamation",
    ({ id, number }) => ({ words: number, href: href(id) }),
    { className: "mono text-medium", linkClass: "" },
  ),
  reclamationHeadColumn.cell("kind", "Kind", ({ kind }) => reclamationKindLabel(kind)),
  reclamationHeadColumn.cell(
    "outcome",
    "Outcome",
    (reclamation) => {
      const { tone, words } = outcomeOf(reclamation);
      return (
        <span className="marked-text">
          <Mark tone={tone} live={tone === "working"} label="" />
          <span className="cut">{words}</span>
        </span>
      );
    },
    { width: "40%", narrow: "bottom-start", title: ({ message }) => message },
  ),
  reclamationHeadColumn.cell("standing", "Standing", ({ standing }) => <StandingLabel standing={standing} />),
  reclamationHeadColumn.text("tenant", "Tenant", ({ tenantName }) => tenantName, { className: "text-quiet" }),
  reclamationHeadColumn.proofTime("began", "Began", ({ startedAt }) => startedAt, {
    align: "end",
    narrow: "bottom-end",
    className: "text-quiet",
  }),
  reclamationHeadColumn.cell(
    "took",
    "Took",
    ({ startedAt, endedAt }) =>
      endedAt === null ? <Running from={startedAt} /> : formatTimer(endedAt.getTime() - startedAt.getTime()),
    { align: "end", narrow: "top-end" },
  ),
];

/** Newest first, as given. */
export function ReclamationsTable({
  href,
  reclamations,
  empty,
}: {
  /** Link to one of them. */
  href: (reclamationId: string) => string;
  reclamations: readonly ReclamationHead[];
  empty: ReactNode;
}) {
  const columns = useMemo(() => reclamationColumns(href), [href]);
  return (
    <DataTable
      caption="Reclamations"
      columns={columns}
      rows={reclamations}
      rowId={({ id }) => id}
      empty={empty}
    />
  );
}

const historyLineColumn = columnsOf<HistoryLine>();

const stateColumns = [
  historyLineColumn.text("version", "Version", ({ version }) => version, {
    width: 64,
    align: "end",
    rowHeader: true,
    className: "text-quiet mono",
  }),
  historyLineColumn.cell(
    "state",
    "State",
    ({ tone, state, tookMs }) => (
      <StateLabel tone={tone} path={state} live={tookMs === null && tone === "working"} />
    ),
    { width: "min(360px, 26vw)", spaced: true, narrow: "top-start" },
  ),
  historyLineColumn.time("at", "At", ({ at }) => at, {
    width: 132,
    align: "end",
    narrow: "bottom-end",
    className: "text-quiet",
  }),
  historyLineColumn.cell(
    "took",
    "Took",
    ({ at, tookMs }) => (tookMs === null ? <Running from={at} /> : formatTimer(tookMs)),
    { width: 84, align: "end", narrow: "top-end" },
  ),
  historyLineColumn.text("reclamation", "Reclamation", ({ reclamationNumber }) => reclamationNumber, {
    width: 110,
    spaced: true,
    className: "text-quiet mono",
  }),
  historyLineColumn.text("reason", "Why", ({ reason }) => reason, {
    narrow: "bottom-start",
    className: "text-quiet wrapping",
  }),
];

/** Each state once, newest first. */
export function StatesTable({ states }: { states: readonly HistoryLine[] }) {
  return <DataTable caption="States" columns={stateColumns} rows={states} rowId={({ version }) => version} />;
}

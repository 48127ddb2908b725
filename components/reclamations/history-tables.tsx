"use client";
// A host's reclamations, and the states it was in.
import Link from "next/link";
import { useMemo, type ReactNode } from "react";
import { StandingLabel } from "@/components/assurance/standing";
import { formatTimer } from "@/components/ui/format/duration";
import { Mark } from "@/components/ui/mark";
import { StateLabel } from "@/components/ui/state-label";
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable } from "@/components/ui/table/data-table";
import { ProofTime, Running, Time } from "@/components/ui/time/time";
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

const reclamationColumns = (
  href: (reclamationId: string) => string,
): readonly TableColumn<ReclamationHead>[] => [
  {
    id: "number",
    label: "Reclamation",
    narrow: "top-start",
    rowHeader: true,
    className: "mono text-medium",
    cell: ({ id, number }) => <Link href={href(id)}>{number}</Link>,
  },
  { id: "kind", label: "Kind", cell: ({ kind }) => reclamationKindLabel(kind) },
  {
    id: "outcome",
    label: "Outcome",
    width: "40%",
    narrow: "bottom-start",
    title: ({ message }) => message,
    cell: (reclamation) => {
      const { tone, words } = outcomeOf(reclamation);
      return (
        <span className="marked-text">
          <Mark tone={tone} live={tone === "working"} label="" />
          <span className="cut">{words}</span>
        </span>
      );
    },
  },
  {
    id: "standing",
    label: "Standing",
    cell: ({ standing }) => <StandingLabel standing={standing} />,
  },
  { id: "tenant", label: "Tenant", className: "text-quiet", cell: ({ tenantName }) => tenantName ?? "–" },
  {
    id: "began",
    label: "Began",
    align: "end",
    narrow: "bottom-end",
    className: "text-quiet",
    cell: ({ startedAt }) => <ProofTime at={startedAt} />,
  },
  {
    id: "took",
    label: "Took",
    align: "end",
    narrow: "top-end",
    cell: ({ startedAt, endedAt }) =>
      endedAt === null ? <Running from={startedAt} /> : formatTimer(endedAt.getTime() - startedAt.getTime()),
  },
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

const stateColumns: readonly TableColumn<HistoryLine>[] = [
  {
    id: "version",
    label: "Version",
    width: 64,
    align: "end",
    rowHeader: true,
    className: "text-quiet mono",
    cell: ({ version }) => version,
  },
  {
    id: "state",
    label: "State",
    width: "min(360px, 26vw)",
    spaced: true,
    narrow: "top-start",
    cell: ({ tone, state, tookMs }) => (
      <StateLabel tone={tone} path={state} live={tookMs === null && tone === "working"} />
    ),
  },
  {
    id: "at",
    label: "At",
    width: 132,
    align: "end",
    narrow: "bottom-end",
    className: "text-quiet",
    cell: ({ at }) => <Time at={at} />,
  },
  {
    id: "took",
    label: "Took",
    width: 84,
    align: "end",
    narrow: "top-end",
    cell: ({ at, tookMs }) => (tookMs === null ? <Running from={at} /> : formatTimer(tookMs)),
  },
  {
    id: "reclamation",
    label: "Reclamation",
    width: 110,
    spaced: true,
    className: "text-quiet mono",
    cell: ({ reclamationNumber }) => reclamationNumber,
  },
  {
    id: "reason",
    label: "Why",
    narrow: "bottom-start",
    className: "text-quiet wrapping",
    title: ({ reason }) => reason,
    cell: ({ reason }) => reason,
  },
];

/** Each state once, newest first. */
export function StatesTable({ states }: { states: readonly HistoryLine[] }) {
  return <DataTable caption="States" columns={stateColumns} rows={states} rowId={({ version }) => version} />;
}

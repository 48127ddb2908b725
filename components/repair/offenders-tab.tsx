"use client";
// Repeat offenders: hosts repaired too often within the rule's period, each with those repairs.
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { hostColumn } from "@/components/repair/queue-table";
import { formatIssue, lineOutcome } from "@/components/repair/repair-text";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { useTRPC } from "@/components/trpc/trpc";
import { Empty } from "@/components/ui/empty";
import { StateLabel } from "@/components/ui/state-label";
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable } from "@/components/ui/table/data-table";
import { Age } from "@/components/ui/time/time";
import { repeatRule } from "@/server/domain/repair/repairs";
import type { OffenderRow } from "@/server/surfaces/trpc/types";

const refreshMs = 10_000;

const lastIssue = ({ repairs: [last] }: OffenderRow): string =>
  last?.issue == null ? "not recorded" : formatIssue(last.issue);

const columns: readonly TableColumn<OffenderRow>[] = [
  { id: "repairs", label: "Repairs", width: 84, narrow: "top-end", cell: ({ repairs }) => repairs.length },
  { id: "issue", label: "Last issue", narrow: "line", title: lastIssue, cell: lastIssue },
  {
    id: "outcome",
    label: "Last outcome",
    width: 130,
    narrow: "bottom-end",
    cell: ({ repairs: [last] }) => (last === undefined ? "–" : lineOutcome(last).words),
  },
  {
    id: "ended",
    label: "Ended",
    width: 96,
    align: "end",
    from: "medium",
    className: "text-quiet",
    cell: ({ repairs: [last] }) => (last?.releasedAt == null ? "–" : <Age at={last.releasedAt} />),
  },
  {
    id: "state",
    label: "State now",
    width: 170,
    spaced: true,
    narrow: "bottom-start",
    cell: ({ state, tone }) => <StateLabel tone={tone} path={state} short />,
  },
];

interface OffendersTabProps {
  readonly open: string | null;
  readonly onOpen: (host: string) => void;
}

export function OffendersTab({ open, onOpen }: OffendersTabProps) {
  const trpc = useTRPC();
  const list = useQuery(trpc.repair.offenders.queryOptions());
  useLiveRefresh(() => list.refetch(), { everyMs: refreshMs });
  const all = useMemo(() => [hostColumn<OffenderRow>(open, onOpen), ...columns], [open, onOpen]);
  return (
    <DataTable
      caption="Repeat offenders"
      columns={all}
      rows={list.data?.rows ?? []}
      rowId={({ host }) => host}
      loading={list.isPending}
      problem={
        list.isError ? (
          <ProblemNotice error={list.error} before="The repeat offenders could not be read." />
        ) : undefined
      }
      empty={
        <Empty title="No repeat offenders">
          A host that is repaired {repeatRule.repairs} times in {repeatRule.days} days is listed here.
        </Empty>
      }
    />
  );
}

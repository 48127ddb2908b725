"use client";
// Site changes: those awaiting another provider admin with their buttons, and closed ones.
import { useInfiniteQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useMemo, useState } from "react";
import { overChangeQuery } from "@/components/assurance/assurance-view";
import type { AssuranceList } from "@/components/assurance/dispositions-tab";
import {
  PolicyChangeActs,
  usePolicyChangeDialog,
} from "@/components/assurance/policy-changes/policy-change-acts";
import { PolicyChangeFacts } from "@/components/assurance/policy-changes/policy-change-facts";
import {
  changeName,
  changeTitle,
  changeStatus,
} from "@/components/assurance/policy-changes/policy-change-text";
import { pagedTable } from "@/components/trpc/paged-table";
import { useTRPC } from "@/components/trpc/trpc";
import { Empty } from "@/components/ui/empty";
import { columnsOf } from "@/components/ui/table/column";
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable } from "@/components/ui/table/data-table";
import { routes } from "@/server/domain/console/routes";
import type { PolicyChangeLine } from "@/server/surfaces/trpc/types";

interface PolicyChangesTabProps {
  /** Pending changes. */
  readonly list: AssuranceList<PolicyChangeLine>;
  readonly onDone: () => void;
}

export function PolicyChangesTab({ list, onDone }: PolicyChangesTabProps) {
  const trpc = useTRPC();
  const over = useInfiniteQuery(
    trpc.policyChanges.list.infiniteQueryOptions(overChangeQuery, {
      getNextPageParam: (page) => page.nextCursor,
    }),
  );
  const { ask, dialog } = usePolicyChangeDialog(() => {
    void over.refetch();
    onDone();
  });
  const waiting = useMemo(
    () => [siteColumn, standingColumn, byColumn, timeColumn("Expires"), actsColumn(ask)],
    [ask],
  );
  return (
    <>
      {dialog}
      <Lines
        caption="Changes that wait for approval"
        columns={waiting}
        list={list}
        empty={
          <Empty title="No pending changes">
            If a site’s policy requires approval, changes to its settings appear here until another provider
            admin approves them.
          </Empty>
        }
      />
      <div className="sec">
        <h2>Closed</h2>
        <span className="sum cut">the newest first</span>
      </div>
      <Lines
        caption="Closed changes"
        columns={overColumns}
        list={over}
        empty={<p className="text-quiet">None yet.</p>}
      />
    </>
  );
}

interface LinesProps {
  readonly caption: string;
  /** Columns after the first, which opens the row. */
  readonly columns: readonly TableColumn<PolicyChangeLine>[];
  readonly list: AssuranceList<PolicyChangeLine>;
  readonly empty: React.ReactNode;
}

function Lines({ caption, columns, list, empty }: LinesProps) {
  const [open, setOpen] = useState<string | null>(null);
  const all = useMemo(
    () => [whatColumn(open, (id) => setOpen((before) => (before === id ? null : id))), ...columns],
    [open, columns],
  );
  return (
    <DataTable
      caption={caption}
      columns={all}
      rows={list.data?.pages.flatMap((page) => page.items) ?? []}
      rowId={({ id }) => id}
      detail={(line) => (line.id === open ? <PolicyChangeFacts line={line} /> : null)}
      {...pagedTable(list, { before: "The list could not be read.", more: "Show more changes" })}
      empty={empty}
    />
  );
}

const column = columnsOf<PolicyChangeLine>();

const whatColumn = (open: string | null, onToggle: (id: string) => void): TableColumn<PolicyChangeLine> =>
  column.cell(
    "what",
    "Change",
    (line) => (
      <button
        type="button"
        className="link"
        aria-expanded={open === line.id}
        onClick={() => onToggle(line.id)}
        aria-label={`${open === line.id ? "Hide" : "Show"} ${changeName(line)}`}
      >
        {changeTitle(line)}
      </button>
    ),
    { width: "28%", narrow: "top-start", rowHeader: true, title: changeTitle },
  );

const siteColumn = column.cell(
  "site",
  "Site",
  ({ site }) => <Link href={routes.settings.history({ site })}>{site}</Link>,
  { width: 110, narrow: "line", title: ({ site }) => site },
);

const standingColumn = column.cell(
  "standing",
  "Status",
  (line) => (
    <span className="tone" data-tone={line.mayDecide ? "attention" : "neutral"}>
      {changeStatus(line)}
    </span>
  ),
  { narrow: "line", title: changeStatus },
);

const byColumn = column.cell("by", "Asked by", ({ own, askedBy }) => (own ? "you" : askedBy), {
  width: 130,
  narrow: "line",
  className: "text-quiet",
  title: ({ askedBy }) => askedBy,
});

const timeColumn = (label: "Expires" | "Asked"): TableColumn<PolicyChangeLine> =>
  column.time("time", label, ({ askedAt, validUntil }) => (label === "Asked" ? askedAt : validUntil), {
    width: 130,
    align: "end",
    narrow: "bottom-start",
    className: "text-quiet",
  });

const actsColumn = (onAsk: Parameters<typeof PolicyChangeActs>[0]["onAsk"]): TableColumn<PolicyChangeLine> =>
  column.cell("acts", "Actions", (line) => <PolicyChangeActs line={line} onAsk={onAsk} />, {
    labelHidden: true,
    width: 210,
    align: "end",
    narrow: "bottom-end",
  });

const overColumns = [siteColumn, standingColumn, byColumn, timeColumn("Asked")];

"use client";
// Exceptions: those that wait or count, with what may be done about them, and those that are over, with the reason.
import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { overExceptionQuery } from "@/components/assurance/assurance-view";
import type { AssuranceList } from "@/components/assurance/dispositions-tab";
import {
  actsColumn,
  byColumn,
  endsColumn,
  hostColumn,
  standingColumn,
  whatColumn,
} from "@/components/assurance/exceptions/exception-columns";
import { useExceptionDialog } from "@/components/assurance/exceptions/exception-acts";
import { ExceptionFacts } from "@/components/assurance/exceptions/exception-facts";
import { pagedTable } from "@/components/trpc/paged-table";
import { useTRPC } from "@/components/trpc/trpc";
import { Empty } from "@/components/ui/empty";
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable } from "@/components/ui/table/data-table";
import type { ExceptionLine } from "@/server/surfaces/trpc/types";

interface ExceptionsTabProps {
  /** Those that wait or count. */
  readonly list: AssuranceList<ExceptionLine>;
  readonly onDone: () => void;
}

export function ExceptionsTab({ list, onDone }: ExceptionsTabProps) {
  const trpc = useTRPC();
  const over = useInfiniteQuery(
    trpc.exceptions.list.infiniteQueryOptions(overExceptionQuery, {
      getNextPageParam: (page) => page.nextCursor,
    }),
  );
  const { ask, dialog } = useExceptionDialog(() => {
    void over.refetch();
    onDone();
  });
  const current = useMemo(
    () => [hostColumn, standingColumn, byColumn, endsColumn("Ends"), actsColumn(ask)],
    [ask],
  );
  return (
    <>
      {dialog}
      <Lines
        caption="Exceptions that wait or count"
        columns={current}
        list={list}
        keys
        empty={
          <Empty title="No exception waits or counts">
            An exception lets one gate, or one drive, of a stopped reclamation through: one person asks for it
            on the host’s tab Gates, and a provider admin who is another person approves it.
          </Empty>
        }
      />
      <div className="sec">
        <h2>Over</h2>
        <span className="sum cut">ended, rejected, withdrawn, or void with the reason; the newest first</span>
      </div>
      <Lines
        caption="Exceptions that are over"
        columns={overColumns}
        list={over}
        empty={<p className="text-quiet">None yet.</p>}
      />
    </>
  );
}

const overColumns = [hostColumn, standingColumn, byColumn, endsColumn("End")];

interface LinesProps {
  readonly caption: string;
  /** Beside the first, which opens the row. */
  readonly columns: readonly TableColumn<ExceptionLine>[];
  readonly list: AssuranceList<ExceptionLine>;
  readonly empty: React.ReactNode;
  /** Its rows are moved over by keys; of one table on a page. */
  readonly keys?: boolean;
}

function Lines({ caption, columns, list, empty, keys = false }: LinesProps) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [at, setAt] = useState<string | null>(null);
  const toggle = (id: string) =>
    setOpen((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  const all = useMemo(() => [whatColumn(open, toggle), ...columns], [open, columns]);
  return (
    <DataTable
      caption={caption}
      columns={all}
      rows={list.data?.pages.flatMap((page) => page.items) ?? []}
      rowId={({ id }) => id}
      detail={(line) => (open.has(line.id) ? <ExceptionFacts line={line} /> : null)}
      {...(keys ? { cursor: { id: at, onMove: setAt, onOpen: toggle } } : {})}
      {...pagedTable(list, { before: "The list could not be read.", more: "Show more exceptions" })}
      empty={empty}
    />
  );
}

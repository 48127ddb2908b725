"use client";
// Exceptions: pending and approved ones with their buttons, and closed ones with the reason.
import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { overExceptionQuery } from "@/components/assurance/assurance-view";
import type { AssuranceList } from "@/components/assurance/dispositions-tab";
import { ExceptionActs, useExceptionDialog } from "@/components/assurance/exceptions/exception-acts";
import { ExceptionFacts } from "@/components/assurance/exceptions/exception-facts";
import { pagedTable } from "@/components/trpc/paged-table";
import { useTRPC } from "@/components/trpc/trpc";
import { Empty } from "@/components/ui/empty";
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable } from "@/components/ui/table/data-table";
import type { ExceptionLine } from "@/server/surfaces/trpc/types";
import Link from "next/link";
import {
  formatException,
  formatExceptionStanding,
  letThrough,
} from "@/components/assurance/exceptions/exception-text";
import { columnsOf } from "@/components/ui/table/column";
import { ProofTime, proofTimeWidth } from "@/components/ui/time/time";
import { routes } from "@/server/domain/console/routes";

// Columns of the exception lists.
type Column = TableColumn<ExceptionLine>;

const column = columnsOf<ExceptionLine>();

const whatColumn = (open: ReadonlySet<string>, onToggle: (id: string) => void): Column =>
  column.cell(
    "what",
    "Exception",
    (line) => (
      <button
        type="button"
        className="link"
        aria-expanded={open.has(line.id)}
        onClick={() => onToggle(line.id)}
        aria-label={`${open.has(line.id) ? "Hide" : "Show"} ${formatException(line)}`}
      >
        {letThrough(line)}
      </button>
    ),
    { width: "26%", narrow: "top-start", rowHeader: true, className: "wrapping", title: letThrough },
  );

const hostColumn = column.cell(
  "host",
  "Host",
  ({ host }) => <Link href={routes.host(host.name, { tab: "gates" })}>{host.name}</Link>,
  { width: 140, narrow: "line", sort: ({ host }) => host.name, title: ({ host }) => host.name },
);

const standingColumn = column.cell(
  "standing",
  "Status",
  (line) => (
    <span className="tone" data-tone={line.standing === "approved" ? "attention" : "neutral"}>
      {formatExceptionStanding(line)}
      {line.standing === "superseded" && line.supersededAt !== null ? (
        <>
          {" "}
          on <ProofTime at={line.supersededAt} />
        </>
      ) : null}
    </span>
  ),
  { narrow: "line", className: "wrapping", title: formatExceptionStanding },
);

const byColumn = column.cell("by", "Asked by", ({ own, askedBy }) => (own ? "you" : askedBy), {
  width: 130,
  narrow: "line",
  from: "medium",
  className: "text-quiet",
  title: ({ askedBy }) => askedBy,
});

const expiresColumn = (label: "Expires" | "Expiry"): Column =>
  column.cell(
    "expires",
    label,
    ({ validUntil }) => (
      <>
        <span className="narrow-label">{label.toLowerCase()} </span>
        <ProofTime at={validUntil} />
      </>
    ),
    {
      width: proofTimeWidth,
      align: "end",
      narrow: "bottom-start",
      className: "text-quiet",
      sort: ({ validUntil }) => validUntil,
    },
  );

const actsColumn = (onAsk: Parameters<typeof ExceptionActs>[0]["onAsk"]): Column =>
  column.cell("acts", "Actions", (line) => <ExceptionActs line={line} onAsk={onAsk} />, {
    labelHidden: true,
    width: 240,
    align: "end",
    narrow: "line",
  });

interface ExceptionsTabProps {
  /** Pending or approved. */
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
    () => [hostColumn, standingColumn, byColumn, expiresColumn("Expires"), actsColumn(ask)],
    [ask],
  );
  return (
    <>
      {dialog}
      <Lines
        caption="Open exceptions"
        columns={current}
        list={list}
        keys
        empty={
          <Empty title="No open exceptions">
            An exception lets one gate or one drive of a stopped reclamation pass. Ask for it on the host’s
            Gates tab. Another person, a provider admin, approves it.
          </Empty>
        }
      />
      <div className="sec">
        <h2>Closed</h2>
        <span className="sum cut">expired, rejected, void or no longer needed</span>
      </div>
      <Lines
        caption="Closed exceptions"
        columns={overColumns}
        list={over}
        empty={<p className="text-quiet">None yet.</p>}
      />
    </>
  );
}

const overColumns = [hostColumn, standingColumn, byColumn, expiresColumn("Expiry")];

interface LinesProps {
  readonly caption: string;
  /** Columns after the first, which opens the row. */
  readonly columns: readonly TableColumn<ExceptionLine>[];
  readonly list: AssuranceList<ExceptionLine>;
  readonly empty: React.ReactNode;
  /** Enables keyboard navigation; set for one table per page. */
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
      fullWidth
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

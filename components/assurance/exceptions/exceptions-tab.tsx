"use client";
// Exceptions: pending and approved ones with their buttons, and closed ones with the reason.
import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { idOf, overExceptionQuery } from "@/components/assurance/assurance-view";
import { ExceptionActs, useExceptionDialog } from "@/components/assurance/exceptions/exception-acts";
import { ExceptionFacts } from "@/components/assurance/exceptions/exception-facts";
import { useTRPC } from "@/components/trpc/trpc";
import { Empty } from "@/components/ui/empty";
import type { TableColumn } from "@/components/ui/table/columns";
import { useItems, type ResourceList } from "@/components/ui/resource-table/resource-list";
import { ResourceTable } from "@/components/ui/resource-table/resource-table";
import type { ExceptionLine } from "@/server/surfaces/trpc/types";
import Link from "next/link";
import { formatExceptionStanding, letThrough } from "@/components/assurance/exceptions/exception-text";
import { columnsOf } from "@/components/ui/table/column";
import { ProofTime, proofTimeWidth } from "@/components/ui/time/time";
import { routes } from "@/server/domain/console/routes";

// Columns of the exception lists.
type Column = TableColumn<ExceptionLine>;

const column = columnsOf<ExceptionLine>();

const whatColumn = column.opener("what", "Exception", (line) => ({ id: line.id, words: letThrough(line) }), {
  width: "26%",
  openerClass: "link",
  className: "wrapping",
  title: letThrough,
});

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
  {
    ...{ narrow: "line", className: "wrapping" },
    title: formatExceptionStanding,
    sort: formatExceptionStanding,
  },
);

const byColumn = column.cell("by", "Asked by", ({ own, askedBy }) => (own ? "you" : askedBy), {
  width: 130,
  narrow: "line",
  from: "medium",
  className: "text-quiet",
  title: ({ askedBy }) => askedBy,
  sort: ({ own, askedBy }) => (own ? "you" : askedBy),
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
  column.acts(240, (line) => <ExceptionActs line={line} onAsk={onAsk} />);

interface ExceptionsTabProps {
  /** Pending or approved. */
  readonly list: ResourceList<ExceptionLine>;
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
    () => [whatColumn, hostColumn, standingColumn, byColumn, expiresColumn("Expires"), actsColumn(ask)],
    [ask],
  );
  return (
    <>
      {dialog}
      <Lines
        name="exceptions"
        caption="Open exceptions"
        columns={current}
        list={list}
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
        name="closed-exceptions"
        prefix="closed"
        caption="Closed exceptions"
        columns={overColumns}
        list={useItems(over, idOf)}
        empty={<p className="text-quiet">None yet.</p>}
      />
    </>
  );
}

const overColumns = [whatColumn, hostColumn, standingColumn, byColumn, expiresColumn("Expiry")];

interface LinesProps {
  readonly name: string;
  readonly prefix?: string;
  readonly caption: string;
  readonly columns: readonly TableColumn<ExceptionLine>[];
  readonly list: ResourceList<ExceptionLine>;
  readonly empty: React.ReactNode;
}

const Lines = (lines: LinesProps) => (
  <ResourceTable
    {...lines}
    noun="exception"
    of={lines.prefix}
    rowId={idOf}
    namesOf={({ host }) => [host.name]}
    detail={(line) => <ExceptionFacts line={line} />}
  />
);

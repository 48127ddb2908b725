"use client";
// Dispositions of missing drives: those that await another person's signature, and those already decided.
import { useInfiniteQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useMemo, useState } from "react";
import { decidedDispositionQuery, idOf } from "@/components/assurance/assurance-view";
import { DecideDialog } from "@/components/assurance/decide-dialog";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { Facts } from "@/components/ui/head/facts";
import { columnsOf } from "@/components/ui/table/column";
import type { TableColumn } from "@/components/ui/table/columns";
import { useItems, type ResourceList } from "@/components/ui/resource-table/resource-list";
import { ResourceTable } from "@/components/ui/resource-table/resource-table";
import { ProofTime } from "@/components/ui/time/time";
import type { Decision } from "@/server/domain/assurance/approvals/approval";
import { confirmedText } from "@/server/domain/access/passkeys";
import { routes } from "@/server/domain/console/routes";
import type { ApprovalLine } from "@/server/surfaces/trpc/types";

interface Asked {
  readonly decision: Decision;
  readonly line: ApprovalLine;
}

interface DispositionsTabProps {
  /** Pending dispositions. */
  readonly list: ResourceList<ApprovalLine>;
  readonly onDone: () => void;
}

export function DispositionsTab({ list, onDone }: DispositionsTabProps) {
  const trpc = useTRPC();
  const [asked, setAsked] = useState<Asked>();
  const columns = useMemo(() => [...facts, waitsColumn, decideColumn(setAsked)], []);
  const decided = useInfiniteQuery(
    trpc.approvals.list.infiniteQueryOptions(decidedDispositionQuery, {
      getNextPageParam: (page) => page.nextCursor,
    }),
  );
  return (
    <>
      <Lines
        name="dispositions"
        caption="Dispositions to sign off"
        columns={columns}
        list={list}
        empty={
          <Empty title="No dispositions to sign off">
            The disposition of a missing drive or of changed parts, recorded on the host’s tabs Inventory and
            Parts, waits here until another person signs it off.
          </Empty>
        }
      />
      <div className="sec">
        <h2>Decided</h2>
        <span className="sum cut">newest first, with those withdrawn</span>
      </div>
      <Lines
        name="decided-dispositions"
        prefix="decided"
        caption="Decided dispositions"
        columns={decidedColumns}
        list={useItems(decided, idOf)}
        empty={<p className="text-quiet">None yet.</p>}
      />
      {asked === undefined ? null : (
        <DecideDialog
          decision={asked.decision}
          item={{
            id: asked.line.id,
            evidence: asked.line.evidence,
            words: `${asked.line.subject} on ${asked.line.host?.name ?? "a host that is gone"}`,
          }}
          about="disposition"
          shows={<Stated line={asked.line} />}
          askedBy={asked.line.askedBy}
          onClose={() => setAsked(undefined)}
          onDone={() => {
            void decided.refetch();
            onDone();
          }}
        />
      )}
    </>
  );
}

const Stated = ({ line }: Pick<Asked, "line">) => (
  <Facts
    facts={[
      ["Reason", line.reason],
      ["Recorded", <ProofTime key="recorded" at={line.askedAt} />],
    ]}
  />
);

interface LinesProps {
  readonly name: string;
  readonly prefix?: string;
  readonly caption: string;
  readonly columns: readonly TableColumn<ApprovalLine>[];
  readonly list: ResourceList<ApprovalLine>;
  readonly empty: React.ReactNode;
}

const Lines = (lines: LinesProps) => (
  <ResourceTable
    {...lines}
    noun="disposition"
    of={lines.prefix}
    rowId={idOf}
    namesOf={({ host }) => [host?.name ?? null]}
  />
);

const column = columnsOf<ApprovalLine>();

const facts = [
  column.name("subject", "Disposition", ({ subject }) => subject, { width: "26%", className: "wrapping" }),
  column.cell(
    "host",
    "Host",
    ({ host }) =>
      host === null ? "gone" : <Link href={routes.host(host.name, { tab: "inventory" })}>{host.name}</Link>,
    {
      width: 140,
      narrow: "line",
      sort: ({ host }) => host?.name ?? null,
      title: ({ host }) => host?.name ?? null,
    },
  ),
  column.text("reason", "Reason", ({ reason }) => reason, { narrow: "line", className: "text-quiet" }),
  column.cell("by", "Recorded by", ({ own, askedBy }) => (own ? "you; another person signs" : askedBy), {
    width: 150,
    narrow: "line",
    title: ({ askedBy }) => askedBy,
    sort: ({ own, askedBy }) => (own ? "you" : askedBy),
  }),
];

const waitsColumn = column.age("waits", "Waiting", ({ askedAt }) => askedAt, {
  width: 80,
  narrow: "bottom-start",
});

const decideColumn = (onAsk: (asked: Asked) => void): TableColumn<ApprovalLine> =>
  column.acts(150, (line) =>
    line.mayDecide ? (
      <span className="row-acts">
        <Button
          small
          onClick={() => onAsk({ decision: "approved", line })}
          aria-label={`Sign… ${line.subject} on ${line.host?.name ?? "a host that is gone"}`}
        >
          Sign…
        </Button>
        <Button
          small
          onClick={() => onAsk({ decision: "rejected", line })}
          aria-label={`Reject… ${line.subject} on ${line.host?.name ?? "a host that is gone"}`}
        >
          Reject…
        </Button>
      </span>
    ) : null,
  );

function formatDecision({ decision, decidedBy, decidedWith, decidedReason, voided }: ApprovalLine): string {
  if (voided !== null) return `void: ${voided}`;
  const why = decidedReason === null || decidedReason === "" ? "" : `: ${decidedReason}`;
  return `${decision === "approved" ? "signed" : "rejected"} by ${decidedBy ?? "nobody"}${confirmedText(decidedWith)}${why}`;
}

const decidedColumns: readonly TableColumn<ApprovalLine>[] = [
  ...facts,
  column.text("decision", "Decision", formatDecision, { width: 264, narrow: "line" }),
  column.proofTime("at", "Decided", ({ decidedAt }) => decidedAt, {
    align: "end",
    narrow: "bottom-start",
    className: "text-quiet",
    none: null,
  }),
];

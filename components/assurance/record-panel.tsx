"use client";
// One record beside the list, with the decision on it.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { DecideDialog, type Decided } from "@/components/assurance/decide-dialog";
import { RecordFacts } from "@/components/assurance/record-facts";
import { useMe } from "@/components/frame/me";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import type { Decision } from "@/server/domain/approvals/approval";
import type { ApprovalLine, RecordLine } from "@/server/surfaces/trpc/types";

interface RecordPanelProps {
  readonly recordId: string;
  /** What else this person may decide on. */
  readonly waiting: readonly ApprovalLine[];
  readonly onClose: () => void;
  readonly onDone: () => void;
}

const decided = ({ approvalId: id, evidence, procedure, host }: RecordLine): Decided => ({
  id,
  evidence,
  words: `${procedure} on ${host.name}`,
});

/** Others of the same person and the same version of the procedure. */
const alike = (record: RecordLine, waiting: readonly ApprovalLine[]): readonly Decided[] =>
  waiting
    .filter(
      ({ mayDecide, askedBy, subject }) =>
        mayDecide &&
        askedBy === record.operator &&
        subject === `${record.procedure}, version ${record.version}`,
    )
    .map(({ id, evidence, subject, host }) => ({
      id,
      evidence,
      words: `${subject} on ${host?.name ?? "a host that is gone"}`,
    }));

export function RecordPanel({ recordId, waiting, onClose, onDone }: RecordPanelProps) {
  const trpc = useTRPC();
  const read = useQuery(trpc.procedures.get.queryOptions({ recordId }));
  const done = () => {
    void read.refetch();
    onDone();
  };
  return (
    <aside className="assurance-panel" aria-label="Record">
      <div className="head">
        <h2>{read.data === undefined ? "Record" : `${read.data.title}`}</h2>
        <span className="what">
          {read.data === undefined ? "" : `${read.data.procedure}, version ${read.data.version}`}
        </span>
        <div className="acts">
          <Button small kind="plain" onClick={onClose}>
            Close
          </Button>
        </div>
      </div>
      {read.isPending ? <Skeleton rows={8} /> : null}
      {read.isError ? <ProblemNotice error={read.error} before="The record could not be read." /> : null}
      {read.data === undefined ? null : (
        <>
          <RecordFacts record={read.data} />
          <DecisionActs record={read.data} waiting={waiting} onDone={done} />
        </>
      )}
    </aside>
  );
}

interface DecisionActsProps {
  readonly record: RecordLine;
  readonly waiting: readonly ApprovalLine[];
  readonly onDone: () => void;
}

/** Nothing where somebody else decides, or where it was decided. */
export function DecisionActs({ record, waiting, onDone }: DecisionActsProps) {
  const me = useMe();
  const [asked, setAsked] = useState<{ decision: Decision; items: readonly Decided[] } | null>(null);
  const others = alike(record, waiting);
  if (record.own && record.decision === null && record.voided === null)
    return <p className="after text-quiet">You recorded this, so another person signs it off.</p>;
  if (!record.mayDecide) return null;
  const one = [decided(record)];
  return (
    <div className="assurance-acts">
      <Button small kind="main" onClick={() => setAsked({ decision: "approved", items: one })}>
        Sign off…
      </Button>
      <Button small onClick={() => setAsked({ decision: "rejected", items: one })}>
        Reject…
      </Button>
      {others.length < 2 ? null : (
        <Button small kind="plain" onClick={() => setAsked({ decision: "approved", items: others })}>
          Sign off all {others.length} of {record.operator}…
        </Button>
      )}
      {asked === null ? null : (
        <DecideDialog
          {...asked}
          askedBy={record.operator}
          me={me.name}
          onClose={() => setAsked(null)}
          onDone={onDone}
        />
      )}
    </div>
  );
}

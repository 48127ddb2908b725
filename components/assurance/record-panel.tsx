"use client";
// One record in the side panel, with its sign-off buttons.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { DecideDialog, type Decided } from "@/components/assurance/decide-dialog";
import { RecordFacts } from "@/components/assurance/record-facts";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { SidePanel } from "@/components/ui/side/side-panel";
import { Skeleton } from "@/components/ui/skeleton";
import type { Decision } from "@/server/domain/assurance/approvals/approval";
import type { RecordLine } from "@/server/surfaces/trpc/types";

interface RecordPanelProps {
  readonly recordId: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

const decided = ({ approvalId: id, evidence, procedure, host }: RecordLine): Decided => ({
  id,
  evidence,
  words: `${procedure} on ${host.name}`,
});

export function RecordPanel({ recordId, onClose, onDone }: RecordPanelProps) {
  const trpc = useTRPC();
  const read = useQuery(trpc.procedures.get.queryOptions({ recordId }));
  const done = () => {
    void read.refetch();
    onDone();
  };
  return (
    <SidePanel
      label="Record"
      title={read.data?.title ?? "Record"}
      what={read.data === undefined ? "" : `${read.data.procedure}, version ${read.data.version}`}
      onClose={onClose}
    >
      {read.isPending ? <Skeleton rows={8} /> : null}
      {read.isError ? <ProblemNotice error={read.error} before="The record could not be read." /> : null}
      {read.data === undefined ? null : (
        <>
          <RecordFacts record={read.data} />
          <DecisionActs record={read.data} onDone={done} />
        </>
      )}
    </SidePanel>
  );
}

interface DecisionActsProps {
  readonly record: RecordLine;
  readonly onDone: () => void;
}

/** Empty if someone else has to decide, or if it is already decided. */
export function DecisionActs({ record, onDone }: DecisionActsProps) {
  const [asked, setAsked] = useState<Decision | null>(null);
  if (record.own && record.decision === null && record.voided === null)
    return <p className="after text-quiet">You recorded this, so another person must sign it off.</p>;
  if (!record.mayDecide) return null;
  return (
    <div className="assurance-acts">
      <Button small kind="main" onClick={() => setAsked("approved")}>
        Sign off…
      </Button>
      <Button small onClick={() => setAsked("rejected")}>
        Reject…
      </Button>
      {asked === null ? null : (
        <DecideDialog
          decision={asked}
          item={decided(record)}
          askedBy={record.operator}
          onClose={() => setAsked(null)}
          onDone={onDone}
        />
      )}
    </div>
  );
}

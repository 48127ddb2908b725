"use client";
// The *Assurance* tab of a host: the procedures that apply, their progress, and the records.
import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { HostExceptions } from "@/components/assurance/exceptions/host-exceptions";
import { RecordDialog } from "@/components/assurance/record-dialog";
import { RecordFacts } from "@/components/assurance/record-facts";
import { DecisionActs } from "@/components/assurance/record-panel";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { formatCounted } from "@/server/domain/numbers";
import type { HostAssurance, HostDetail, RecordLine, StandingLine } from "@/server/surfaces/trpc/types";

const refreshMs = 2_000;
type Procedure = StandingLine["procedure"];

export function HostAssuranceTab({ host }: { readonly host: Pick<HostDetail, "id" | "name"> }) {
  const trpc = useTRPC();
  const { data, refetch } = useSuspenseQuery(trpc.procedures.ofHost.queryOptions({ hostId: host.id }));
  useLiveRefresh(refetch, { hostId: host.id, everyMs: refreshMs });
  const [recorded, setRecorded] = useState<Procedure | null>(null);
  return (
    <>
      <div className="sec">
        <h2>Procedures</h2>
        <span className="sum cut">
          {data.standings.length === 0 ? "none apply" : formatCounted(data.standings.length, "procedure")}
        </span>
      </div>
      <Procedures assurance={data} onRecord={setRecorded} />
      <HostExceptions host={host} />
      <div className="sec">
        <h2>Records</h2>
        <span className="sum cut">
          {data.records.length === 0 ? "none" : formatCounted(data.records.length, "record")}
        </span>
      </div>
      {data.records.length === 0 ? (
        <Empty title="No records">Recorded procedures of this host appear here.</Empty>
      ) : null}
      {data.records.map((record) => (
        <OneRecord key={record.id} record={record} onDone={() => void refetch()} />
      ))}
      {recorded === null ? null : (
        <RecordDialog
          host={data.host}
          procedure={recorded}
          onClose={() => setRecorded(null)}
          onDone={() => void refetch()}
        />
      )}
    </>
  );
}

interface ProceduresProps {
  readonly assurance: HostAssurance;
  readonly onRecord: (procedure: Procedure) => void;
}

function Procedures({ assurance: { standings, others, refusal }, onRecord }: ProceduresProps) {
  const lines = [
    ...standings.map(({ procedure, words, reason }) => ({ procedure, words: `${words} (${reason})` })),
    ...others.map((procedure) => ({ procedure, words: "not due" })),
  ];
  if (lines.length === 0)
    return (
      <Empty title="No procedures">
        The policy of this host defines none. Provider admins define procedures in Settings, Procedures.
      </Empty>
    );
  return (
    <>
      <ul className="assurance-lines">
        {lines.map(({ procedure, words }) => (
          <li key={procedure.name}>
            <span>
              {procedure.title} <span className="text-quiet">version {procedure.version}</span>
            </span>
            <span>
              {words}{" "}
              {refusal === null ? (
                <Button small onClick={() => onRecord(procedure)} aria-label={`Record… ${procedure.name}`}>
                  Record…
                </Button>
              ) : null}
            </span>
          </li>
        ))}
      </ul>
      {refusal === null ? null : <p className="after text-quiet">{refusal}</p>}
    </>
  );
}

function OneRecord({ record, onDone }: { readonly record: RecordLine; readonly onDone: () => void }) {
  const isOpen = record.decision === null && record.voided === null;
  return (
    <details className="assurance-record" open={isOpen}>
      <summary>
        {record.title}, version {record.version}, by {record.operator}
      </summary>
      <RecordFacts record={record} />
      <DecisionActs record={record} onDone={onDone} />
    </details>
  );
}

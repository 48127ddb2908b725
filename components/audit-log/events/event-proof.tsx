"use client";
// Proof that an event is in the signed log: shown, copied, or saved as the two files that `reclaim audit check` takes.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { saveFile } from "@/components/ui/save-file";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { formatCounted } from "@/components/ui/format/numbers";
import { Skeleton } from "@/components/ui/skeleton";
import { parseProof } from "@/server/domain/audit-log/tlog-proof";

export function EventProof({ id }: { id: string }) {
  const [asked, setAsked] = useState(false);
  const trpc = useTRPC();
  const read = useQuery({ ...trpc.audit.proof.queryOptions({ id }), enabled: asked, retry: false });
  if (!asked)
    return (
      <Button small onClick={() => setAsked(true)}>
        Show proof
      </Button>
    );
  if (read.isPending) return <Skeleton rows={3} />;
  if (read.isError)
    return (
      <ProblemNotice
        error={read.error}
        before="The proof could not be read."
        onRetry={() => void read.refetch()}
      />
    );
  return <Proof {...read.data} id={id} />;
}

interface ProofProps {
  readonly id: string;
  readonly seq: number;
  readonly entry: string;
  readonly proof: string;
  readonly quorum: boolean;
}

function Proof({ id, seq, entry, proof, quorum }: ProofProps) {
  const size = parseProof(proof)?.checkpoint.size;
  const file = `event-${id}.tlog-proof`;
  return (
    <>
      <p>
        Event {seq}
        {size === undefined ? "" : ` of a log of ${formatCounted(size, "event")}`}.
        {quorum
          ? ""
          : " Fewer witnesses have cosigned it so far than the policy of this deployment asks for."}{" "}
        It proves to whoever trusts the log’s key that the log has the event.
      </p>
      <div className="audit-acts">
        <Button small onClick={() => saveFile(file, proof)}>
          Download proof
        </Button>
        <Button small onClick={() => saveFile(`${file}.json`, entry)}>
          Download event
        </Button>
        <span className="text-quiet">
          Keep both in one folder: <code className="mono">reclaim audit check {file}</code> checks them
          without a server.
        </span>
      </div>
      <Shown label="Proof" text={proof} />
      <Shown label="Event, as it is hashed" text={entry} />
    </>
  );
}

function Shown({ label, text }: { label: string; text: string }) {
  return (
    <details className="audit-text">
      <summary>{label}</summary>
      <CopyButton text={text} what={label.toLowerCase()} />
      <pre className="mono" tabIndex={0}>
        {text}
      </pre>
    </details>
  );
}

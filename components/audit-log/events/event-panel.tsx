"use client";
// One audit event: who, what, from where, the facts before and after, and its proof.
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import Link from "next/link";
import { formatTarget, outcomeTone } from "@/components/audit-log/events/event-columns";
import { type FactRow, factRows } from "@/components/audit-log/events/fact-rows";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { useTRPC } from "@/components/trpc/trpc";
import { CopyButton } from "@/components/ui/copy-button";
import { Empty } from "@/components/ui/empty";
import { type Fact, Facts } from "@/components/ui/head/facts";
import { IdText } from "@/components/ui/id-text";
import { SidePanel } from "@/components/ui/side/side-panel";
import { Skeleton } from "@/components/ui/skeleton";
import { StateLabel } from "@/components/ui/state-label";
import { columnsOf } from "@/components/ui/table/column";
import { DataTable } from "@/components/ui/table/data-table";
import { ProofTime } from "@/components/ui/time/time";
import { routes } from "@/server/domain/console/routes";
import type { AuditLine } from "@/server/surfaces/trpc/types";
import { saveFile } from "@/components/ui/save-file";
import { Button } from "@/components/ui/button";
import { formatCounted } from "@/server/domain/numbers";
import { parseProof } from "@/server/domain/audit-log/tlog-proof";

/** Proof that an event is in the signed log: shown, copied, or saved as the two files that `reclaim audit check` takes. */
function EventProof({ id }: { id: string }) {
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

const column = columnsOf<FactRow>();

const columns = [
  column.name("name", "Fact", ({ name }) => name, { width: 128 }),
  column.text("before", "Before", ({ before }) => before, {
    narrow: "bottom-start",
    className: "mono wrapping text-quiet",
    none: "",
  }),
  column.text("after", "After", ({ after }) => after, {
    narrow: "line",
    className: ({ changed }) => (changed ? "mono wrapping text-medium" : "mono wrapping"),
    none: "",
  }),
];

/** Where more is known of a target; null: nowhere. */
function targetPage({ targetKind, targetId, targetName, targetIsGone }: AuditLine): string | null {
  if (targetId === null || targetName === null) return null;
  if (targetIsGone === true) return routes.gone.one(targetId);
  if (targetKind === "host") return routes.host(targetName, { tab: "audit" });
  if (targetKind === "instance") return routes.receipt(targetId);
  return targetKind === "reclamation" ? routes.proof({ open: targetId }) : null;
}

function Target({ event }: { event: AuditLine }) {
  const words = formatTarget(event);
  const page = targetPage(event);
  return (
    <>
      {page === null ? (
        <span className="mono">{words === "" ? "none" : words}</span>
      ) : (
        <Link className="link" href={page} prefetch={false}>
          {words}
        </Link>
      )}
      {event.targetName === null || event.targetId === null ? null : (
        <>
          {" "}
          <IdText id={event.targetId} />
        </>
      )}
    </>
  );
}

const mono = (text: string | null) => (text === null ? "none" : <span className="mono">{text}</span>);

const factsOf = (event: AuditLine): readonly Fact[] => [
  ["Time", <ProofTime key="time" at={event.at} />],
  [
    "Outcome",
    <StateLabel key="outcome" tone={outcomeTone(event.outcome)} path={event.outcome} live={false} />,
  ],
  ["By", event.actorName === null ? event.actorKind : `${event.actorName} (${event.actorKind})`],
  ["Person or token", mono(event.actorId)],
  ["Address", mono(event.address)],
  ["Target", <Target key="target" event={event} />],
  ["Request", mono(event.requestId)],
  [
    "Event",
    <span key="id">
      <span className="mono">{event.id}</span> <CopyButton text={event.id} what="the id of the event" />
    </span>,
  ],
];

interface EventPanelProps {
  readonly id: string;
  readonly onClose: () => void;
}

export function EventPanel({ id, onClose }: EventPanelProps) {
  const trpc = useTRPC();
  const panel = useRef<HTMLElement>(null);
  // On narrow windows the panel replaces the list, so start at its top.
  useEffect(() => {
    if (matchMedia("(max-width: 1359px)").matches) panel.current?.scrollIntoView();
  }, []);
  const read = useQuery(trpc.audit.list.queryOptions({ id, limit: 1 }));
  const event = read.data?.rows[0];
  return (
    <SidePanel
      ref={panel}
      className="audit-panel"
      label="Event"
      title={event?.action ?? "Event"}
      mono
      what={event === undefined ? "" : event.seq === null ? "no number yet" : `number ${event.seq}`}
      onClose={onClose}
    >
      {read.isPending ? <Skeleton rows={8} /> : null}
      {read.isError ? <ProblemNotice error={read.error} before="The event could not be read." /> : null}
      {read.isSuccess && event === undefined ? (
        <Empty title="Event not found">The audit log has no event with this id.</Empty>
      ) : null}
      {event === undefined ? null : <Event event={event} />}
    </SidePanel>
  );
}

function Event({ event }: { event: AuditLine }) {
  const rows = factRows(event.before, event.after);
  return (
    <>
      <Facts facts={factsOf(event)} />
      <h3>Before and after</h3>
      <DataTable
        caption="Before and after"
        columns={columns}
        rows={rows}
        rowId={({ name }) => name}
        empty={<p className="text-quiet">The event recorded no details.</p>}
      />
      <h3>Proof</h3>
      <EventProof id={event.id} />
    </>
  );
}

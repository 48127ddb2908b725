"use client";
// One audit event: who, what, from where, the facts before and after, and its proof.
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import Link from "next/link";
import { outcomeTone, formatTarget } from "@/components/audit-log/events/event-columns";
import { EventProof } from "@/components/audit-log/events/event-proof";
import { factRows, type FactRow } from "@/components/audit-log/events/fact-rows";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { useTRPC } from "@/components/trpc/trpc";
import { CopyButton } from "@/components/ui/copy-button";
import { Empty } from "@/components/ui/empty";
import { Facts, type Fact } from "@/components/ui/head/facts";
import { IdText } from "@/components/ui/id-text";
import { SidePanel } from "@/components/ui/side/side-panel";
import { Skeleton } from "@/components/ui/skeleton";
import { StateLabel } from "@/components/ui/state-label";
import { columnsOf } from "@/components/ui/table/column";
import { DataTable } from "@/components/ui/table/data-table";
import { ProofTime } from "@/components/ui/time/time";
import { routes } from "@/server/domain/console/routes";
import type { AuditLine } from "@/server/surfaces/trpc/types";

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

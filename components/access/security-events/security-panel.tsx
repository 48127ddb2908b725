"use client";
// One security event: what was tried, from where, how often, and what to do about it.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useMe } from "@/components/frame/me";
import { AcknowledgeEvents } from "@/components/access/security-events/acknowledge-events";
import { addressText, HostLink, SeverityLabel } from "@/components/access/security-events/security-columns";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { formatCount } from "@/components/ui/format/numbers";
import { Facts, type Fact } from "@/components/ui/head/facts";
import { SidePanel } from "@/components/ui/side/side-panel";
import { Skeleton } from "@/components/ui/skeleton";
import { ProofTime } from "@/components/ui/time/time";
import { reachOf } from "@/server/domain/access/access";
import type { SecurityEventLine } from "@/server/surfaces/trpc/types";

const lines = (texts: readonly string[]) => (
  <ul className="plain">
    {texts.map((text) => (
      <li key={text}>{text}</li>
    ))}
  </ul>
);

const factsOf = (event: SecurityEventLine): readonly Fact[] => [
  ["Severity", <SeverityLabel key="severity" event={event} />],
  ["Host", <HostLink key="host" event={event} />],
  ["Site", event.site ?? "none"],
  [
    "Address",
    <span key="address" className="mono">
      {addressText(event)}
    </span>,
  ],
  ["Count", formatCount(event.count)],
  ["First seen", <ProofTime key="first" at={event.firstAt} />],
  ["Last seen", <ProofTime key="last" at={event.lastAt} />],
  ["Tried", lines(event.tried)],
  ["On", lines(event.paths)],
  ...(event.acknowledged === null
    ? []
    : ([
        [
          "Acknowledged",
          <span key="acknowledged">
            <ProofTime at={event.acknowledged.at} /> by {event.acknowledged.by}
          </span>,
        ],
        ["Note", event.acknowledged.note ?? ""],
      ] satisfies readonly Fact[])),
  [
    "Id",
    <span key="id">
      <span className="mono">{event.id}</span> <CopyButton text={event.id} what="the id of the event" />
    </span>,
  ],
];

interface SecurityPanelProps {
  readonly id: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function SecurityPanel({ id, onClose, onDone }: SecurityPanelProps) {
  const trpc = useTRPC();
  const me = useMe();
  const read = useQuery(trpc.security.get.queryOptions({ id }));
  const [isAsking, setAsking] = useState(false);
  const event = read.data;
  const may = reachOf(me.role, "security.acknowledge") !== "none";
  return (
    <SidePanel
      className="audit-panel"
      label="Security event"
      title={event?.title ?? "Security event"}
      what={event?.hostName ?? ""}
      onClose={onClose}
    >
      {read.isPending ? <Skeleton rows={8} /> : null}
      {read.isError ? (
        <ProblemNotice error={read.error} before="The security event could not be read." />
      ) : null}
      {event === undefined ? null : (
        <>
          <p>{event.sentence}</p>
          <Facts facts={factsOf(event)} />
          <h3>What to do</h3>
          <p>{event.whatToDo}</p>
          {may && event.acknowledged === null ? (
            <p>
              <Button onClick={() => setAsking(true)}>Acknowledge</Button>
            </p>
          ) : null}
          {isAsking ? (
            <AcknowledgeEvents
              ids={[event.id]}
              onClose={() => setAsking(false)}
              onDone={() => {
                void read.refetch();
                onDone();
              }}
            />
          ) : null}
        </>
      )}
    </SidePanel>
  );
}

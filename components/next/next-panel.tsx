"use client";
// One group: what to do, who has it, and the hosts.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { useMe } from "@/components/frame/me";
import { HandOverDialog, NoteDialog, SnoozeDialog } from "@/components/next/next-dialogs";
import { useTake } from "@/components/next/owner";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { problemOf } from "@/components/trpc/query-client";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { formatCount, formatCounted } from "@/server/domain/numbers";
import { Mark } from "@/components/ui/mark";
import { SidePanel } from "@/components/ui/side/side-panel";
import { Skeleton } from "@/components/ui/skeleton";
import { columnsOf } from "@/components/ui/table/column";
import { DataTable } from "@/components/ui/table/data-table";
import { Age, Time } from "@/components/ui/time/time";
import { useSay } from "@/components/ui/toast";
import { reachOf } from "@/server/domain/access/access";
import { roleTable } from "@/server/domain/access/roles";
import { routes } from "@/server/domain/console/routes";
import type { HostRow, NextLine, NextList } from "@/server/surfaces/trpc/types";

/** Hosts that the panel names; the rest is on the hosts page. */
const shown = 8;

const column = columnsOf<HostRow>();
const columns = [
  column.cell(
    "host",
    "Host",
    (host) => (
      <span className="marked-text">
        <Mark tone={host.tone} />
        <Link className="text-medium" href={routes.host(host.name)}>
          {host.name}
        </Link>
      </span>
    ),
    { width: 160, narrow: "top-start", rowHeader: true },
  ),
  column.cell("why", "Why", ({ brief }) => brief ?? "", {
    spaced: true,
    narrow: "line",
    className: "text-quiet",
    title: ({ detail }) => detail ?? "",
  }),
  column.age("since", "Since", ({ stateSince }) => stateSince, { width: 88, narrow: "top-end" }),
];

/** The ones that have waited longest first. */
function Hosts({ filter }: { readonly filter: string }) {
  const trpc = useTRPC();
  const read = useQuery(
    trpc.hosts.list.queryOptions({ filter, sort: "since", descending: true, limit: shown }),
  );
  if (read.isPending) return <Skeleton rows={3} />;
  if (read.isError) return <ProblemNotice error={read.error} before="The hosts could not be read." />;
  const { rows } = read.data;
  const total = read.data.total ?? rows.length;
  return (
    <>
      <h3>Hosts, {formatCount(total)}</h3>
      <DataTable caption="Hosts" columns={columns} rows={rows} rowId={({ hostId }) => hostId} />
      {total > rows.length ? (
        <p className="more">
          <Link className="link" href={routes.hosts({ q: filter })}>
            All {formatCounted(total, "host")}
          </Link>
        </p>
      ) : null}
    </>
  );
}

/** What people did with it, newest first; empty while nobody has done anything. */
function History({ of }: { readonly of: string }) {
  const trpc = useTRPC();
  const read = useQuery(trpc.next.history.queryOptions({ key: of }));
  if (read.isPending) return null;
  if (read.isError) return <ProblemNotice error={read.error} before="The history could not be read." />;
  if (read.data.length === 0) return null;
  return (
    <>
      <h3>History</h3>
      <ol className="history">
        {read.data.map(({ at, by, words }) => (
          <li key={`${at.toISOString()} ${words}`}>
            <Time at={at} />
            <span>
              {by === null ? `${words.charAt(0).toUpperCase()}${words.slice(1)}` : `${by} ${words}`}
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}

type Asking = "handOver" | "note" | "snooze";

interface OwnProps {
  readonly line: NextLine;
  readonly people: NextList["people"];
}

/** Who has it, since when, and the acts of whoever may have it. */
function Own({ line, people }: OwnProps) {
  const { personId } = useMe();
  const trpc = useTRPC();
  const client = useQueryClient();
  const say = useSay();
  const take = useTake();
  const [asking, setAsking] = useState<Asking | null>(null);
  const wake = useMutation(
    trpc.next.wake.mutationOptions({
      onError: (error) => say(problemOf(error).words),
      onSettled: () => client.invalidateQueries({ queryKey: trpc.next.pathKey() }),
    }),
  );
  const { key, ownerId, ownerName, ownedSince, snoozed } = line;
  const mine = ownerId === personId;
  const onClose = () => setAsking(null);
  return (
    <div className="own">
      <span>
        {ownerName === null ? "Nobody has it" : mine ? "Yours" : ownerName}
        {ownedSince === null ? null : (
          <>
            {" "}
            since <Time at={ownedSince} />
          </>
        )}
      </span>
      <div className="acts">
        {mine ? null : (
          <Button
            small
            kind="plain"
            busy={take.isPending}
            onClick={() => take.mutate({ key, ownerId: personId })}
          >
            Take
          </Button>
        )}
        <Button small kind="plain" onClick={() => setAsking("handOver")}>
          Hand over…
        </Button>
        <Button small kind="plain" onClick={() => setAsking("note")}>
          Note…
        </Button>
        {snoozed ? (
          <Button small kind="plain" busy={wake.isPending} onClick={() => wake.mutate({ key })}>
            End the snooze
          </Button>
        ) : (
          <Button small kind="plain" onClick={() => setAsking("snooze")}>
            Snooze…
          </Button>
        )}
      </div>
      {asking === "handOver" ? <HandOverDialog line={line} people={people} onClose={onClose} /> : null}
      {asking === "note" ? <NoteDialog line={line} onClose={onClose} /> : null}
      {asking === "snooze" ? <SnoozeDialog line={line} onClose={onClose} /> : null}
    </div>
  );
}

interface NextPanelProps extends OwnProps {
  readonly mayOwn: boolean;
  readonly onClose: () => void;
}

export function NextPanel({ line, people, mayOwn, onClose }: NextPanelProps) {
  const { role } = useMe();
  const { title, why, next, act, mayAct, filter, note, snoozed, snoozedUntil, snoozeReason, since } = line;
  return (
    <SidePanel className="next-panel" label={title} title={title} what={<Age at={since} />} onClose={onClose}>
      <p>{why}</p>
      <p className="act">
        <Link className={mayAct ? "btn main" : "btn"} href={act.href}>
          {act.words}
        </Link>
      </p>
      {mayOwn ? <Own line={line} people={people} /> : null}
      {snoozed && snoozedUntil !== null ? (
        <p className="text-quiet">
          Snoozed until <Time at={snoozedUntil} />
          {snoozeReason === null ? "." : `: “${snoozeReason}”`}
        </p>
      ) : null}
      {note === "" ? null : (
        <>
          <h3>Note</h3>
          <p className="note-text">{note}</p>
        </>
      )}
      <h3>Next step</h3>
      <p>{next}</p>
      {filter !== null && reachOf(role, "host.list") === "any" ? <Hosts filter={filter} /> : null}
      {roleTable[role].ofTenant ? null : <History of={line.key} />}
    </SidePanel>
  );
}

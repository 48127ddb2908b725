"use client";
// Why machines left and came back: a tenant sees its own, provider users see all (docs/repair.md#capacity).
import { useSuspenseQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useMemo } from "react";
import { useMe } from "@/components/frame/me";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { useTRPC } from "@/components/trpc/trpc";
import { Empty } from "@/components/ui/empty";
import { formatCounted } from "@/components/ui/format/numbers";
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable } from "@/components/ui/table/data-table";
import { Time } from "@/components/ui/time/time";
import { routes } from "@/server/domain/console/routes";
import type { CapacityEvent } from "@/server/surfaces/trpc/types";
import { capacityQuery, shownEvents } from "@/components/break-fix/tickets/tickets-query";
import { TicketsTabs } from "@/components/break-fix/tickets/tickets-tabs";

const refreshMs = 10_000;

/** Provider users see the host's name; a tenant sees its instance, or the machine's id if that is no longer known. */
function Machine({ host, instance, hostId }: CapacityEvent) {
  if (host !== null)
    return (
      <Link className="link" href={routes.host(host)} prefetch={false}>
        {host}
      </Link>
    );
  return instance ?? <span className="mono">{hostId}</span>;
}

/** The cause: a ticket, a notice, or neither. */
function Because({ ticket, notice }: CapacityEvent) {
  return (
    <>
      {ticket === null ? null : (
        <Link className="link mono" href={routes.ticket(ticket)} prefetch={false}>
          {ticket}
        </Link>
      )}
      {ticket === null || notice === null ? null : ", "}
      {notice === null ? null : <span className="mono">{notice}</span>}
    </>
  );
}

const columns: readonly TableColumn<CapacityEvent>[] = [
  {
    id: "at",
    label: "When",
    width: 136,
    narrow: "top-end",
    className: "text-quiet",
    cell: ({ at }) => <Time at={at} />,
  },
  {
    id: "machine",
    label: "Machine",
    width: "18%",
    narrow: "top-start",
    rowHeader: true,
    title: ({ host, instance, hostId }) => host ?? instance ?? hostId,
    cell: (event) => <Machine {...event} />,
  },
  {
    id: "direction",
    label: "Change",
    width: 64,
    narrow: "bottom-start",
    cell: ({ direction }) => (direction === "added" ? "added" : "removed"),
  },
  {
    id: "reason",
    label: "Why",
    narrow: "line",
    title: ({ reasonWords }) => reasonWords,
    cell: ({ reasonWords, planned }) => (planned ? `${reasonWords}, as announced` : reasonWords),
  },
  {
    id: "because",
    label: "Ticket, notice",
    width: 212,
    narrow: "bottom-end",
    cell: (event) => <Because {...event} />,
  },
  {
    id: "site",
    label: "Site",
    width: 80,
    from: "wide",
    className: "text-quiet",
    cell: ({ site }) => site,
  },
];

const ofWhom: TableColumn<CapacityEvent> = {
  id: "of",
  label: "Owner",
  width: 130,
  from: "medium",
  className: "text-quiet",
  cell: ({ tenant }) => tenant ?? "the provider",
};

export function CapacityPage() {
  const { tenant } = useMe();
  const { data: events, refetch } = useSuspenseQuery(capacityQuery(useTRPC()));
  useLiveRefresh(refetch, { everyMs: refreshMs });
  const shown = useMemo(() => (tenant === null ? [...columns, ofWhom] : columns), [tenant]);
  return (
    <>
      <div className="head">
        <h1>Tickets</h1>
        <span className="what">
          {events.length < shownEvents
            ? formatCounted(events.length, "change of capacity", "changes of capacity")
            : `the newest ${shownEvents} changes of capacity; the file has all`}
        </span>
        <div className="acts">
          <a className="btn plain" href={routes.files.breakFixCsv("capacity")} download="capacity.csv">
            Capacity as CSV
          </a>
        </div>
      </div>
      <TicketsTabs at="capacity" />
      <DataTable
        caption="Capacity"
        fullWidth
        columns={shown}
        rows={events}
        rowId={({ id }) => id}
        empty={
          <Empty title="No changes of capacity">
            A change appears here within ten seconds, with its reason.
          </Empty>
        }
      />
    </>
  );
}

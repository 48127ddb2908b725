"use client";
// Why machines left and came back: a tenant sees its own, provider users see all (docs/repair.md#capacity).
import { useInfiniteQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useMe } from "@/components/frame/me";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { Empty } from "@/components/ui/empty";
import { usePagedList } from "@/components/ui/resource-table/resource-list";
import { ResourceTable } from "@/components/ui/resource-table/resource-table";
import { columnsOf } from "@/components/ui/table/column";
import { routes } from "@/server/domain/console/routes";
import type { CapacityEvent } from "@/server/surfaces/trpc/types";
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

const machineOf = ({ host, instance, hostId }: CapacityEvent) => host ?? instance ?? hostId;

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

const column = columnsOf<CapacityEvent>();

const columns = [
  column.time("at", "When", ({ at }) => at, { width: 136, narrow: "top-end", className: "text-quiet" }),
  column.cell("machine", "Machine", (event) => <Machine {...event} />, {
    width: "18%",
    narrow: "top-start",
    rowHeader: true,
    always: true,
    title: machineOf,
    sort: machineOf,
  }),
  column.text("change", "Change", ({ direction }) => (direction === "added" ? "added" : "removed"), {
    width: 64,
    narrow: "bottom-start",
  }),
  column.text(
    "why",
    "Why",
    ({ reasonWords, planned }) => (planned ? `${reasonWords}, as announced` : reasonWords),
    { narrow: "line" },
  ),
  column.cell("because", "Ticket, notice", (event) => <Because {...event} />, {
    width: 212,
    narrow: "bottom-end",
    text: ({ ticket, notice }) => [ticket, notice].filter((part) => part !== null).join(" "),
  }),
  column.text("site", "Site", ({ site }) => site, { width: 80, from: "wide", className: "text-quiet" }),
];

const ofProvider = [
  ...columns,
  column.text("owner", "Owner", ({ tenant }) => tenant ?? "the provider", {
    width: 130,
    from: "medium",
    className: "text-quiet",
  }),
];

const perPage = 200;
const eventRows = {
  rowsOf: (page: readonly CapacityEvent[]) => page,
  rowId: ({ id }: CapacityEvent) => id,
};

/** Newest first, because readers want to know what happened last. A page continues after the last event of the one before. */
function useEvents() {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const read = useInfiniteQuery({
    queryKey: [...trpc.capacity.events.pathKey(), "newest"],
    queryFn: ({ pageParam }) =>
      client.capacity.events.query({
        order: "newest",
        limit: perPage,
        ...(pageParam === null ? {} : { after: pageParam }),
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => (page.length < perPage ? null : page.at(-1)?.id),
  });
  useLiveRefresh(read.refetch, { everyMs: refreshMs });
  return usePagedList(read, eventRows);
}

export function CapacityPage() {
  const { tenant } = useMe();
  const list = useEvents();
  return (
    <>
      <div className="head">
        <h1>Tickets</h1>
        <span className="what">changes of capacity, newest first</span>
        <div className="acts">
          <a className="btn plain" href={routes.files.breakFixCsv("capacity")} download="capacity.csv">
            Capacity as CSV
          </a>
        </div>
      </div>
      <TicketsTabs at="capacity" />
      <ResourceTable
        name="capacity"
        noun="change"
        caption="Capacity"
        list={list}
        columns={tenant === null ? ofProvider : columns}
        rowId={eventRows.rowId}
        namesOf={({ host, instance, hostId }) => [host, instance, hostId]}
        empty={
          <Empty title="No changes of capacity">
            A change appears here within ten seconds, with its reason.
          </Empty>
        }
      />
    </>
  );
}

"use client";
// Tickets, searchable by part of their reference or text, and standing notices.
import { keepPreviousData, useInfiniteQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useMe } from "@/components/frame/me";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { AnnounceNotice } from "@/components/break-fix/notices/announce-notice";
import { NoticeList } from "@/components/break-fix/notices/notice-list";
import { useTRPC } from "@/components/trpc/trpc";
import { Empty } from "@/components/ui/empty";
import { useListView, useSettled } from "@/components/ui/resource-table/list-view";
import { useRows } from "@/components/ui/resource-table/resource-list";
import { ResourceTable } from "@/components/ui/resource-table/resource-table";
import { reachOf } from "@/server/domain/access/access";
import { routes } from "@/server/domain/console/routes";
import { ticketColumns } from "@/components/break-fix/tickets/ticket-columns";
import { noticesQuery, ticketsQuery, type TicketsView } from "@/components/break-fix/tickets/tickets-query";
import { TicketsTabs } from "@/components/break-fix/tickets/tickets-tabs";

const refreshMs = 5_000;

function Head({ show, q }: TicketsView) {
  const { role } = useMe();
  return (
    <div className="head">
      <h1>Tickets</h1>
      <div className="acts">
        <a className="btn plain" href={routes.files.breakFixCsv("notices")} download="notices.csv">
          Notices as CSV
        </a>
        <a
          className="btn plain"
          href={routes.files.breakFixCsv("tickets", { show, q })}
          download="tickets.csv"
        >
          Tickets as CSV
        </a>
        {reachOf(role, "notice.write") === "none" ? null : <AnnounceNotice />}
      </div>
    </div>
  );
}

export function TicketsPage({ view: { show } }: { view: TicketsView }) {
  const trpc = useTRPC();
  const held = useListView();
  const asked = useSettled(held[0].filter);
  const read = useInfiniteQuery({
    ...ticketsQuery(trpc, { q: asked, show }),
    placeholderData: keepPreviousData,
  });
  const notices = useSuspenseQuery(noticesQuery(trpc));
  useLiveRefresh(() => Promise.all([read.refetch(), notices.refetch()]), { everyMs: refreshMs });
  return (
    <>
      <Head show={show} q={asked} />
      <NoticeList notices={notices.data} />
      <TicketsTabs at={show} q={asked} />
      <ResourceTable
        name="tickets"
        noun="ticket"
        caption="Tickets"
        list={useRows(read)}
        columns={ticketColumns}
        rowId={({ id }) => id}
        namesOf={({ ref, host, instance, hostId }) => [ref, host, instance, hostId]}
        searches={{
          held,
          placeholder: "Part of a reference or summary",
          hint: "The text must be a part of the reference or of what is wrong.",
        }}
        empty={
          <Empty title="No ticket">
            A ticket appears here when an instance is released with an issue, when an online repair begins, or
            when somebody opens one.
          </Empty>
        }
      />
    </>
  );
}

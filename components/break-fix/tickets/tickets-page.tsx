"use client";
// Tickets, searchable by part of their reference or text, and standing notices.
import { keepPreviousData, useInfiniteQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { useMe } from "@/components/frame/me";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { AnnounceNotice } from "@/components/break-fix/notices/announce-notice";
import { NoticeList } from "@/components/break-fix/notices/notice-list";
import { pagedTable } from "@/components/trpc/paged-table";
import { useTRPC } from "@/components/trpc/trpc";
import { Empty } from "@/components/ui/empty";
import { formatCounted } from "@/components/ui/format/numbers";
import { useTyped } from "@/components/ui/form/use-typed";
import { SearchField } from "@/components/ui/search-field";
import { DataTable } from "@/components/ui/table/data-table";
import { reachOf } from "@/server/domain/access/access";
import { routes } from "@/server/domain/console/routes";
import { ticketColumns } from "@/components/break-fix/tickets/ticket-columns";
import { noticesQuery, ticketsQuery, type TicketsView } from "@/components/break-fix/tickets/tickets-query";
import { TicketsTabs } from "@/components/break-fix/tickets/tickets-tabs";

const refreshMs = 5_000;

const NoTickets = ({ asked }: { asked: string }) => (
  <Empty title={asked === "" ? "No ticket" : "No ticket matches"}>
    A ticket appears here when an instance is released with an issue, when an online repair begins, or when
    somebody opens one.
  </Empty>
);

function Head({ total, show, q }: TicketsView & { total: number | null }) {
  const { role } = useMe();
  return (
    <div className="head">
      <h1>Tickets</h1>
      <span className="what" role="status">
        {total === null ? "" : formatCounted(total, "ticket")}
      </span>
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

export function TicketsPage({ view }: { view: TicketsView }) {
  const trpc = useTRPC();
  const { show } = view;
  const addressOf = useCallback(({ q }: { readonly q: string }) => routes.tickets({ show, q }), [show]);
  const [typed, asked, type, apply] = useTyped(view.q, addressOf);
  const list = useInfiniteQuery({
    ...ticketsQuery(trpc, { q: asked, show }),
    placeholderData: keepPreviousData,
  });
  const notices = useSuspenseQuery(noticesQuery(trpc));
  useLiveRefresh(() => Promise.all([list.refetch(), notices.refetch()]), { everyMs: refreshMs });
  const total = list.data?.pages[0]?.total ?? null;
  return (
    <>
      <Head total={total} show={show} q={asked} />
      <NoticeList notices={notices.data} />
      <TicketsTabs at={show} q={asked} />
      <search className="filter">
        <SearchField
          label="Find tickets"
          value={typed}
          onChange={type}
          onSubmit={apply}
          placeholder="Part of a reference or summary"
        />
      </search>
      <DataTable
        caption="Tickets"
        fullWidth
        columns={ticketColumns}
        rows={list.data?.pages.flatMap(({ rows }) => rows) ?? []}
        rowId={({ id }) => id}
        {...pagedTable(list, { before: "The tickets could not be read.", more: "Show more tickets" })}
        empty={<NoTickets asked={asked} />}
      />
    </>
  );
}

"use client";
// What two people approved, by the week in which it expires: exceptions, and procedure records that later reclamations may reuse.
import { useInfiniteQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useMemo } from "react";
import { endingQuery, idOf } from "@/components/assurance/assurance-view";
import { formatWeek } from "@/components/assurance/calendar/weeks";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { useTRPC } from "@/components/trpc/trpc";
import { Empty } from "@/components/ui/empty";
import { columnsOf } from "@/components/ui/table/column";
import { useItems } from "@/components/ui/resource-table/resource-list";
import { ResourceTable } from "@/components/ui/resource-table/resource-table";
import { useNow, useTimeZone } from "@/components/ui/time/clock";
import { routes } from "@/server/domain/console/routes";
import type { EndingLine } from "@/server/surfaces/trpc/types";

const refreshMs = 10_000;
const hourMs = 3_600_000;

/** The host tab that shows the exception or record. */
const hrefOf = ({ kind, host }: EndingLine): string =>
  routes.host(host.name, { tab: kind === "exception" ? "gates" : "assurance" });

const kindText = { exception: "Exception", procedure: "Procedure" } as const;
const follows = {
  exception: "the host leaves allocation and is cleaned again",
  procedure: "later reclamations need a new record",
} as const;

export function CalendarTab() {
  const trpc = useTRPC();
  const hour = Math.floor(useNow() / hourMs);
  const zone = useTimeZone();
  const read = useInfiniteQuery(
    trpc.approvals.ending.infiniteQueryOptions(endingQuery, { getNextPageParam: (page) => page.nextCursor }),
  );
  useLiveRefresh(read.refetch, { everyMs: refreshMs });
  const list = useItems(read, idOf);
  const { rows } = list;
  const weeks = useMemo(
    () => new Map(rows.map(({ id, endsAt }) => [id, formatWeek(endsAt, hour * hourMs, zone)])),
    [rows, hour, zone],
  );
  return (
    <ResourceTable
      name="expiring"
      noun={["approval", "approvals"]}
      caption="Expiring, by week"
      columns={columns}
      list={{ ...list, moreWords: "Show later weeks" }}
      rowId={idOf}
      namesOf={({ host }) => [host.name]}
      groupOf={({ id }) => weeks.get(id) ?? ""}
      empty={
        <Empty title="Nothing expires">
          Approved exceptions and reusable records of procedures appear here until they expire.
        </Empty>
      }
    />
  );
}

const column = columnsOf<EndingLine>();

const columns = [
  column.time("ends", "Expires", ({ endsAt }) => endsAt, {
    ...{ width: 160, narrow: "bottom-start", firstOrder: "ascending" },
  }),
  column.text("kind", "Kind", ({ kind }) => kindText[kind], {
    width: 100,
    from: "medium",
    narrow: "top-end",
    className: "text-quiet",
  }),
  column.name("subject", "What", ({ subject }) => subject, { width: "26%", className: "wrapping" }),
  column.cell(
    "host",
    "Host",
    (row) => (
      <Link href={hrefOf(row)} data-open="">
        {row.host.name}
      </Link>
    ),
    { width: 140, narrow: "line", title: ({ host }) => host.name, sort: ({ host }) => host.name },
  ),
  column.text("site", "Site", ({ site }) => site, { width: 100, from: "wide", className: "text-quiet" }),
  column.text("follows", "Then", ({ kind }) => follows[kind], { narrow: "line", className: "text-quiet" }),
];

"use client";
// Hosts that have left the fleet, newest first.
import { useSuspenseInfiniteQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { formatCounted } from "@/components/ui/format/numbers";
import { Mark } from "@/components/ui/mark";
import { columnsOf } from "@/components/ui/table/column";
import { DataTable } from "@/components/ui/table/data-table";
import { routes } from "@/server/domain/console/routes";
import type { GoneHost } from "@/server/surfaces/trpc/types";
import { goneLook } from "@/components/hosts/decommission/gone-look";
import { goneListQuery } from "@/components/hosts/decommission/gone-query";

const column = columnsOf<GoneHost>();

const columns = [
  column.link("name", "Host", ({ id, name }) => ({ words: name, href: routes.gone.one(id) }), {
    width: 180,
    linkClass: "link",
  }),
  column.cell(
    "how",
    "Left",
    ({ how }) => (
      <span className="marked-text">
        <Mark tone={goneLook[how].tone} live={false} label="" />
        <span className="cut">{how}</span>
      </span>
    ),
    { width: 180, narrow: "bottom-start" },
  ),
  column.proofTime("at", "When", ({ goneAt }) => goneAt, {
    narrow: "top-end",
    className: "text-quiet",
  }),
  column.text("serial", "Serial", ({ serial }) => serial, { width: 160, className: "mono" }),
  column.cell(
    "place",
    "Place",
    ({ site, rack, slot }) => [site, rack, slot].filter((part) => part !== null).join(" / "),
    { from: "medium", width: 160 },
  ),
  column.text("by", "By", ({ byName }) => byName, { from: "medium", width: 160 }),
  column.text("reason", "Reason", ({ reason }) => reason, { narrow: "line", className: "text-soft" }),
];

export function GoneList() {
  const trpc = useTRPC();
  const { data, fetchNextPage, hasNextPage, isFetchingNextPage } = useSuspenseInfiniteQuery(
    goneListQuery(trpc),
  );
  const rows = data.pages.flatMap((page) => page.rows);
  return (
    <>
      <div className="head">
        <Link className="back" href={routes.hosts()}>
          Hosts
        </Link>
        <h1>Gone hosts</h1>
        <span className="what">{formatCounted(data.pages[0]?.total ?? 0, "host")}</span>
      </div>
      <DataTable
        caption="Gone hosts"
        fullWidth
        columns={columns}
        rows={rows}
        rowId={({ id }) => id}
        empty={
          <Empty title="No host has left the fleet">
            A host that is decommissioned or deleted appears here with its record.
          </Empty>
        }
      />
      {hasNextPage ? (
        <p className="after">
          <Button onClick={() => void fetchNextPage()} busy={isFetchingNextPage}>
            Show older hosts
          </Button>
        </p>
      ) : null}
    </>
  );
}

"use client";
// Hosts that have left the fleet, newest first.
import { useSuspenseInfiniteQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTRPC } from "@/components/trpc/trpc";
import { Empty } from "@/components/ui/empty";
import { formatCounted } from "@/server/domain/numbers";
import { Mark } from "@/components/ui/mark";
import { useRows } from "@/components/ui/resource-table/resource-list";
import { ResourceTable } from "@/components/ui/resource-table/resource-table";
import { columnsOf } from "@/components/ui/table/column";
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
  const list = useRows(useSuspenseInfiniteQuery(goneListQuery(trpc)));
  return (
    <>
      <div className="head">
        <Link className="back" href={routes.hosts()}>
          Hosts
        </Link>
        <h1>Removed hosts</h1>
        <span className="what">{formatCounted(list.total ?? 0, "host")}</span>
      </div>
      <ResourceTable
        name="gone-hosts"
        noun="host"
        caption="Removed hosts"
        list={list}
        columns={columns}
        rowId={({ id }) => id}
        namesOf={({ name, serial }) => [name, serial]}
        empty={
          <Empty title="No host has left the fleet">
            A host that is decommissioned or deleted appears here with its record.
          </Empty>
        }
      />
    </>
  );
}

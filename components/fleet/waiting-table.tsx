"use client";
// The hosts that wait longest, each with what to check next.
import Link from "next/link";
import { routes } from "@/server/domain/console/routes";
import { Mark } from "@/components/ui/mark";
import { columnsOf } from "@/components/ui/table/column";
import { DataTable } from "@/components/ui/table/data-table";
import type { WaitingHost } from "@/server/surfaces/trpc/types";

/** A working host is listed here only if it is over its limit. */
const shownTone = ({ tone }: WaitingHost) => (tone === "working" ? "attention" : tone);

export function WaitingTable({ hosts }: { hosts: readonly WaitingHost[] }) {
  return <DataTable caption="Waiting longest" columns={columns} rows={hosts} rowId={(host) => host.hostId} />;
}

const column = columnsOf<WaitingHost>();

const columns = [
  column.cell(
    "host",
    "Host",
    (host) => (
      <span className="marked-text">
        <Mark tone={shownTone(host)} />
        <span className="cut">
          <Link className="text-medium" href={routes.host(host.name)}>
            {host.name}
          </Link>
        </span>
      </span>
    ),
    { width: 168, narrow: "top-start", rowHeader: true },
  ),
  column.cell("state", "State", (host) => host.state.split("/").at(-1), {
    width: 200,
    narrow: "bottom-start",
    title: (host) => host.state.replaceAll("/", " / "),
  }),
  column.age("since", "Since", (host) => host.since, { width: 96, narrow: "top-end" }),
  column.cell(
    "next",
    "Why, and what to check next",
    (host) => (
      <>
        {host.says} <span className="text-quiet">{host.checkNext}</span>
      </>
    ),
    { spaced: true, narrow: "line", title: (host) => `${host.says}. ${host.checkNext}` },
  ),
];

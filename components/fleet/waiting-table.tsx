"use client";
// The hosts that wait longest, each with what to check next.
import Link from "next/link";
import { routes } from "@/server/domain/console/routes";
import { Mark } from "@/components/ui/mark";
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable } from "@/components/ui/table/data-table";
import { Age } from "@/components/ui/time/time";
import type { WaitingHost } from "@/server/surfaces/trpc/types";

/** A working host is listed here only if it is over its limit. */
const shownTone = ({ tone }: WaitingHost) => (tone === "working" ? "attention" : tone);

export function WaitingTable({ hosts }: { hosts: readonly WaitingHost[] }) {
  return <DataTable caption="Waiting longest" columns={columns} rows={hosts} rowId={(host) => host.hostId} />;
}

const columns: readonly TableColumn<WaitingHost>[] = [
  {
    id: "host",
    label: "Host",
    width: 168,
    narrow: "top-start",
    rowHeader: true,
    cell: (host) => (
      <span className="marked-text">
        <Mark tone={shownTone(host)} />
        <span className="cut">
          <Link className="text-medium" href={routes.host(host.name)}>
            {host.name}
          </Link>
        </span>
      </span>
    ),
  },
  {
    id: "state",
    label: "State",
    width: 200,
    narrow: "bottom-start",
    title: (host) => host.state.replaceAll("/", " / "),
    cell: (host) => host.state.split("/").at(-1),
  },
  {
    id: "since",
    label: "Since",
    width: 96,
    align: "end",
    narrow: "top-end",
    cell: (host) => <Age at={host.since} />,
  },
  {
    id: "next",
    label: "Why, and what to check next",
    spaced: true,
    narrow: "line",
    title: (host) => `${host.says}. ${host.checkNext}`,
    cell: (host) => (
      <>
        {host.says} <span className="text-quiet">{host.checkNext}</span>
      </>
    ),
  },
];

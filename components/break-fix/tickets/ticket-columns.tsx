// The columns of a table of tickets.
import Link from "next/link";
import { StateLabel } from "@/components/ui/state-label";
import type { TableColumn } from "@/components/ui/table/columns";
import { Age } from "@/components/ui/time/time";
import { routes } from "@/server/domain/console/routes";
import type { TicketRow } from "@/server/surfaces/trpc/types";

export const ticketColumns: readonly TableColumn<TicketRow>[] = [
  {
    id: "ref",
    label: "Ticket",
    width: 136,
    narrow: "top-start",
    rowHeader: true,
    className: "mono",
    cell: ({ ref }) => (
      <Link className="link" href={routes.ticket(ref)} prefetch={false}>
        {ref}
      </Link>
    ),
  },
  {
    id: "summary",
    label: "What is wrong",
    narrow: "line",
    title: ({ summary }) => summary,
    cell: ({ summary }) => summary,
  },
  {
    id: "state",
    label: "State",
    width: 190,
    narrow: "bottom-start",
    cell: ({ tone, stateWords }) => <StateLabel tone={tone} path={stateWords} live={false} />,
  },
  {
    id: "category",
    label: "Part",
    width: 132,
    from: "medium",
    cell: ({ categoryWords }) => categoryWords,
  },
  {
    id: "machine",
    label: "Machine",
    width: 150,
    from: "medium",
    title: ({ host, instance, hostId }) => host ?? instance ?? hostId,
    cell: ({ host, instance, hostId }) => host ?? instance ?? <span className="mono">{hostId}</span>,
  },
  {
    id: "action",
    label: "Done",
    width: 150,
    from: "medium",
    className: "text-quiet",
    cell: ({ actionWords }) => actionWords,
  },
  {
    id: "updated",
    label: "Updated",
    width: 96,
    align: "end",
    narrow: "top-end",
    className: "text-quiet",
    cell: ({ updatedAt }) => <Age at={updatedAt} />,
  },
];

// The columns of a table of tickets.
import { StateLabel } from "@/components/ui/state-label";
import { routes } from "@/server/domain/console/routes";
import type { TicketRow } from "@/server/surfaces/trpc/types";
import { columnsOf } from "@/components/ui/table/column";

const column = columnsOf<TicketRow>();

export const ticketColumns = [
  column.link("ref", "Ticket", ({ ref }) => ({ words: ref, href: routes.ticket(ref) }), {
    width: 136,
    className: "mono",
    linkClass: "link",
  }),
  column.text("summary", "What is wrong", ({ summary }) => summary, { narrow: "line" }),
  column.cell(
    "state",
    "State",
    ({ tone, stateWords }) => <StateLabel tone={tone} path={stateWords} live={false} />,
    { width: 190, narrow: "bottom-start" },
  ),
  column.text("category", "Part", ({ categoryWords }) => categoryWords, { width: 132, from: "medium" }),
  column.cell(
    "machine",
    "Machine",
    ({ host, instance, hostId }) => host ?? instance ?? <span className="mono">{hostId}</span>,
    { width: 150, from: "medium", title: ({ host, instance, hostId }) => host ?? instance ?? hostId },
  ),
  column.text("action", "Done", ({ actionWords }) => actionWords, {
    width: 150,
    from: "medium",
    className: "text-quiet",
  }),
  column.age("updated", "Updated", ({ updatedAt }) => updatedAt, { width: 96, narrow: "top-end" }),
];

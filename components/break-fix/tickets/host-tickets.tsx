"use client";
// The tickets of one host, on its *Repair* tab.
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";
import { Empty } from "@/components/ui/empty";
import { formatCounted } from "@/server/domain/numbers";
import { DataTable } from "@/components/ui/table/data-table";
import { OpenTicket } from "@/components/break-fix/tickets/open-ticket";
import { ticketColumns } from "@/components/break-fix/tickets/ticket-columns";

/** Number of newest tickets shown. */
const shown = 20;
const columns = ticketColumns.filter(({ id }) => id !== "machine");

interface HostTicketsProps {
  hostId: string;
  name: string;
  /** Whether a tenant has the host. */
  held: boolean;
}

export function HostTickets({ hostId, name, held }: HostTicketsProps) {
  const trpc = useTRPC();
  const list = useQuery(trpc.tickets.list.queryOptions({ hostId, status: "all", limit: shown }));
  const total = list.data?.total ?? 0;
  return (
    <>
      <div className="sec">
        <h2>Tickets</h2>
        <span className="sum cut">{total === 0 ? "" : formatCounted(total, "ticket")}</span>
        <OpenTicket target={{ hostId }} name={name} held={held} />
      </div>
      <DataTable
        caption="Tickets"
        columns={columns}
        rows={list.data?.rows ?? []}
        rowId={({ id }) => id}
        loading={list.isPending}
        empty={<Empty title="No ticket">Nobody has reported a problem with this machine.</Empty>}
      />
    </>
  );
}

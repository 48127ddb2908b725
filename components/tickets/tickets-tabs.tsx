// The tabs of the page *Tickets*: tickets by how they stand, and why machines left and came back.
import { Tabs } from "@/components/ui/tabs";
import { routes } from "@/server/domain/console/routes";
import { shownTickets, type TicketsView } from "@/components/tickets/tickets-query";

const tabWords = { open: "Open", closed: "Closed", all: "All" } as const;

interface TicketsTabsProps {
  /** Which tab is open. */
  at: TicketsView["show"] | "capacity";
  /** What is searched for stays from tab to tab. */
  q?: string;
}

export function TicketsTabs({ at, q = "" }: TicketsTabsProps) {
  return (
    <Tabs
      label="Tickets"
      tabs={[
        ...shownTickets.map((show) => ({
          href: routes.tickets({ show, q }),
          words: tabWords[show],
          current: show === at,
        })),
        { href: routes.capacity(), words: "Capacity", current: at === "capacity" },
      ]}
    />
  );
}

// The tabs of the *Tickets* page: tickets by status, and why machines left and came back.
import { Tabs } from "@/components/ui/tabs";
import { routes } from "@/server/domain/console/routes";
import { shownTickets, type TicketsView } from "@/components/break-fix/tickets/tickets-query";

const tabLabels = { open: "Open", closed: "Closed", all: "All" } as const;

interface TicketsTabsProps {
  /** The open tab. */
  at: TicketsView["show"] | "capacity";
  /** The search text, kept across tabs. */
  q?: string;
}

export function TicketsTabs({ at, q = "" }: TicketsTabsProps) {
  return (
    <Tabs
      label="Tickets"
      tabs={[
        ...shownTickets.map((show) => ({
          href: routes.tickets({ show, q }),
          words: tabLabels[show],
          current: show === at,
        })),
        { href: routes.capacity(), words: "Capacity", current: at === "capacity" },
      ]}
    />
  );
}

// List queries for tickets and notices, shared by the server's prefetch and the browser.
import type { useTRPC } from "@/components/trpc/trpc";

type Trpc = ReturnType<typeof useTRPC>;

export const shownTickets = ["open", "closed", "all"] as const;
export interface TicketsView {
  readonly q: string;
  readonly show: (typeof shownTickets)[number];
}

export const parseTicketsView = (search: URLSearchParams): TicketsView => ({
  q: (search.get("q") ?? "").trim().slice(0, 200),
  show: shownTickets.find((each) => each === search.get("show")) ?? "open",
});

const perPage = 100;

export const ticketsQuery = (trpc: Pick<Trpc, "tickets">, { q, show }: TicketsView) =>
  trpc.tickets.list.infiniteQueryOptions(
    { filter: q, status: show, limit: perPage },
    { getNextPageParam: ({ nextCursor }) => nextCursor, initialCursor: null },
  );

export const noticesQuery = (trpc: Pick<Trpc, "notices">) =>
  trpc.notices.list.queryOptions({ status: "open" });

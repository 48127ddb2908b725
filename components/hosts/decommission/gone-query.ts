// The paginated query for gone hosts, shared by the server's prefetch and the browser.
import type { useTRPC } from "@/components/trpc/trpc";

const perPage = 100;

export const goneListQuery = (trpc: Pick<ReturnType<typeof useTRPC>, "hosts">) =>
  trpc.hosts.gone.infiniteQueryOptions(
    { text: "", limit: perPage },
    { getNextPageParam: ({ nextCursor }) => nextCursor, initialCursor: null },
  );

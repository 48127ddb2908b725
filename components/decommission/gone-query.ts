// The pages of the list of gone hosts: asked for in one form by the server and the browser.
import type { useTRPC } from "@/components/trpc/trpc";

const perPage = 100;

export const goneListQuery = (trpc: Pick<ReturnType<typeof useTRPC>, "hosts">) =>
  trpc.hosts.gone.infiniteQueryOptions(
    { text: "", limit: perPage },
    { getNextPageParam: ({ nextCursor }) => nextCursor, initialCursor: null },
  );

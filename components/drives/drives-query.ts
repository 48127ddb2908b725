// The pages of the list of drives: asked for in one form by the server and the browser.
import type { useTRPC } from "@/components/trpc/trpc";

const perPage = 100;

export const drivesQuery = (trpc: Pick<ReturnType<typeof useTRPC>, "drives">, text: string) =>
  trpc.drives.list.infiniteQueryOptions(
    { text, limit: perPage },
    { getNextPageParam: ({ nextCursor }) => nextCursor, initialCursor: null },
  );

// Paginated queries for drives and drive models, shared by the server's prefetch and the browser.
import type { useTRPC } from "@/components/trpc/trpc";

const perPage = 100;

export const driveModelsQuery = (trpc: Pick<ReturnType<typeof useTRPC>, "drives">, text: string) =>
  trpc.drives.models.infiniteQueryOptions(
    { text, limit: perPage },
    { getNextPageParam: ({ nextCursor }) => nextCursor, initialCursor: null },
  );

export const drivesQuery = (trpc: Pick<ReturnType<typeof useTRPC>, "drives">, text: string) =>
  trpc.drives.list.infiniteQueryOptions(
    { text, limit: perPage },
    { getNextPageParam: ({ nextCursor }) => nextCursor, initialCursor: null },
  );

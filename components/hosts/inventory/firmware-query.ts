// The paginated query for firmware, shared by the server's prefetch and the browser.
import type { useTRPC } from "@/components/trpc/trpc";

export const firmwareQuery = (trpc: Pick<ReturnType<typeof useTRPC>, "hosts">, text: string) =>
  trpc.hosts.firmware.infiniteQueryOptions(
    { text, limit: 200 },
    { getNextPageParam: ({ nextCursor }) => nextCursor, initialCursor: null },
  );

// The list query for certificates, shared by the server's prefetch and the browser.
import type { useTRPC } from "@/components/trpc/trpc";

type Trpc = ReturnType<typeof useTRPC>;

const perPage = 100;

export const certificatesQuery = (trpc: Pick<Trpc, "certificates">) =>
  trpc.certificates.list.infiniteQueryOptions(
    { limit: perPage },
    { getNextPageParam: ({ nextCursor }) => nextCursor, initialCursor: null },
  );

// The list of certificates: asked for in one form by the server and the browser.
import type { useTRPC } from "@/components/trpc/trpc";

type Trpc = ReturnType<typeof useTRPC>;

const perPage = 100;

export const certificatesQuery = (trpc: Pick<Trpc, "certificates">) =>
  trpc.certificates.list.infiniteQueryOptions(
    { limit: perPage },
    { getNextPageParam: ({ nextCursor }) => nextCursor, initialCursor: null },
  );

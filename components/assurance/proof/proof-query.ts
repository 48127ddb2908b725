// The queries of the proof desk, shared by the server's prefetch and the browser.
import type { useTRPC } from "@/components/trpc/trpc";
import type { ProofSelection } from "@/components/assurance/proof/proof-selection";

type Trpc = Pick<ReturnType<typeof useTRPC>, "proof">;

const perPage = 50;

export const returnsQuery = (trpc: Trpc, selection: ProofSelection) =>
  trpc.proof.search.infiniteQueryOptions(
    { ...selection, limit: perPage },
    { getNextPageParam: ({ nextCursor }) => nextCursor, initialCursor: null },
  );

export const timelineQuery = (
  trpc: Trpc,
  {
    of,
    id,
    limit,
  }: { readonly of: "return" | "host" | "drive" | "tenant"; readonly id: string; readonly limit: number },
) =>
  trpc.proof.timeline.infiniteQueryOptions(
    { of, id, limit },
    { getNextPageParam: ({ nextCursor }) => nextCursor, initialCursor: null },
  );

"use client";
// Reads people, passkeys, tokens and sessions again after an act on one of them.
import { useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";

/** Other people's changes are no event of a host, which the live stream tells. */
export const accessEveryMs = 10_000;

export function useAccessChanged(): () => void {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return () => {
    for (const noun of [trpc.people, trpc.tokens, trpc.sessions, trpc.passkeys])
      void queryClient.invalidateQueries({ queryKey: noun.pathKey() });
  };
}

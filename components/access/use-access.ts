"use client";
// Refetches users, passkeys, tokens and sessions after an act on any of them.
import { useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";

/** Polled: the live stream carries host events only, not changes to users or tokens. */
export const accessEveryMs = 10_000;

export function useAccessChanged(): () => void {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return () => {
    for (const noun of [trpc.people, trpc.tokens, trpc.sessions, trpc.passkeys])
      void queryClient.invalidateQueries({ queryKey: noun.pathKey() });
  };
}

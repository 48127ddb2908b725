"use client";
// The self-audit status from the server, polled more often while one is in progress.
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";

const quietMs = 60_000;
const busyMs = 2_000;

export function useSelfAudit() {
  const trpc = useTRPC();
  return useQuery({
    ...trpc.audit.selfAudit.queryOptions(),
    refetchInterval: ({ state }) => (state.data?.now == null ? quietMs : busyMs),
  });
}

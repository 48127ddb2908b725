"use client";
// Connects components to the server: one cache and one batching client per page.
import { onlineManager, QueryClientProvider, type QueryClient } from "@tanstack/react-query";
import { createTRPCClient, httpBatchLink, httpLink, splitLink, type TRPCLink } from "@trpc/client";
import { useState, type ReactNode } from "react";
import superjson from "superjson";
import type { AppRouter } from "@/server/surfaces/trpc/types";
import { makeQueryClient, problemOf } from "@/components/trpc/query-client";
import { refuseOffline } from "@/components/trpc/refuse-offline";
import { watchServer } from "@/components/trpc/watch-server";
import { TRPCProvider } from "@/components/trpc/trpc";

const unauthorized = 401;

/** Of the window, when the server no longer knows the session; `components/frame/session-ended.tsx` decides what then. */
export const sessionEnded = "reclaim-session-ended";

function tellWhenSignedOut(error: Error): void {
  if (problemOf(error).status === unauthorized) dispatchEvent(new Event(sessionEnded));
}

let browserClient: QueryClient | undefined;

/** On the server one cache per request; in the browser a single one, which survives when React restarts a tree. */
function getQueryClient(): QueryClient {
  if (typeof window === "undefined") return makeQueryClient();
  if (browserClient === undefined) {
    const client = makeQueryClient();
    onlineManager.setEventListener(watchServer);
    client.getQueryCache().config.onError = tellWhenSignedOut;
    client.getMutationCache().config.onError = tellWhenSignedOut;
    browserClient = client;
  }
  return browserClient;
}

const address = { url: "/api/trpc", transformer: superjson } as const;

/** Queries whose input (a list of steps with arguments, a whole policy) is too long for a URL are sent by POST. */
const posted: readonly string[] = ["cleaning.estimate", "policy.preview"];

function links(): TRPCLink<AppRouter>[] {
  return [
    refuseOffline,
    splitLink({
      condition: ({ path }) => posted.includes(path),
      true: httpLink({ ...address, methodOverride: "POST" }),
      false: httpBatchLink({ ...address, maxURLLength: 4000 }),
    }),
  ];
}

export function ServerProvider({ children }: { children: ReactNode }) {
  const queryClient = getQueryClient();
  const [client] = useState(() => createTRPCClient<AppRouter>({ links: links() }));
  return (
    <QueryClientProvider client={queryClient}>
      <TRPCProvider trpcClient={client} queryClient={queryClient}>
        {children}
      </TRPCProvider>
    </QueryClientProvider>
  );
}

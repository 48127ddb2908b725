// What a page of the console finds around it, for tests that render pages: the router, the server's answers and all of the console's providers.
import { QueryClientProvider } from "@tanstack/react-query";
import type { QueryClient } from "@tanstack/react-query";
import type { TRPCClient } from "@trpc/client";
import { AppRouterContext } from "next/dist/shared/lib/app-router-context.shared-runtime";
import {
  PathnameContext,
  SearchParamsContext,
} from "next/dist/shared/lib/hooks-client-context.shared-runtime";
import type { ReactNode } from "react";
import { MeProvider } from "@/components/frame/me";
import { PageActsProvider } from "@/components/frame/page-acts";
import { ThemeProvider } from "@/components/frame/theme-menu";
import { UnsavedProvider } from "@/components/frame/unsaved";
import { LiveProvider } from "@/components/live/live-provider";
import { TRPCProvider } from "@/components/trpc/trpc";
import { ClockProvider } from "@/components/ui/time/clock";
import { TipProvider } from "@/components/ui/tip";
import { ToastProvider } from "@/components/ui/toast";
import type { AppRouter, Me } from "@/server/surfaces/trpc/types";

interface Surroundings {
  readonly me: Me;
  /** URL path and query string of the page. */
  readonly path: string;
  readonly search: string;
  readonly nowMs: number;
  readonly queryClient: QueryClient;
  readonly trpcClient: TRPCClient<AppRouter>;
  /** Called with each URL that the page asks the router for. */
  readonly go?: (href: string) => void;
  readonly children: ReactNode;
}

const none = () => undefined;

export function ConsoleProviders(around: Surroundings) {
  const { me, path, search, nowMs, queryClient, trpcClient, go = none, children } = around;
  const router = { push: go, replace: go, back: none, forward: none, refresh: none, prefetch: none };
  return (
    <AppRouterContext value={{ ...router, bfcacheId: "" }}>
      <PathnameContext value={path}>
        <SearchParamsContext value={new URLSearchParams(search)}>
          <QueryClientProvider client={queryClient}>
            <TRPCProvider trpcClient={trpcClient} queryClient={queryClient}>
              <MeProvider me={me}>
                <LiveProvider personId={me.personId} after="">
                  <ThemeProvider initial="light">
                    <ClockProvider serverNowMs={nowMs} timeZone="UTC">
                      <TipProvider>
                        <ToastProvider>
                          <PageActsProvider>
                            <UnsavedProvider>{children}</UnsavedProvider>
                          </PageActsProvider>
                        </ToastProvider>
                      </TipProvider>
                    </ClockProvider>
                  </ThemeProvider>
                </LiveProvider>
              </MeProvider>
            </TRPCProvider>
          </QueryClientProvider>
        </SearchParamsContext>
      </PathnameContext>
    </AppRouterContext>
  );
}

// Renders components in tests as in the browser: into a document, with the console's providers, a server that answers from a table, and
// a router that records. A file that uses it starts with `// @vitest-environment happy-dom` (docs/adr/0008-plain-css.md).
import "@testing-library/jest-dom/vitest";
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, configure, render } from "@testing-library/react";
import { createTRPCClient, TRPCClientError, type TRPCLink } from "@trpc/client";
import { observable } from "@trpc/server/observable";
import { AppRouterContext } from "next/dist/shared/lib/app-router-context.shared-runtime";
import {
  PathnameContext,
  SearchParamsContext,
} from "next/dist/shared/lib/hooks-client-context.shared-runtime";
import type { ReactNode } from "react";
import { onTestFinished, vi } from "vitest";
import { Keyboard } from "@/components/frame/keyboard";
import { MeProvider } from "@/components/frame/me";
import { PageActsProvider } from "@/components/frame/page-acts";
import { ThemeProvider } from "@/components/frame/theme-menu";
import { UnsavedProvider } from "@/components/frame/unsaved";
import { LiveProvider } from "@/components/live/live-provider";
import { makeQueryClient } from "@/components/trpc/query-client";
import { TRPCProvider } from "@/components/trpc/trpc";
import { TipProvider } from "@/components/ui/tip";
import { ClockProvider } from "@/components/ui/time/clock";
import { ToastProvider } from "@/components/ui/toast";
import type { AppRouter, Me } from "@/server/surfaces/trpc/types";

// An idle machine needs far less; this is for a busy one.
configure({ asyncUtilTimeout: 30_000 });

/** A provider user with every permission. */
export const admin: Me = {
  personId: "00000000-0000-4000-8000-000000000001",
  email: "admin@example.com",
  name: "Ada Admin",
  role: "provider-admin",
  tenant: null,
  pages: ["fleet", "hosts", "instances", "cleaning", "skus", "settings"],
  mayCreateInstances: false,
  mayReleaseInstances: true,
  mayWriteHosts: true,
  allocationStopped: null,
  stopActs: [],
  leftOut: { places: [], total: 0 },
  siteLabel: null,
  demo: false,
  demoDesk: false,
  version: "0.1.0",
  roleWords: "Provider admin",
  feedPosition: "",
};

/** The server's answers, by procedure. If a function throws, the call is refused. */
export type Answers = Readonly<Record<string, (input: unknown) => unknown>>;

/** A refusal as the server sends it. @param field the input field that it names */
export class Refusal extends Error {
  constructor(
    detail: string,
    readonly field?: string,
    readonly code?: string,
  ) {
    super(detail);
  }
}

interface Call {
  readonly path: string;
  readonly input: unknown;
}

/** Answers from `answers`, and records mutations in `calls`. */
function answering(answers: Answers, calls: Call[]): TRPCLink<AppRouter> {
  return () =>
    ({ op: { path, input, type } }) =>
      observable((observer) => {
        if (type === "mutation") calls.push({ path, input });
        const answer = answers[path];
        Promise.resolve()
          .then(() => {
            if (answer === undefined) throw new Error(`no answer to ${path}`);
            return answer(input);
          })
          .then((data) => {
            observer.next({ result: { type: "data", data } });
            observer.complete();
          })
          .catch((error: unknown) => observer.error(refused(error)));
      });
}

/** Shaped like the output of the server's error formatter. */
export function refused(error: unknown) {
  if (!(error instanceof Refusal)) return TRPCClientError.from<AppRouter>(new Error(String(error)));
  const problem = { detail: error.message, field: error.field, code: error.code, requestId: "req-1" };
  return TRPCClientError.from<AppRouter>({
    error: { code: -32600, message: error.message, data: { httpStatus: 409, problem } },
  });
}

interface Options {
  readonly answers?: Answers;
  readonly me?: Me;
  /** URL path, such as "/hosts". */
  readonly path?: string;
  /** Query string, such as "show=all". */
  readonly search?: string;
}

/** Renders inside the console's providers. `went` records the URLs requested from the router. */
export function show(
  content: ReactNode,
  { answers = {}, me = admin, path = "/", search = "" }: Options = {},
) {
  vi.stubGlobal("BroadcastChannel", undefined);
  vi.stubGlobal("EventSource", QuietEventSource);
  onTestFinished(() => {
    cleanup();
    vi.unstubAllGlobals();
  });
  const calls: Call[] = [];
  const went: string[] = [];
  const go = (href: string) => void went.push(href);
  const none = () => undefined;
  const router = { push: go, replace: go, back: none, forward: none, refresh: none, prefetch: none };
  const queryClient = makeQueryClient();
  const trpcClient = createTRPCClient<AppRouter>({ links: [answering(answers, calls)] });
  const providers = ({ children }: { children: ReactNode }) => (
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
                            <UnsavedProvider>
                              {children}
                              <Keyboard shown={me.pages} />
                            </UnsavedProvider>
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
  const view = render(content, { wrapper: providers });
  return { ...view, calls, went };
}

const nowMs = Date.parse("2026-11-20T12:00:00Z");

/** Opens no connection: these tests are not about live changes. */
class QuietEventSource {
  static readonly CLOSED = 2;
  readonly readyState = 1;
  addEventListener(): void {}
  close(): void {}
}

// Renders components in tests as in the browser: into a document, with the console's providers, a server that answers from a table, and
// a router that records. A file that uses it starts with `// @vitest-environment happy-dom` (docs/adr/0008-plain-css.md).
import "@testing-library/jest-dom/vitest";
import { cleanup, configure, render } from "@testing-library/react";
import { createTRPCClient, TRPCClientError, type TRPCLink } from "@trpc/client";
import { observable } from "@trpc/server/observable";
import * as React from "react";
import { onTestFinished, vi } from "vitest";
import { Keyboard } from "@/components/frame/keyboard";
import { ConsoleProviders } from "@/components/testing/console-providers";
import { makeQueryClient } from "@/components/trpc/query-client";
import type { AppRouter, Me } from "@/server/surfaces/trpc/types";

// An idle machine needs far less; this is for a busy one.
configure({ asyncUtilTimeout: 30_000 });

/**
 * React's development build records for the first 10,000 elements of each second where they were made, for its warnings: a quarter of these tests' time.
 * It stops at that number (docs/adr/0035-cheap-tests.md). If a release counts elsewhere, this changes nothing.
 */
const internals: unknown = Reflect.get(
  React,
  "__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE",
);
if (typeof internals === "object" && internals !== null)
  Object.defineProperty(internals, "recentlyCreatedOwnerStacks", { get: () => 10_000, set: () => undefined });

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
  version: "0.2.0",
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
  content: React.ReactNode,
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
  const queryClient = makeQueryClient();
  const trpcClient = createTRPCClient<AppRouter>({ links: [answering(answers, calls)] });
  const around = { me, path, search, nowMs, queryClient, trpcClient, go };
  const providers = ({ children }: { children: React.ReactNode }) => (
    <ConsoleProviders {...around}>
      {children}
      <Keyboard shown={me.pages} />
    </ConsoleProviders>
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

// Pages read their data here, before they are sent: by the procedures themselves, into the cache that the browser goes on with.
import "server-only";
import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import { createTRPCOptionsProxy } from "@trpc/tanstack-react-query";
import { headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { cache, type ReactNode } from "react";
import { makeQueryClient } from "@/components/trpc/query-client";
import { consoleServer } from "@/server/surfaces/console/console-port";
import type { Me } from "@/server/surfaces/trpc/types";
import { routes } from "@/server/domain/console/routes";

/** One cache per request. */
export const getQueryClient = cache(makeQueryClient);

/** The context of the page that is being rendered; the same for all who ask during one. */
const pageContext = cache(async () => consoleServer().contextOf(await headers()));

/** The options of procedures, run in this process for the person who asks. */
export const serverTrpc = cache(() =>
  createTRPCOptionsProxy({
    router: consoleServer().router,
    ctx: pageContext,
    queryClient: getQueryClient,
  }),
);

/** The signed-in person; others are sent to the sign-in page, and from there back here. */
export const requireMe = cache(async (): Promise<Me> => {
  const caller = consoleServer().callerOf(await pageContext());
  if (caller !== null) return caller.session.me();
  redirect(routes.signIn({ next: (await headers()).get("x-page") ?? routes.fleet() }));
});

/** Hands what was read so far to the components below. */
export function Hydrate({ children }: { children: ReactNode }) {
  return <HydrationBoundary state={dehydrate(getQueryClient())}>{children}</HydrationBoundary>;
}

/** What the address names is not there, not this person's to see, or nothing that could be there, such as a text in place of an id. */
const nothingThere: readonly unknown[] = ["NOT_FOUND", "BAD_REQUEST"];

export const isMissing = (error: unknown): boolean =>
  typeof error === "object" && error !== null && nothingThere.includes(Reflect.get(error, "code"));

/** Reads; what is not there, or not this person's to see, is a page of its own. */
export async function readOr404<Data>(read: () => Promise<Data>): Promise<Data> {
  try {
    return await read();
  } catch (error) {
    if (isMissing(error)) notFound();
    throw error;
  }
}

// Prefetching for pages: procedures run in this process before the page is sent, into the cache that the browser continues with.
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

/** The request context of the page being rendered, shared by everything in that render. */
const pageContext = cache(async () => consoleServer().contextOf(await headers()));

/** Query options for procedures that run in this process as the signed-in user. */
export const serverTrpc = cache(() =>
  createTRPCOptionsProxy({
    router: consoleServer().router,
    ctx: pageContext,
    queryClient: getQueryClient,
  }),
);

/** The signed-in user. Others are redirected to the sign-in page, and from there back here. */
export const requireMe = cache(async (): Promise<Me> => {
  const caller = consoleServer().callerOf(await pageContext());
  if (caller !== null) return caller.session.me();
  redirect(routes.signIn({ next: (await headers()).get("x-page") ?? routes.fleet() }));
});

/** Passes what has been read so far to the components below. */
export function Hydrate({ children }: { children: ReactNode }) {
  return <HydrationBoundary state={dehydrate(getQueryClient())}>{children}</HydrationBoundary>;
}

/** What the URL names does not exist, is not for this user, or cannot exist, such as a text in place of an id. */
const nothingThere: readonly unknown[] = ["NOT_FOUND", "BAD_REQUEST"];

export const isMissing = (error: unknown): boolean =>
  typeof error === "object" && error !== null && nothingThere.includes(Reflect.get(error, "code"));

/** Reads, and shows the 404 page if the data does not exist or is not for this user. */
export async function readOr404<Data>(read: () => Promise<Data>): Promise<Data> {
  try {
    return await read();
  } catch (error) {
    if (isMissing(error)) notFound();
    throw error;
  }
}

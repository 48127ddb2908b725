// The procedures without HTTP, for pages that render on the server with their data.
import { headers } from "next/headers";
import { cache } from "react";
import { createContext } from "@/server/surfaces/trpc/context";
import { appRouter } from "@/server/surfaces/trpc/router";
import { createCallerFactory } from "@/server/surfaces/trpc/trpc";
import { webBackend } from "@/server/surfaces/web/web-backend";

const createCaller = createCallerFactory(appRouter);

/** The context of the page that is being rendered; the same for all who ask during one. */
export const pageContext = cache(async () => createContext(webBackend(), await headers()));

/** Null when nobody is signed in. Problems are thrown as TRPCError, with the problem as its cause. */
export async function serverCaller(): Promise<ReturnType<typeof createCaller> | null> {
  const context = await pageContext();
  return context.actor === null ? null : createCaller(context);
}

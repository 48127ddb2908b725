// The console's procedures over HTTP.
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { createContext } from "@/server/surfaces/trpc/context";
import { appRouter } from "@/server/surfaces/trpc/router";
import { webBackend } from "@/server/surfaces/web/web-backend";

export const dynamic = "force-dynamic";

const bodyLimitBytes = 1024 * 1024;

/** Browsers always say how long a body is; one that does not is not read. */
function isTooLong(request: Request): boolean {
  if (request.method === "GET") return false;
  const length = request.headers.get("content-length");
  return length === null || !/^\d+$/.test(length) || Number(length) > bodyLimitBytes;
}

function handle(request: Request): Promise<Response> {
  if (isTooLong(request)) return Promise.resolve(Response.json({ type: "urn:reclaim:problem:invalid", title: "The request is too long", status: 413 }, { status: 413 }));
  return fetchRequestHandler({
    endpoint: "/api/trpc",
    req: request,
    router: appRouter,
    // A query whose input is too long for an address may come as a POST; a mutation may not come as a GET.
    allowMethodOverride: true,
    createContext: () => createContext(request.headers),
    onError: ({ error, path, ctx }) => {
      if (error.code === "INTERNAL_SERVER_ERROR") webBackend().logger.error({ err: error.cause ?? error, path, requestId: ctx?.request.requestId }, "a procedure failed");
    },
    responseMeta: () => ({ headers: { "cache-control": "no-store" } }),
  });
}

export { handle as GET, handle as POST };

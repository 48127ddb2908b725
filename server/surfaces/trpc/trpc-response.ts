// The response of `/api/trpc`: the console's procedures over HTTP.
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { createContext } from "@/server/surfaces/trpc/context";
import { appRouter } from "@/server/surfaces/trpc/router";
import type { WebBackend } from "@/server/surfaces/web/web-backend";

const bodyLimitBytes = 1024 * 1024;

/** Browsers and our CLI always declare the length of a body. A request without it is not read. */
function isTooLong(request: Request): boolean {
  if (request.method === "GET") return false;
  const length = request.headers.get("content-length");
  return length === null || !/^\d+$/.test(length) || Number(length) > bodyLimitBytes;
}

export async function trpcResponse(backend: WebBackend, request: Request): Promise<Response> {
  if (isTooLong(request))
    return Response.json(
      { type: "urn:reclaim:problem:invalid", title: "The request is too long", status: 413 },
      { status: 413 },
    );
  return fetchRequestHandler({
    endpoint: "/api/trpc",
    req: request,
    router: appRouter,
    // A query whose input is too long for a URL may be sent as a POST; a mutation may not be sent as a GET.
    allowMethodOverride: true,
    createContext: () => createContext(backend, request.headers),
    onError: ({ error, path, ctx }) => {
      if (error.code === "INTERNAL_SERVER_ERROR")
        backend.logger.error(
          { err: error.cause ?? error, path, requestId: ctx?.request.requestId },
          "a procedure failed",
        );
    },
    responseMeta: () => ({ headers: { "cache-control": "no-store" } }),
  });
}

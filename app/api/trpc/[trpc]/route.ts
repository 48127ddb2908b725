// The console's procedures over HTTP.
import { trpcResponse } from "@/server/surfaces/trpc/trpc-response";
import { webBackend } from "@/server/surfaces/web/web-backend";

export const dynamic = "force-dynamic";

function handle(request: Request): Promise<Response> {
  return trpcResponse(webBackend(), request);
}

export { handle as GET, handle as POST };

// The console's tRPC procedures over HTTP.
import { consoleServer } from "@/server/surfaces/console/console-port";

export const dynamic = "force-dynamic";

const handle = (request: Request): Promise<Response> => consoleServer().responses.trpc(request);

export { handle as GET, handle as POST };

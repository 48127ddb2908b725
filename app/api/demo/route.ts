// The demo desk, if the site has one.
import { consoleServer } from "@/server/surfaces/console/console-port";

export const dynamic = "force-dynamic";

const handle = (request: Request): Promise<Response> => consoleServer().responses.demoDesk(request);

export { handle as GET, handle as POST };

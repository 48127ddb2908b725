// What the console's API is, for programs. It says nothing about the site, so no sign-in is needed.
import { consoleServer } from "@/server/surfaces/console/console-port";

export const dynamic = "force-dynamic";

export const GET = (request: Request): Response => consoleServer().responses.openApi(request);

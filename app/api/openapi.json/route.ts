// The OpenAPI description of the console's API. It contains nothing about the site, so it needs no sign-in.
import { consoleServer } from "@/server/surfaces/console/console-port";

export const dynamic = "force-dynamic";

export const GET = (request: Request): Response => consoleServer().responses.openApi(request);

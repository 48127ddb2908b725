// The JSON Schema of a site document, for editors. It says nothing about a site, so no sign-in is needed.
import { consoleServer } from "@/server/surfaces/console/console-port";

export const dynamic = "force-dynamic";

export const GET = (request: Request): Response => consoleServer().responses.siteSchema(request);

// The JSON Schema of a site document, for editors. It contains nothing about a site, so it needs no sign-in.
import { consoleServer } from "@/server/surfaces/console/console-port";

export const dynamic = "force-dynamic";

export const GET = (request: Request): Response => consoleServer().responses.siteSchema(request);

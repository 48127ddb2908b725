// Events of the audit log as a file.
import { consoleServer } from "@/server/surfaces/console/console-port";

export const dynamic = "force-dynamic";

export const GET = (request: Request): Promise<Response> => consoleServer().responses.auditCsv(request);

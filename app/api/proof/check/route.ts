// Checks a file that the person has: a certificate, a receipt or a pack.
import { consoleServer } from "@/server/surfaces/console/console-port";

export const dynamic = "force-dynamic";

export const POST = (request: Request): Promise<Response> => consoleServer().responses.proofCheck(request);

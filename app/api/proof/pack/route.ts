// Certificates of a selection as one archive.
import { consoleServer } from "@/server/surfaces/console/console-port";

export const dynamic = "force-dynamic";

export const GET = (request: Request): Promise<Response> => consoleServer().responses.proofPack(request);

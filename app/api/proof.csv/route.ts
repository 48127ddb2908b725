// Returns of a search as a CSV file.
import { consoleServer } from "@/server/surfaces/console/console-port";

export const dynamic = "force-dynamic";

export const GET = (request: Request): Promise<Response> => consoleServer().responses.proofCsv(request);

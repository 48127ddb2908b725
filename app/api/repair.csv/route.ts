// A tab of the *Repair* page as CSV.
import { consoleServer } from "@/server/surfaces/console/console-port";

export const dynamic = "force-dynamic";

export const GET = (request: Request): Promise<Response> => consoleServer().responses.repairCsv(request);

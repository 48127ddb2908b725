// Uploads an evidence file.
import { consoleServer } from "@/server/surfaces/console/console-port";

export const dynamic = "force-dynamic";

export const POST = (request: Request): Promise<Response> =>
  consoleServer().responses.evidenceUpload(request);

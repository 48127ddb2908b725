// `GET /api/audit-log/<path>`: the files of the signed audit log for the console, which verifies them in the browser. Programs use `/audit-log`.
import { readLogFile } from "@/server/usecases/audit-log/log-file";
import { readAsker } from "@/server/surfaces/web/asker";
import { problemResponse } from "@/server/surfaces/web/problem-response";
import { requestFacts } from "@/server/surfaces/web/request";
import type { WebBackend } from "@/server/surfaces/web/web-backend";

const maxPath = 128;

/** @param path its parts below the log's prefix */
export async function logFileResponse(
  backend: WebBackend,
  request: Request,
  path: readonly string[],
): Promise<Response> {
  const { requestId } = requestFacts(request.headers);
  const actor = await readAsker(backend, request.headers);
  if (actor === null)
    return problemResponse({ code: "unauthenticated", detail: "Sign in first." }, requestId);
  const file = await readLogFile(backend, actor, path.join("/").slice(0, maxPath));
  if (!file.ok) return problemResponse(file.problem, requestId);
  const { bytes, type } = file.value;
  return new Response(Uint8Array.from(bytes), {
    // Not cached by the browser: nothing stays behind after signing out or losing the right, and a check reads what the server has now.
    headers: { "content-type": type, "x-content-type-options": "nosniff", "cache-control": "no-store" },
  });
}

// `POST /api/proof/check`: checks the file in the body, and keeps nothing of it (docs/assurance/proof.md#check-a-file).
import { maxCheckedBytes } from "@/server/contract/assurance/proof";
import { perProcess } from "@/server/process/process-state";
import { checkFile } from "@/server/usecases/assurance/proof/check-file";
import type { Problem } from "@/server/usecases/problem";
import { isDeliberate, readAsker } from "@/server/surfaces/web/asker";
import { problemResponse } from "@/server/surfaces/web/problem-response";
import { PackLimit } from "@/server/surfaces/web/proof/pack-limit";
import { piecesUpTo, TooLong } from "@/server/surfaces/web/read-up-to";
import { requestFacts } from "@/server/surfaces/web/request";
import type { WebBackend } from "@/server/surfaces/web/web-backend";

const fileChecks = perProcess("fileChecks", () => new PackLimit());

const tooLong = "A file that is checked here has at most 64 MiB. Check a larger one with `reclaim verify`.";

/** A caller without the right is refused before the body is read. */
export async function checkResponse(backend: WebBackend, request: Request): Promise<Response> {
  const { requestId } = requestFacts(request.headers);
  const refuse = (problem: Problem): Response => problemResponse(problem, requestId);
  const actor = await readAsker(backend, request.headers);
  if (actor === null) return refuse({ code: "unauthenticated", detail: "Sign in first." });
  if (!isDeliberate(request.headers, backend.config.baseUrl))
    return refuse({ code: "forbidden", detail: "The request does not come from the console's own pages." });
  const end = fileChecks().begin(actor, Date.now());
  if (end === null)
    return refuse({ code: "tooMany", detail: "Too many files are being checked. Retry in some seconds." });
  try {
    const checked = await checkFile(backend, actor, piecesUpTo(request.body, maxCheckedBytes));
    return checked.ok
      ? Response.json(checked.value, { headers: { "cache-control": "no-store" } })
      : refuse(checked.problem);
  } catch (error) {
    if (error instanceof TooLong) return refuse({ code: "invalid", detail: tooLong, field: "file" });
    throw error;
  } finally {
    end();
  }
}

// A problem as the response of a route handler (RFC 9457).
import { problemDocument } from "@/server/usecases/problem";
import type { Problem } from "@/server/usecases/problem";

export function problemResponse(problem: Problem, requestId: string): Response {
  const document = problemDocument(problem, requestId);
  return Response.json(document, {
    status: document.status,
    headers: { "content-type": "application/problem+json", "cache-control": "no-store" },
  });
}

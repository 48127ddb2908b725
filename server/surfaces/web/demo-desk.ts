// Forwards what a person does in the demo menu to the site's demo desk, and returns its answer. What the desk offers, and what it does, is its own
// business: nothing here knows what is behind it (docs/adr/0009-the-seed-onboards-by-the-real-path.md).
import { readAsker, isDeliberate } from "@/server/surfaces/web/asker";
import { problemResponse } from "@/server/surfaces/web/problem-response";
import { requestFacts } from "@/server/surfaces/web/request";
import type { WebBackend } from "@/server/surfaces/web/web-backend";
import { mayReadDesk, orderDemo } from "@/server/usecases/access/demo-desk";
import type { Problem } from "@/server/usecases/problem";

const timeoutMs = 10_000;

/** `GET` what it offers, `POST` an order. For people who may work on hosts, if the site has a desk. */
export async function demoDeskResponse(backend: WebBackend, request: Request): Promise<Response> {
  const facts = requestFacts(request.headers);
  const { requestId } = facts;
  const refuse = (problem: Problem) => problemResponse(problem, requestId);
  const actor = await readAsker(backend, request.headers);
  if (actor === null) return refuse({ code: "unauthenticated", detail: "Sign in first." });
  if (request.method !== "GET" && !isDeliberate(request.headers, backend.config.baseUrl))
    return refuse({ code: "forbidden", detail: "The request does not come from this console." });
  const desk = backend.config.demoDesk;
  if (desk === undefined) return refuse({ code: "notFound", detail: "This server has no demo menu." });
  const order = request.method === "GET" ? null : await request.text();
  const allowed =
    order === null ? await mayReadDesk(backend, actor) : await orderDemo(backend, actor, facts, { order });
  if (!allowed.ok) return refuse(allowed.problem);
  try {
    const answer = await fetch(desk.url, {
      method: request.method,
      headers: { authorization: `Bearer ${desk.token}`, "content-type": "application/json" },
      body: order,
      redirect: "error",
      signal: AbortSignal.timeout(timeoutMs),
    });
    return new Response(await answer.text(), {
      status: answer.status,
      headers: { "content-type": "application/json", "cache-control": "no-store" },
    });
  } catch (error) {
    backend.logger.warn({ err: error, requestId }, "the demo desk does not answer");
    return refuse({ code: "unavailable", detail: "The demo server does not respond." });
  }
}

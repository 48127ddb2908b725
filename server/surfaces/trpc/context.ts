// What every procedure is given: the backend, who asks, and the request's facts.
import type { Actor, Request } from "@/server/usecases/actor";
import { isSameOrigin, requestFacts } from "@/server/surfaces/web/request";
import { sessionActor } from "@/server/surfaces/web/session";
import { webBackend } from "@/server/surfaces/web/web-backend";
import type { WebBackend } from "@/server/surfaces/web/web-backend";

export interface Context {
  readonly backend: WebBackend;
  /** Null: not signed in. */
  readonly actor: Actor | null;
  readonly request: Request;
  /** Whether it comes from our own pages; asked of those that change something. */
  readonly sameOrigin: boolean;
}

export async function createContext(headers: Headers): Promise<Context> {
  const backend = webBackend();
  return { backend, actor: await sessionActor(backend, headers), request: requestFacts(headers), sameOrigin: isSameOrigin(headers, backend.config.baseUrl) };
}

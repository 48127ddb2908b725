// What every procedure receives: the backend, the caller, and facts about the request.
import type { Actor, Request } from "@/server/usecases/actor";
import { isDeliberate, readAsker } from "@/server/surfaces/web/asker";
import { requestFacts } from "@/server/surfaces/web/request";
import type { WebBackend } from "@/server/surfaces/web/web-backend";

export interface Context {
  readonly backend: WebBackend;
  /** Null: not signed in. */
  readonly actor: Actor | null;
  readonly request: Request;
  /** Whether no other page can have made the request; required for changes. */
  readonly deliberate: boolean;
}

export async function createContext(backend: WebBackend, headers: Headers): Promise<Context> {
  return {
    backend,
    actor: await readAsker(backend, headers),
    request: requestFacts(headers),
    deliberate: isDeliberate(headers, backend.config.baseUrl),
  };
}

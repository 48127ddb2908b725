// The response of `/api/live`: an event stream that ends when its reader leaves or is signed out.
import type { Actor } from "@/server/usecases/actor";
import { followChanges, type Changes } from "@/server/usecases/hosts/follow-changes";
import { scopeOf, type Scope } from "@/server/usecases/read";
import { ChangeStream, opening, realClock } from "@/server/surfaces/live/change-stream";
import { streamsPerPerson } from "@/server/surfaces/live/stream-limit";
import { readAsker } from "@/server/surfaces/web/asker";
import { problemResponse } from "@/server/surfaces/web/problem-response";
import { requestFacts } from "@/server/surfaces/web/request";
import type { WebBackend } from "@/server/surfaces/web/web-backend";

const heartbeatMs = 15_000;
/** Batches that may wait for a slow reader. */
const queued = 16;

/** Where the reader left off: the browser's own header on a reconnect, the query when a page starts. */
function position(request: Request): string | null {
  const search = new URL(request.url).searchParams;
  return request.headers.get("last-event-id") ?? search.get("after") ?? search.get("from");
}

export async function liveResponse(backend: WebBackend, request: Request): Promise<Response> {
  const { requestId } = requestFacts(request.headers);
  const actor = await readAsker(backend, request.headers);
  if (actor === null)
    return problemResponse({ code: "unauthenticated", detail: "Sign in first." }, requestId);
  const scope = scopeOf(actor, "feed.read");
  if (!scope.ok) return problemResponse(scope.problem, requestId);
  const leave = backend.streams.enter(actor.personId);
  if (leave === null)
    return problemResponse(
      { code: "tooMany", detail: `You have ${streamsPerPerson} live connections open. Close some.` },
      requestId,
    );
  const body = changesBody(backend, request, { actor, scope: scope.value, leave });
  return new Response(body, {
    headers: {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store, no-transform",
      "x-accel-buffering": "no",
    },
  });
}

interface Reader {
  readonly actor: Actor;
  readonly scope: Scope;
  /** Frees the reader's place among the streams. */
  readonly leave: () => void;
}

/** Changes as they come, until the reader leaves or may no longer read. */
function changesBody(
  backend: WebBackend,
  request: Request,
  { actor, scope, leave }: Reader,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let stop = leave;
  return new ReadableStream<Uint8Array>(
    {
      start: async (controller) => {
        const send = (text: string): boolean => {
          if ((controller.desiredSize ?? 0) <= 0) return false;
          controller.enqueue(encoder.encode(text));
          return true;
        };
        const followed = await followFrom(backend, scope, position(request), send).catch((error: unknown) => {
          leave();
          throw error;
        });
        const timer = setInterval(() => {
          followed.heartbeat();
          stillSignedIn(backend, request, actor).then(
            (still) => (still ? undefined : end()),
            () => undefined,
          );
        }, heartbeatMs);
        const end = () => {
          stop();
          controller.close();
        };
        stop = () => {
          stop = () => undefined;
          clearInterval(timer);
          followed.stop();
          leave();
        };
        if (request.signal.aborted) stop();
        else request.signal.addEventListener("abort", () => stop(), { once: true });
      },
      cancel: () => stop(),
    },
    { highWaterMark: queued },
  );
}

interface Followed {
  readonly heartbeat: () => void;
  readonly stop: () => void;
}

/** Sends the opening of the stream, and then every change. Changes that arrive before the opening are sent after it. */
async function followFrom(
  { feed }: WebBackend,
  scope: Scope,
  from: string | null,
  send: (text: string) => boolean,
): Promise<Followed> {
  const early: Changes[] = [];
  let hear = (changes: Changes): void => void early.push(changes);
  const start = await followChanges(feed, scope, from, (changes) => hear(changes));
  const stream = new ChangeStream({ from: start.position, send, clock: realClock });
  send(opening(start.position, start.reset));
  for (const changes of early) stream.add(changes);
  hear = (changes) => stream.add(changes);
  return {
    heartbeat: () => stream.heartbeat(),
    stop: () => {
      stream.close();
      start.stop();
    },
  };
}

/** Stops listening after a session or token was ended, or after the person's role has changed. */
async function stillSignedIn(backend: WebBackend, request: Request, actor: Actor): Promise<boolean> {
  const now = await readAsker(backend, request.headers);
  return now !== null && now.role === actor.role && now.tenantId === actor.tenantId;
}

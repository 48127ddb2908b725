// One HTTP request over a connection pool: time limit, size limit, no redirects; and whether it was sent at all.
import type { Dispatcher } from "undici";

export interface ExchangeRequest {
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export interface ExchangeLimits {
  readonly timeoutMs: number;
  /** Largest body of an answer. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
}

export interface Answered {
  readonly kind: "answered";
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

/** No whole answer came. `sent` is false only when not one byte of the request left. */
export interface Lost {
  readonly kind: "lost";
  readonly sent: boolean;
  /** The status, when at least that arrived. */
  readonly status: number | null;
  readonly cause: "connection" | "timeout" | "too large" | "stopped" | "forbidden";
  readonly reason: string;
}

export type Exchange = Answered | Lost;

/** The address or the certificate of the other side is not one that may be talked to; thrown while connecting, before anything is sent. */
export class ForbiddenPeer extends Error {
  override readonly name = "ForbiddenPeer";
}

/** Sends one request and waits for its whole answer. Never rejects, follows no redirect, repeats nothing. */
export function exchange(
  dispatcher: Dispatcher,
  request: ExchangeRequest,
  limits: ExchangeLimits,
): Promise<Exchange> {
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | null = null;
    let status: number | null = null;
    let headers: Answered["headers"] = {};
    let size = 0;
    let over = false;
    const chunks: Buffer[] = [];

    const finish = (outcome: Exchange) => {
      if (over) return;
      over = true;
      clearTimeout(timer);
      limits.signal?.removeEventListener("abort", onAbort);
      resolve(outcome);
    };
    const lose = (cause: Lost["cause"], reason: string) =>
      finish({ kind: "lost", sent: controller !== null, status, cause, reason });
    const stop = (cause: Lost["cause"], reason: string) => {
      lose(cause, reason);
      controller?.abort(new Error(reason));
    };
    const onAbort = () => stop("stopped", "stopped by the caller");
    const timer = setTimeout(
      () => stop("timeout", `no answer within ${Math.round(limits.timeoutMs)} ms`),
      limits.timeoutMs,
    );
    if (limits.signal?.aborted === true) return onAbort();
    limits.signal?.addEventListener("abort", onAbort, { once: true });

    dispatcher.dispatch(
      // The timer above is the one limit: undici's own are coarse and would not cover waiting for a connection.
      { ...request, headersTimeout: 0, bodyTimeout: 0 },
      {
        onRequestStart(started) {
          // Given up while the connection was being made: it must not be sent any more.
          if (over) return started.abort(new Error("given up"));
          controller = started;
        },
        onResponseStart(_controller, statusCode, responseHeaders) {
          status = statusCode;
          headers = responseHeaders;
        },
        onResponseData(_controller, chunk) {
          size += chunk.length;
          if (size > limits.maxBytes)
            return stop("too large", `the answer is larger than ${limits.maxBytes} bytes`);
          chunks.push(chunk);
        },
        onResponseEnd() {
          if (status === null) return lose("connection", "the answer had no status");
          const [only] = chunks;
          const whole = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
          finish({ kind: "answered", status, headers, text: whole.toString("utf8") });
        },
        onResponseError(_controller, error) {
          lose(error instanceof ForbiddenPeer ? "forbidden" : "connection", reasonOf(error));
        },
      },
    );
  });
}

/** A short text without the addresses and stack that Node's errors carry. */
function reasonOf(error: Error & { code?: string }): string {
  if (error instanceof ForbiddenPeer) return error.message;
  return (
    [error.code, error.message].filter((part) => part !== undefined && part !== "").join(": ") || error.name
  );
}

/** A header that is sent at most once. */
export function singleHeader(headers: Answered["headers"], name: string): string | null {
  const value = headers[name];
  return typeof value === "string" ? value : (value?.[0] ?? null);
}

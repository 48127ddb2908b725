// One HTTP request over a connection pool: timeout, size limit, no redirects. Reports whether the request was sent at all.
import type { Dispatcher } from "undici";

export interface ExchangeRequest {
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE" | "OPTIONS";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export interface ExchangeLimits {
  readonly timeoutMs: number;
  /** Maximum size of a response body. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
  /** For a request whose answer still matters after its timeout: wait this much longer, then call `heard` with the answer, or with null if none came. */
  readonly late?: { readonly withinMs: number; readonly heard: (answer: Answered | null) => void };
}

export interface Answered {
  readonly kind: "answered";
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

/** The response did not arrive completely, unless its status already refuses the request. `sent` is false only if not one byte of the request left. */
export interface Lost {
  readonly kind: "lost";
  readonly sent: boolean;
  /** The status, if at least that arrived. */
  readonly status: number | null;
  readonly cause: "connection" | "timeout" | "too large" | "stopped" | "forbidden" | "untrusted";
  readonly reason: string;
}

export type Exchange = Answered | Lost;

/** The peer's address or certificate is not allowed. Thrown while connecting, before anything is sent. */
export class ForbiddenPeer extends Error {
  override readonly name = "ForbiddenPeer";
}

/** The peer's certificate is not the expected one. Thrown while connecting, before anything is sent. */
export class UntrustedCertificate extends Error {
  override readonly name = "UntrustedCertificate";
}

/** Node's and OpenSSL's codes for a certificate that is not trusted, or not for this name (https://nodejs.org/api/tls.html#x509-certificate-error-codes). */
const untrusted =
  /^(ERR_TLS_CERT|CERT_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT|UNABLE_TO_(GET_ISSUER|VERIFY_LEAF)|INVALID_(CA|PURPOSE)|HOSTNAME_MISMATCH)/;

const causeOf = (error: Error & { code?: string }): Lost["cause"] =>
  error instanceof ForbiddenPeer
    ? "forbidden"
    : error instanceof UntrustedCertificate || untrusted.test(error.code ?? "")
      ? "untrusted"
      : "connection";

/** Sends one request and waits for its complete response. Never rejects, follows no redirect, and never retries. */
export function exchange(
  dispatcher: Dispatcher,
  request: ExchangeRequest,
  limits: ExchangeLimits,
): Promise<Exchange> {
  return new Promise((resolve) => {
    const pending = new Pending(limits, resolve);
    // The timer of `Pending` is the only timeout: undici's own are coarse and do not cover waiting for a connection.
    if (!pending.over) dispatcher.dispatch({ ...request, headersTimeout: 0, bodyTimeout: 0 }, pending);
  });
}

/** A request in progress, as undici reports it. Ends once, with the response or with what went wrong. */
class Pending implements Dispatcher.DispatchHandler {
  over = false;
  readonly #limits: ExchangeLimits;
  readonly #resolve: (outcome: Exchange) => void;
  readonly #timer: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | null = null;
  #status: number | null = null;
  #headers: Answered["headers"] = {};
  #size = 0;
  readonly #chunks: Buffer[] = [];
  #listening: NodeJS.Timeout | undefined;

  constructor(limits: ExchangeLimits, resolve: (outcome: Exchange) => void) {
    this.#limits = limits;
    this.#resolve = resolve;
    const { timeoutMs, signal } = limits;
    this.#timer = setTimeout(() => this.#expire(`no answer within ${Math.round(timeoutMs)} ms`), timeoutMs);
    if (signal?.aborted === true) this.#onAbort();
    else signal?.addEventListener("abort", this.#onAbort, { once: true });
  }

  onRequestStart(started: Dispatcher.DispatchController): void {
    // It timed out or was aborted while connecting, so it must not be sent any more.
    if (this.over) started.abort(new Error("given up"));
    else this.#controller = started;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Answered["headers"],
  ): void {
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size > this.#limits.maxBytes)
      this.#stop("too large", `the answer is larger than ${this.#limits.maxBytes} bytes`);
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (this.#status === null) return this.#lose("connection", "the answer had no status");
    this.#finish(this.#answer(this.#status));
  }

  #answer(status: number): Answered {
    const [only] = this.#chunks;
    const whole = this.#chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.#chunks);
    return { kind: "answered", status, headers: this.#headers, text: whole.toString("utf8") };
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#lose(causeOf(error), reasonOf(error));
  }

  readonly #onAbort = (): void => this.#stop("stopped", "stopped by the caller");

  #expire(reason: string): void {
    const { late } = this.#limits;
    if (late === undefined || this.#controller === null || this.#isRefused())
      return this.#stop("timeout", reason);
    this.#lose("timeout", reason);
    this.#listening = setTimeout(() => this.#stop("timeout", reason), late.withinMs).unref();
  }

  #stop(cause: Lost["cause"], reason: string): void {
    this.#lose(cause, reason);
    this.#controller?.abort(new Error(reason));
  }

  /** The status says all that matters of a refusal, so it counts without the rest of its body. */
  #isRefused(): boolean {
    return this.#status !== null && this.#status >= 300;
  }

  #lose(cause: Lost["cause"], reason: string): void {
    if (this.#status !== null && this.#isRefused() && cause !== "stopped")
      return this.#finish(this.#answer(this.#status));
    this.#finish({ kind: "lost", sent: this.#controller !== null, status: this.#status, cause, reason });
  }

  #finish(outcome: Exchange): void {
    if (this.over) return this.#hear(outcome);
    this.over = true;
    clearTimeout(this.#timer);
    this.#limits.signal?.removeEventListener("abort", this.#onAbort);
    this.#resolve(outcome);
  }

  #hear(outcome: Exchange): void {
    if (this.#listening === undefined) return;
    clearTimeout(this.#listening);
    this.#listening = undefined;
    this.#limits.late?.heard(outcome.kind === "answered" ? outcome : null);
  }
}

/** A short reason, without the addresses and stack that Node's errors carry. */
function reasonOf(error: Error & { code?: string }): string {
  if (error instanceof ForbiddenPeer || error instanceof UntrustedCertificate) return error.message;
  return (
    [error.code, error.message].filter((part) => part !== undefined && part !== "").join(": ") || error.name
  );
}

/** The value of a header that is sent at most once. */
export function singleHeader(headers: Answered["headers"], name: string): string | null {
  const value = headers[name];
  return typeof value === "string" ? value : (value?.[0] ?? null);
}

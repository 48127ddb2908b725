// One request of a simulated machine to the server, on undici's lowest level: streams and their listeners would cost more than such a short answer.
import type { Dispatcher } from "undici";
import { isOver } from "@/server/simulator/hardware-time";

interface HttpRequest {
  readonly method: "GET" | "POST";
  /** Path and query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** For the headers and for each part of the body; omitted: undici's own. */
  readonly timeoutMs?: number;
  readonly signal: AbortSignal;
}

export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
}

/** Rejects if there is no complete response: unreachable, timed out, or aborted. */
export function ask(dispatcher: Dispatcher, asked: HttpRequest): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const { method, path, headers = {}, body = null, timeoutMs, signal } = asked;
    if (signal.aborted) return reject(isOver);
    const limits = timeoutMs === undefined ? {} : { headersTimeout: timeoutMs, bodyTimeout: timeoutMs };
    dispatcher.dispatch({ method, path, headers, body, ...limits }, new Asking(signal, resolve, reject));
  });
}

class Asking implements Dispatcher.DispatchHandler {
  #controller: Dispatcher.DispatchController | null = null;
  #status = 0;
  readonly #chunks: Buffer[] = [];
  readonly #signal: AbortSignal;
  readonly #resolve: (told: HttpAnswer) => void;
  readonly #reject: (error: Error) => void;

  constructor(signal: AbortSignal, resolve: (told: HttpAnswer) => void, reject: (error: Error) => void) {
    this.#signal = signal;
    this.#resolve = resolve;
    this.#reject = reject;
    signal.addEventListener("abort", this.#stop, { once: true });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // Aborted while the request waited for a connection.
    if (this.#signal.aborted) controller.abort(isOver);
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    this.#status = status;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.#signal.removeEventListener("abort", this.#stop);
    const [only] = this.#chunks;
    const whole = this.#chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.#chunks);
    this.#resolve({ status: this.#status, text: whole.toString("utf8") });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#signal.removeEventListener("abort", this.#stop);
    this.#reject(error);
  }

  readonly #stop = (): void => {
    this.#controller?.abort(isOver);
    this.#reject(isOver);
  };
}

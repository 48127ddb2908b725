// Reads bodies before anything else sees them, counts them as they arrive, and passes them on only if they are complete and short enough.
import { IncomingMessage } from "node:http";

import { bodyLimitBytes } from "@/server/domain/agents/protocol";

/** How long a body may take to arrive. */
export const bodyTimeMs = 10_000;

/** Of all callers of a process together, and of one address. */
const processShares: BodyShares = { most: 64 * bodyLimitBytes, mostOfOne: 4 * bodyLimitBytes };

export interface BodyShares {
  /** For all callers together. */
  readonly most: number;
  readonly mostOfOne: number;
}

/** The bytes received of incomplete bodies: of all callers together, and per caller. */
export class ReceivedBytes {
  readonly #shares: BodyShares;
  readonly #ofEach = new Map<string, number>();
  #all = 0;

  constructor(shares: BodyShares = processShares) {
    this.#shares = shares;
  }

  /** Whether there is room for these bytes. If so, they must be given back later. */
  take(caller: string, bytes: number): boolean {
    const own = this.#ofEach.get(caller) ?? 0;
    // safety: body: the share of one address
    if (this.#all + bytes > this.#shares.most || own + bytes > this.#shares.mostOfOne) return false;
    this.#all += bytes;
    this.#ofEach.set(caller, own + bytes);
    return true;
  }

  giveBack(caller: string, bytes: number): void {
    this.#all -= bytes;
    const left = (this.#ofEach.get(caller) ?? 0) - bytes;
    if (left > 0) this.#ofEach.set(caller, left);
    else this.#ofEach.delete(caller);
  }
}

export interface BodyLimits {
  readonly bytes: number;
  readonly withinMs: number;
  readonly received: ReceivedBytes;
  /** The caller whose share of `received` is used. */
  readonly caller: string;
}

/**
 * The body. `tooLong` and `noRoom` are returned as soon as they are known, `tooSlow` after the timeout, and the rest is discarded. `gone`: the
 * caller has left. Only what has arrived takes room, not what is announced, and only until the body is complete or given up.
 */
export function readWhole(
  request: IncomingMessage,
  limits: BodyLimits,
): Promise<Buffer | "tooLong" | "tooSlow" | "noRoom" | "gone"> {
  const { received, caller } = limits;
  return new Promise((resolve) => {
    let pieces: Buffer[] = [];
    let bytes = 0;
    let isOver = false;
    const finish = (result: Buffer | "tooLong" | "tooSlow" | "noRoom" | "gone"): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      // safety: body: room is given back
      received.giveBack(caller, bytes);
      pieces = [];
      resolve(result);
    };
    const timer = setTimeout(() => finish("tooSlow"), limits.withinMs);
    request.on("data", (piece: Buffer) => {
      if (isOver) return;
      // safety: body: a counted length over the limit
      if (bytes + piece.length > limits.bytes) return finish("tooLong");
      if (!received.take(caller, piece.length)) return finish("noRoom");
      bytes += piece.length;
      pieces.push(piece);
    });
    request.once("end", () => finish(Buffer.concat(pieces)));
    for (const event of ["close", "error"] as const) request.once(event, () => finish("gone"));
  });
}

/** The same request with a complete body and its length. */
export function withBody(request: IncomingMessage, body: Buffer): IncomingMessage {
  const whole = new IncomingMessage(request.socket);
  const { "transfer-encoding": _coding, ...headers } = request.headers;
  const { method, url, httpVersion, httpVersionMajor, httpVersionMinor, rawHeaders } = request;
  Object.assign(whole, {
    method,
    url,
    httpVersion,
    httpVersionMajor,
    httpVersionMinor,
    rawHeaders,
    headers: { ...headers, "content-length": String(body.length) },
    complete: true,
  });
  whole.push(body);
  whole.push(null);
  return whole;
}

// Bodies are read before anybody else sees them, counted as they come, and handed on only when they are whole and short enough.
import { IncomingMessage } from "node:http";

export interface BodyShares {
  /** Of all callers together. */
  readonly most: number;
  readonly mostOfOne: number;
}

/** The bytes of bodies that have come and whose rest is still on its way: of all callers together, and of each. */
export class ReceivedBytes {
  readonly #shares: BodyShares;
  readonly #ofEach = new Map<string, number>();
  #all = 0;

  constructor(shares: BodyShares) {
    this.#shares = shares;
  }

  /** Whether there is room for them; if so, they are to be given back. */
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
  /** Whose share of `received` it is. */
  readonly caller: string;
}

/**
 * What was read. `tooLong` and `noRoom` as soon as that is known, `tooSlow` when the time is over: the rest is thrown away. `gone` when the
 * caller has left. Room is taken by what has come, not by what is announced, and only until the body is whole or given up.
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

/** The same request as if it had come with this body and its length. */
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

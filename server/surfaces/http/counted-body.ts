// A body that does not say how long it is: counted as it comes, and handed on only when it was short enough.
import { IncomingMessage } from "node:http";

/** What was read; `tooLong` as soon as it is, and the rest is thrown away; `gone` when the caller has left. */
export function readWhole(request: IncomingMessage, limit: number): Promise<Buffer | "tooLong" | "gone"> {
  return new Promise((resolve) => {
    let pieces: Buffer[] = [];
    let bytes = 0;
    request.on("data", (piece: Buffer) => {
      bytes += piece.length;
      if (bytes <= limit) pieces.push(piece);
      else {
        pieces = [];
        resolve("tooLong");
      }
    });
    request.once("end", () => resolve(Buffer.concat(pieces)));
    for (const event of ["close", "error"] as const) request.once(event, () => resolve("gone"));
  });
}

/** The same request as if it had come with this body and its length. */
export function withBody(request: IncomingMessage, body: Buffer): IncomingMessage {
  const whole = new IncomingMessage(request.socket);
  const { "transfer-encoding": _coding, ...headers } = request.headers;
  const { method, url, httpVersion, httpVersionMajor, httpVersionMinor, rawHeaders } = request;
  Object.assign(whole, { method, url, httpVersion, httpVersionMajor, httpVersionMinor, rawHeaders, headers: { ...headers, "content-length": String(body.length) }, complete: true });
  whole.push(body);
  whole.push(null);
  return whole;
}

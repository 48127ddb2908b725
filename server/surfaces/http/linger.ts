// What happens to the rest of a body when its answer is sent before all of it was read, as a refusal is.
import type { IncomingMessage, ServerResponse } from "node:http";

/** Whether a body follows: one of declared length above 0, or of a length that is not declared. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

export interface Linger {
  /** How long the caller may send nothing. */
  readonly idleMs: number;
  readonly totalMs: number;
  readonly bytes: number;
}

/** Enough for a file of twice the largest permitted size. */
export const defaultLinger: Linger = { idleMs: 5_000, totalMs: 30_000, bytes: 128 * 1024 * 1024 };

/**
 * Call it when the head of the answer is written. The rest of the body is read and thrown away for a while after the answer: many callers send all of
 * a body before they read, and the system resets a connection that is closed with bytes unread, so that they would lose the answer.
 */
export function discardRest(request: IncomingMessage, response: ServerResponse, linger: Linger): void {
  const { socket } = request;
  const close = socket.destroySoon;
  // Node calls this after the last answer of a connection.
  // safety: front: a refused caller that is still sending can read the answer
  socket.destroySoon = () => void socket.end();
  // Otherwise Node throws the rest away itself, where nobody sees how much it is and whether more comes.
  request.read(0);
  response.once("finish", () => {
    let left = linger.bytes;
    const cut = (): void => void socket.destroy();
    // What arrived while this process was busy is read before the time counts.
    const idle = setTimeout(() => {
      const before = left;
      setImmediate(() => {
        if (left === before) cut();
      });
    }, linger.idleMs);
    const total = setTimeout(cut, linger.totalMs);
    const finish = (): void => {
      clearTimeout(idle);
      clearTimeout(total);
      socket.off("close", finish);
      socket.destroySoon = close;
      if (socket.writableEnded) socket.destroySoon();
    };
    // Also where a handler has begun to read, and has stopped: then `resume` has no effect.
    const discard = (): void => {
      for (let piece = readPiece(request); piece !== null; piece = readPiece(request)) left -= piece.length;
      idle.refresh();
      // safety: front: the rest of a refused body has an end
      if (left < 0) cut();
    };
    socket.once("close", finish);
    if (request.readableEnded) return finish();
    request.once("end", finish);
    request.on("readable", discard);
  });
}

function readPiece(request: IncomingMessage): Buffer | null {
  const piece: unknown = request.read();
  return Buffer.isBuffer(piece) ? piece : null;
}

// Host changes as they happen, over connections that may break: each connection resumes where the last one stopped.
import { z } from "zod";
import { CommandError } from "@/cli/exit-codes";
import { exitOfStatus, interruptedError } from "@/cli/http";
import type { Ask } from "@/cli/http";
import { pause } from "@/cli/live/pause";
import { EventParser } from "@/cli/live/event-stream";

export type Change =
  | { readonly kind: "hosts"; readonly hostIds: readonly string[] }
  /** Changes may have been missed, or this is the start: look at everything. */
  | { readonly kind: "everything" }
  /** The connection broke and is being retried. */
  | { readonly kind: "lost"; readonly reason: string };

/** The server sends something every 15 s. */
const silenceMs = 45_000;
const firstWaitMs = 1_000;
const longestWaitMs = 10_000;

const changed = z.object({ hostId: z.string() });

/**
 * Runs until it throws: CommandError if the token is no longer accepted or the response is not a stream, and on Ctrl-C. The first connection must
 * succeed; later ones are retried without limit.
 * @param ask without a timeout
 */
export async function* readChanges(ask: Ask, signal: AbortSignal): AsyncGenerator<Change, void> {
  let position: string | null = null;
  let opened = false;
  let waitMs = firstWaitMs;
  for (;;) {
    const silent = new AbortController();
    const timer = setTimeout(() => silent.abort(), silenceMs);
    let reason = "the server ended it";
    try {
      const response = await ask("/api/live", {
        headers: { accept: "text/event-stream", ...(position === null ? {} : { "last-event-id": position }) },
        signal: silent.signal,
      });
      const body = await streamOf(response);
      if (!opened) yield { kind: "everything" };
      opened = true;
      waitMs = firstWaitMs;
      const parser = new EventParser();
      const decoder = new TextDecoder();
      for await (const piece of body) {
        timer.refresh();
        const events = parser.add(decoder.decode(piece, { stream: true }));
        const hostIds = events.flatMap((event) =>
          event.type === "change" ? [changed.parse(JSON.parse(event.data)).hostId] : [],
        );
        if (events.some((event) => event.type === "reset")) yield { kind: "everything" };
        else if (hostIds.length > 0) yield { kind: "hosts", hostIds };
        position = parser.lastId ?? position;
      }
    } catch (error) {
      if (signal.aborted) throw interruptedError();
      // Retrying cannot help if the stream never opened, or if access was revoked.
      if (error instanceof CommandError && (!opened || error.exit !== "unreachable")) throw error;
      if (error instanceof SyntaxError || error instanceof z.ZodError)
        throw new CommandError(
          "unreachable",
          "The live stream sent an unexpected message.",
          "Check that it is a Reclaim server, and that its version matches this command's.",
        );
      reason = silent.signal.aborted
        ? "no more data"
        : error instanceof Error
          ? error.message
          : String(error);
    } finally {
      clearTimeout(timer);
      silent.abort(); // an unread stream would keep the process alive
    }
    if (!signal.aborted) yield { kind: "lost", reason };
    await pause(waitMs, signal);
    if (signal.aborted) throw interruptedError();
    waitMs = Math.min(longestWaitMs, waitMs * 2);
  }
}

async function streamOf(response: Response): Promise<ReadableStream<Uint8Array>> {
  if (
    response.ok &&
    response.body !== null &&
    response.headers.get("content-type")?.startsWith("text/event-stream") === true
  )
    return response.body;
  await response.body?.cancel();
  const exit = response.ok ? "unreachable" : exitOfStatus(response.status);
  throw new CommandError(
    exit,
    exit === "forbidden"
      ? "The server rejected the token for its live stream."
      : `The live stream was answered with status ${response.status}.`,
    exit === "forbidden" ? "It is wrong or has expired: set a new one with `reclaim login`." : null,
  );
}

// Keeps polling while something runs that tells of nothing by itself: an agent that is silent for long is taken for lost.
import { isOver } from "@/agent/protocol/ends";
import type { Server } from "@/agent/protocol/server";
import type { Surroundings } from "@/agent/surroundings";
import type { PollBody } from "@/server/domain/agents/protocol";

/** A step shorter than this costs no extra poll. */
export const listenAfterMs = 1_000;

/** What is heard meanwhile is heard again afterwards. */
export async function heardWhile<Value>(
  { clock, signal }: Pick<Surroundings, "clock" | "signal">,
  server: Pick<Server, "poll">,
  body: PollBody,
  work: () => Promise<Value>,
): Promise<Value> {
  const over = new AbortController();
  const polling = (async () => {
    await clock.sleep(listenAfterMs, over.signal);
    while (!over.signal.aborted && !signal.aborted) {
      await server.poll(body, AbortSignal.any([over.signal, signal]));
      await clock.sleep(listenAfterMs, over.signal);
    }
  })();
  // A session that is over ends the work with its answer, which is refused likewise.
  const watched = polling.catch(() => undefined);
  try {
    return await work();
  } finally {
    over.abort(isOver);
    await watched;
  }
}

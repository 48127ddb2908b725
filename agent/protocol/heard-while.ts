// Keeps polling during work that does not report by itself, because an agent that is silent for long counts as lost.
import { isOver } from "@/agent/protocol/ends";
import type { Server } from "@/agent/protocol/server";
import type { Surroundings } from "@/agent/surroundings";
import type { PollBody } from "@/server/domain/agents/protocol";

/** Work shorter than this costs no extra poll. */
export const listenAfterMs = 1_000;

/** Commands received meanwhile are ignored, because they are received again afterwards. */
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
  // If the session is over, the answer to the work is refused as well, which ends it.
  const watched = polling.catch(() => undefined);
  try {
    return await work();
  } finally {
    over.abort(isOver);
    await watched;
  }
}

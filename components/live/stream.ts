// One event stream per browser: the tab that holds a lock reads `/api/live` and tells the other tabs of the same person.
// A tab that takes over goes on after the last event that it saw, so nothing is missed.

/** What a tab hears. A reset means: something may have been missed, read again. */
export type LiveEvent = { kind: "change"; data: string } | { kind: "reset" };

/** Whether what is on the screen follows the server. */
export type LiveStatus =
  { kind: "connecting" } | { kind: "live" } | { kind: "reconnecting"; sinceMs: number };

interface StreamHandlers {
  onEvent: (event: LiveEvent) => void;
  onStatus: (status: LiveStatus) => void;
}

type Message =
  | { kind: "event"; id: string; event: LiveEvent }
  | { kind: "status"; status: LiveStatus }
  | { kind: "hello" };

const retryMs = 2000;

/**
 * Opens the stream for one person after a position of the feed; returns what closes it.
 * A tab that joins a running stream gets a reset, because changes between its own data and the joining were not for it.
 */
export function openStream(
  personId: string,
  after: string,
  { onEvent, onStatus }: StreamHandlers,
): () => void {
  const closing = new AbortController();
  const name = `reclaim-live-${personId}`;
  const channel = typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel(name);
  let lastId = after;
  let leading = false;
  let joined = false;
  let status: LiveStatus = { kind: "connecting" };

  const setStatus = (next: LiveStatus) => {
    if (next.kind === "reconnecting" && status.kind === "reconnecting") return;
    status = next;
    onStatus(next);
    if (leading) channel?.postMessage({ kind: "status", status: next } satisfies Message);
  };
  const hear = (id: string, event: LiveEvent) => {
    if (id !== "") lastId = id;
    onEvent(event);
  };
  channel?.addEventListener("message", (incoming: MessageEvent<Message>) => {
    const message = incoming.data;
    if (message.kind === "hello") {
      if (leading) channel.postMessage({ kind: "status", status } satisfies Message);
    } else if (leading) return;
    else if (message.kind === "status") {
      setStatus(message.status);
      if (message.status.kind === "live" && !joined) onEvent({ kind: "reset" });
      joined = true;
    } else hear(message.id, message.event);
  });
  channel?.postMessage({ kind: "hello" } satisfies Message);

  const lead = async (signal: AbortSignal) => {
    leading = true;
    while (!signal.aborted) {
      await readUntilBroken(
        `/api/live${lastId === "" ? "" : `?after=${encodeURIComponent(lastId)}`}`,
        signal,
        {
          onOpen: () => setStatus({ kind: "live" }),
          onLost: () => setStatus({ kind: "reconnecting", sinceMs: Date.now() }),
          onEvent: (id, event) => {
            hear(id, event);
            channel?.postMessage({ kind: "event", id, event } satisfies Message);
          },
        },
      );
      await pause(retryMs, signal);
    }
  };
  if ("locks" in navigator && channel !== undefined) {
    navigator.locks
      .request(name, { signal: closing.signal }, () => lead(closing.signal))
      .catch(() => undefined);
  } else {
    void lead(closing.signal);
  }
  return () => {
    closing.abort();
    channel?.close();
  };
}

interface ReadHandlers {
  onOpen: () => void;
  onLost: () => void;
  onEvent: (id: string, event: LiveEvent) => void;
}

/** Reads one connection; the browser reconnects by itself, with the last event's id, until the server refuses for good. */
function readUntilBroken(
  url: string,
  signal: AbortSignal,
  { onOpen, onLost, onEvent }: ReadHandlers,
): Promise<void> {
  return new Promise((resolve) => {
    const source = new EventSource(url);
    const end = () => {
      source.close();
      resolve();
    };
    signal.addEventListener("abort", end, { once: true });
    source.addEventListener("open", onOpen);
    source.addEventListener("change", (event) =>
      onEvent(event.lastEventId, { kind: "change", data: String(event.data) }),
    );
    source.addEventListener("reset", (event) => onEvent(event.lastEventId, { kind: "reset" }));
    source.addEventListener("error", () => {
      onLost();
      if (source.readyState === EventSource.CLOSED) end();
    });
  });
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}

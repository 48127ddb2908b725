// One event stream per browser: the tab that holds a lock reads `/api/live` and passes events to the same user's other tabs.
// A tab that takes over resumes after the last event it saw, so no event is missed.

/** An event for one tab. A reset means that changes may have been missed, so everything must be read again. */
export type LiveEvent = { kind: "change"; data: string } | { kind: "reset" };

/** Whether the screen is up to date with the server. */
export type LiveStatus =
  | { kind: "connecting" }
  | { kind: "live" }
  | { kind: "reconnecting"; sinceMs: number };

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
 * Opens the stream for one user, from a position in the feed; returns a function that closes it.
 * A tab that joins a running stream gets a reset, because it has not seen the changes between loading its own data and joining.
 */
export function openStream(personId: string, after: string, handlers: StreamHandlers): () => void {
  const closing = new AbortController();
  const name = `reclaim-live-${personId}`;
  const channel = typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel(name);
  const tab = new Tab(after, handlers, (message) => channel?.postMessage(message));
  channel?.addEventListener("message", ({ data }: MessageEvent<Message>) => tab.hearTab(data));
  channel?.postMessage({ kind: "hello" } satisfies Message);
  if ("locks" in navigator && channel !== undefined) {
    navigator.locks
      .request(name, { signal: closing.signal }, () => tab.lead(closing.signal))
      .catch(() => undefined);
  } else {
    void tab.lead(closing.signal);
  }
  return () => {
    closing.abort();
    channel?.close();
  };
}

/** One tab's end of the stream: it either leads (reads the stream and passes events on) or listens to the tab that does. */
class Tab {
  readonly #handlers: StreamHandlers;
  readonly #tell: (message: Message) => void;
  #lastId: string;
  #leads = false;
  #joined = false;
  #status: LiveStatus = { kind: "connecting" };

  constructor(after: string, handlers: StreamHandlers, tell: (message: Message) => void) {
    this.#lastId = after;
    this.#handlers = handlers;
    this.#tell = tell;
  }

  /** Reads the stream and reconnects until the signal aborts. */
  async lead(signal: AbortSignal): Promise<void> {
    this.#leads = true;
    while (!signal.aborted) {
      const after = this.#lastId === "" ? "" : `?after=${encodeURIComponent(this.#lastId)}`;
      await readUntilBroken(`/api/live${after}`, signal, {
        onOpen: () => this.#setStatus({ kind: "live" }),
        onLost: () => this.#setStatus({ kind: "reconnecting", sinceMs: Date.now() }),
        onEvent: (id, event) => {
          this.#hear(id, event);
          this.#tell({ kind: "event", id, event });
        },
      });
      await pause(retryMs, signal);
    }
  }

  /** Handles another tab's message. The leading tab answers newcomers and ignores everything else. */
  hearTab(message: Message): void {
    if (message.kind === "hello") {
      if (this.#leads) this.#tell({ kind: "status", status: this.#status });
    } else if (this.#leads) return;
    else if (message.kind === "status") {
      this.#setStatus(message.status);
      if (message.status.kind === "live" && !this.#joined) this.#handlers.onEvent({ kind: "reset" });
      this.#joined = true;
    } else this.#hear(message.id, message.event);
  }

  #hear(id: string, event: LiveEvent): void {
    if (id !== "") this.#lastId = id;
    this.#handlers.onEvent(event);
  }

  #setStatus(next: LiveStatus): void {
    if (next.kind === "reconnecting" && this.#status.kind === "reconnecting") return;
    this.#status = next;
    this.#handlers.onStatus(next);
    if (this.#leads) this.#tell({ kind: "status", status: next });
  }
}

interface ReadHandlers {
  onOpen: () => void;
  onLost: () => void;
  onEvent: (id: string, event: LiveEvent) => void;
}

/** Reads one EventSource. The browser reconnects by itself, with the last event's id, until the server refuses for good. */
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

// Whether the server can be reached. A browser that has no network may be on the machine that the server runs on, so its word is checked.

/** How often a server is asked that could not be reached without a network. */
const againMs = 5_000;

/**
 * Listens to the browser, as TanStack Query's `onlineManager` does by itself, and asks the server where the browser has no network. Returns a function that
 * ends it.
 */
export function watchServer(tell: (canReach: boolean) => void): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  let again: ReturnType<typeof setTimeout> | undefined;
  const ask = async () => {
    const answered = await fetch("/livez", { cache: "no-store", signal }).then(
      () => true,
      () => false,
    );
    if (signal.aborted || navigator.onLine) return;
    tell(answered);
    again = setTimeout(() => void ask(), againMs);
  };
  const onOffline = () => {
    clearTimeout(again);
    // Until the server has answered, nothing may be sent that the browser would hold back.
    tell(false);
    void ask();
  };
  const onOnline = () => {
    clearTimeout(again);
    tell(true);
  };
  addEventListener("offline", onOffline, { signal });
  addEventListener("online", onOnline, { signal });
  // It may begin while there is no network: then no event comes.
  if (!navigator.onLine) onOffline();
  return () => {
    clearTimeout(again);
    listening.abort();
  };
}

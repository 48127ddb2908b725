"use client";
// Changes that are not saved: who leaves the page by a link, a key, the palette or the browser's buttons is asked first.
import { useRouter } from "next/navigation";
import { createContext, useCallback, useContext, useEffect, useMemo, useRef, useState } from "react";
import type { ReactNode } from "react";
import { ConfirmDialog } from "@/components/ui/dialogs/confirm-dialog";

interface Unsaved {
  /** What leaving would lose; undefined: nothing. */
  readonly keep: (words: string | undefined, discard?: () => void) => void;
  /** Goes, or asks first. */
  readonly leave: (go: () => void) => void;
}

const UnsavedContext = createContext<Unsaved | undefined>(undefined);

export function UnsavedProvider({ children }: { children: ReactNode }) {
  const [words, setWords] = useState<string>();
  const [asked, setAsked] = useState<{ readonly go: () => void }>();
  const newest = useRef(words);
  const discard = useRef<() => void>(undefined);
  const keep = useCallback((next: string | undefined, onDiscard?: () => void) => {
    newest.current = next;
    discard.current = onDiscard;
    setWords(next);
  }, []);
  const leave = useCallback((go: () => void) => {
    if (newest.current === undefined) go();
    else setAsked({ go });
  }, []);
  useExits(words !== undefined, leave);
  const unsaved = useMemo(() => ({ keep, leave }), [keep, leave]);
  return (
    <UnsavedContext value={unsaved}>
      {children}
      {asked === undefined || words === undefined ? null : (
        <ConfirmDialog
          open
          onClose={() => setAsked(undefined)}
          title="Leave without saving?"
          consequence={<p>{words}</p>}
          confirmWords="Discard changes"
          cancelWords="Stay on this page"
          busy={false}
          onConfirm={() => {
            discard.current?.();
            keep(undefined);
            setAsked(undefined);
            asked.go();
          }}
        />
      )}
    </UnsavedContext>
  );
}

/** Listens for what leads away by itself while there is something to lose. */
function useExits(guarded: boolean, leave: Unsaved["leave"]): void {
  const router = useRouter();
  useEffect(() => {
    if (!guarded) return;
    const listening = new AbortController();
    const listen = { capture: true, signal: listening.signal };
    document.addEventListener(
      "click",
      (event) => {
        const link = followedLink(event);
        if (link === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        leave(() => router.push(`${link.pathname}${link.search}${link.hash}`));
      },
      listen,
    );
    // The browser's buttons. `popstate` comes too late: Next hears it first, and the page is gone. A browser without this interface leaves.
    const traversals = "navigation" in globalThis ? navigation : undefined;
    traversals?.addEventListener(
      "navigate",
      (event) => {
        if (event.navigationType !== "traverse" || !event.cancelable) return;
        event.preventDefault();
        const { key } = event.destination;
        leave(() => void traversals.traverseTo(key));
      },
      listen,
    );
    addEventListener("beforeunload", (event) => event.preventDefault(), listen);
    return () => listening.abort();
  }, [guarded, leave, router]);
}

/** The link that a click follows to another page of the console in this tab. Other addresses unload the page, for which the browser asks. */
function followedLink(event: MouseEvent): HTMLAnchorElement | undefined {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (link === null || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return undefined;
  const stays = link.target === "_blank" || link.hasAttribute("download") || link.origin !== location.origin;
  const samePage = link.pathname === location.pathname && link.search === location.search;
  return stays || samePage ? undefined : link;
}

function useUnsavedContext(): Unsaved {
  const unsaved = useContext(UnsavedContext);
  if (unsaved === undefined) throw new Error("no UnsavedProvider above this component");
  return unsaved;
}

/** While `words` says what leaving would lose, leaving asks first. @param discard what else is thrown away when the person says so, such as a draft */
export function useUnsaved(words: string | undefined, discard?: () => void): void {
  const { keep } = useUnsavedContext();
  const newest = useRef(discard);
  useEffect(() => {
    newest.current = discard;
  });
  useEffect(() => {
    keep(words, () => newest.current?.());
    return () => keep(undefined);
  }, [keep, words]);
}

/** Goes to a page of the console, and asks first where that would lose something. */
export function useGo(): (href: string) => void {
  const router = useRouter();
  const { leave } = useUnsavedContext();
  return useCallback((href) => leave(() => router.push(href)), [leave, router]);
}

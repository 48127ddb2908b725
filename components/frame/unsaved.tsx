"use client";
// Leaving a page: asks where that would lose changes, and stays where there is no network to load another page.
import { useRouter } from "next/navigation";
import { createContext, useCallback, useContext, useEffect, useMemo, useRef, useState } from "react";
import type { ReactNode } from "react";
import { isOffline } from "@/components/trpc/refuse-offline";
import { ConfirmDialog } from "@/components/ui/dialogs/confirm-dialog";
import { useSay } from "@/components/ui/toast";

const noNetwork =
  "You are offline, so no other page can be opened. This one stays; try again when the connection is back.";

interface Unsaved {
  /** `words`: what leaving would lose; undefined if nothing. */
  readonly keep: (words: string | undefined, discard?: () => void) => void;
  /** Leaves, after asking if there is something to lose. */
  readonly leave: (go: () => void) => void;
  /** Whether leaving would lose something. */
  readonly isKept: () => boolean;
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
  const say = useSay();
  const leave = useCallback(
    (go: () => void) => {
      if (isOffline()) say(noNetwork, "attention");
      else if (newest.current === undefined) go();
      else setAsked({ go });
    },
    [say],
  );
  const isKept = useCallback(() => newest.current !== undefined, []);
  useExits(words !== undefined, leave);
  useLinksOffline(leave);
  const unsaved = useMemo(() => ({ keep, leave, isKept }), [keep, leave, isKept]);
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

/** While there is something to lose, intercepts navigation that does not go through `leave`. */
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
    // The browser's back and forward buttons. `popstate` is too late: Next handles it first and the page is gone. Browsers without the Navigation API leave
    // without asking.
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

/** Without a network a followed link would replace the console by the browser's own error page. */
function useLinksOffline(leave: Unsaved["leave"]): void {
  const router = useRouter();
  useEffect(() => {
    const listening = new AbortController();
    document.addEventListener(
      "click",
      (event) => {
        const link = isOffline() ? followedLink(event) : undefined;
        if (link === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        leave(() => router.push(`${link.pathname}${link.search}${link.hash}`));
      },
      { capture: true, signal: listening.signal },
    );
    return () => listening.abort();
  }, [leave, router]);
}

/** The link that a click follows to another console page in this tab. Other links unload the page, and the browser asks by itself. */
function followedLink(event: MouseEvent): HTMLAnchorElement | undefined {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (link === null || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return undefined;
  const stays = link.target === "_blank" || link.hasAttribute("download") || link.origin !== location.origin;
  const samePage = link.pathname === location.pathname && link.search === location.search;
  return stays || samePage ? undefined : link;
}

export function useUnsavedContext(): Unsaved {
  const unsaved = useContext(UnsavedContext);
  if (unsaved === undefined) throw new Error("no UnsavedProvider above this component");
  return unsaved;
}

/** While `words` says what would be lost, leaving asks first. @param discard what else to throw away when the user agrees, such as a draft */
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

/** Navigates to a console page, after asking if that would lose something. */
export function useGo(): (href: string) => void {
  const router = useRouter();
  const { leave } = useUnsavedContext();
  return useCallback((href) => leave(() => router.push(href)), [leave, router]);
}

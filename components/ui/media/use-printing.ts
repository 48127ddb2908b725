"use client";
// Whether the page is being printed, which expands everything that is collapsed.
import { useSyncExternalStore } from "react";
import { flushSync } from "react-dom";

/** Module state, so that a component first rendered for print knows it from its first render. */
let printing = false;

function follow(changed: () => void): () => void {
  // Must render synchronously: the browser lays out the page as soon as its listeners have returned.
  const begin = () => {
    printing = true;
    flushSync(changed);
  };
  const end = () => {
    printing = false;
    changed();
  };
  addEventListener("beforeprint", begin);
  addEventListener("afterprint", end);
  return () => {
    removeEventListener("beforeprint", begin);
    removeEventListener("afterprint", end);
  };
}

/** True from before the print layout until printing is over. */
export const usePrinting = (): boolean =>
  useSyncExternalStore(
    follow,
    () => printing,
    () => false,
  );

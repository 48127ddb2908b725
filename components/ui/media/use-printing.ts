"use client";
// Whether the page is being printed: then what is folded is shown.
import { useSyncExternalStore } from "react";
import { flushSync } from "react-dom";

/** Of the whole page, so that what appears only on paper knows it from the beginning. */
let printing = false;

function follow(changed: () => void): () => void {
  // The browser lays the page out as soon as its listeners have returned.
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

/** True from before the page is laid out for paper until that is over. */
export const usePrinting = (): boolean =>
  useSyncExternalStore(
    follow,
    () => printing,
    () => false,
  );

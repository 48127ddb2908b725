"use client";
// Radix inserts a style element while a dialog is open, to keep the page from scrolling. The content security policy requires the page's nonce
// on it; the library that inserts it reads the nonce from this global.
import { useEffect } from "react";

/** Passes on the nonce of the page's own scripts. */
export function StyleNonce() {
  useEffect(() => {
    const nonce = document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce;
    if (nonce !== undefined && nonce !== "") Reflect.set(globalThis, "__webpack_nonce__", nonce);
  }, []);
  return null;
}

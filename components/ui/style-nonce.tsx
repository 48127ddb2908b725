"use client";
// Radix writes a style element while a dialog is open (it holds the page still). The content security policy wants the
// page's nonce on it; the library that writes it takes the nonce from this global.
import { useEffect } from "react";

/** Hands the nonce of the page's own scripts on. */
export function StyleNonce() {
  useEffect(() => {
    const nonce = document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce;
    if (nonce !== undefined && nonce !== "") Reflect.set(globalThis, "__webpack_nonce__", nonce);
  }, []);
  return null;
}

"use client";
// An act that the address names, as a link of the palette does: its dialog opens when the page does.
import { useEffect, useRef } from "react";
import { useSearchParams } from "next/navigation";

/**
 * Calls the newest `begin` once with the value of a parameter of the address and takes it out of the address, so that a reload asks nothing again. A link
 * must not act, so `begin` may only open a dialog.
 */
export function useAskedAct(parameter: string, begin: (value: string) => void): void {
  const search = useSearchParams();
  const newest = useRef(begin);
  useEffect(() => {
    newest.current = begin;
  });
  useEffect(() => {
    const value = search.get(parameter);
    if (value === null) return;
    const rest = new URLSearchParams(search);
    rest.delete(parameter);
    history.replaceState(null, "", rest.size === 0 ? location.pathname : `?${rest.toString()}`);
    newest.current(value);
  }, [search, parameter]);
}

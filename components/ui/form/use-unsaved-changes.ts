"use client";
// Asks before a page with unsaved changes is left.
import { useEffect } from "react";

/** The browser asks, in its own words, when the tab is closed, reloaded or sent elsewhere. */
export function useUnsavedChanges(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [isDirty]);
}

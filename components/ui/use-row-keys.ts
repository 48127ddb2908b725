"use client";
// j and k move, x selects, enter opens.
import { useEffect, useRef } from "react";

interface RowKeys {
  ids: readonly string[];
  at: string | null;
  onAt: (id: string) => void;
  onToggle: ((id: string) => void) | undefined;
  onOpen: (id: string) => void;
}

/** Whether the keys belong to something else now. */
function isTaken(event: KeyboardEvent): boolean {
  if (event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented) return true;
  const target = event.target;
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest("input:not([type=checkbox]), textarea, select, [role=dialog], [role=menu]") !== null)
    return true;
  return event.key === "Enter" && target.closest("a, button") !== null;
}

/** Listens as long as the table is there. */
export function useRowKeys(keys: RowKeys): void {
  const newest = useRef(keys);
  useEffect(() => {
    newest.current = keys;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (isTaken(event)) return;
      const { ids, at, onAt, onToggle, onOpen } = newest.current;
      const index = at === null ? -1 : ids.indexOf(at);
      const move = event.key === "j" ? 1 : event.key === "k" ? -1 : 0;
      if (move !== 0) {
        const next = ids[Math.min(ids.length - 1, Math.max(0, index + move))];
        if (next !== undefined) onAt(next);
      } else if (at !== null && event.key === "x") onToggle?.(at);
      else if (at !== null && event.key === "Enter") onOpen(at);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}

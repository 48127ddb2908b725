"use client";
// Keyboard navigation of rows: j and k move, x selects, Enter opens.
import { useEffect, useRef } from "react";
import { rowKeyAction } from "@/components/ui/table/row-keys";

interface RowKeys {
  /** In table order. */
  ids: readonly string[];
  cursor: string | null;
  onCursor: (id: string) => void;
  onToggle: ((id: string) => void) | undefined;
  onOpen: ((id: string) => void) | undefined;
}

/** Whether the key belongs to something else: a text field, a dialog, a menu, a link. */
function isTaken(event: KeyboardEvent): boolean {
  if (event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented || event.isComposing)
    return true;
  if (document.querySelector("[role=dialog][data-state=open]") !== null) return true;
  const target = event.target;
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest("input:not([type=checkbox]), textarea, select, [role=dialog], [role=menu]") !== null)
    return true;
  return event.key === "Enter" && target.closest("a, button") !== null;
}

/** Listens while the table is mounted; undefined: the table has no cursor. */
export function useRowKeys(keys: RowKeys | undefined): void {
  const newest = useRef(keys);
  useEffect(() => {
    newest.current = keys;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (newest.current === undefined || isTaken(event)) return;
      const { ids, cursor, onCursor, onToggle, onOpen } = newest.current;
      const action = rowKeyAction(event.key, ids, cursor);
      if (action.kind === "move") onCursor(action.id);
      else if (action.kind === "toggle") onToggle?.(action.id);
      else if (action.kind === "open") onOpen?.(action.id);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}

"use client";
// Keyboard navigation of rows: j and k move, x selects, Enter opens.
import { useEffect, useRef, type RefObject } from "react";

type RowKeyAction =
  | { readonly kind: "move" | "toggle" | "open"; readonly id: string }
  | { readonly kind: "none" };

const none: RowKeyAction = { kind: "none" };

/** `j` and `k` move the cursor and stop at the ends, `x` selects, Enter opens. */
export function rowKeyAction(key: string, ids: readonly string[], cursor: string | null): RowKeyAction {
  if (key === "j" || key === "k") {
    const index = cursor === null ? -1 : ids.indexOf(cursor);
    const id = ids[Math.min(ids.length - 1, Math.max(0, index + (key === "j" ? 1 : -1)))];
    return id === undefined ? none : { kind: "move", id };
  }
  if (cursor === null) return none;
  if (key === "x") return { kind: "toggle", id: cursor };
  return key === "Enter" ? { kind: "open", id: cursor } : none;
}

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

/** Of several tables on a page, the keys belong to the one with the focus, then to the one under the pointer, then to the first. */
function hasKeys(table: HTMLTableElement | null): boolean {
  const tables = [...document.querySelectorAll("table[data-row-keys]")];
  const one =
    tables.find((candidate) => candidate.contains(document.activeElement)) ??
    tables.find((candidate) => candidate.matches(":hover")) ??
    tables[0];
  return one === table;
}

/** Listens while the table is mounted; undefined: the table has no cursor. */
export function useRowKeys(table: RefObject<HTMLTableElement | null>, keys: RowKeys | undefined): void {
  const newest = useRef(keys);
  useEffect(() => {
    newest.current = keys;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (newest.current === undefined || isTaken(event) || !hasKeys(table.current)) return;
      const { ids, cursor, onCursor, onToggle, onOpen } = newest.current;
      const action = rowKeyAction(event.key, ids, cursor);
      if (action.kind === "move") onCursor(action.id);
      else if (action.kind === "toggle") onToggle?.(action.id);
      else if (action.kind === "open") onOpen?.(action.id);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [table]);
}

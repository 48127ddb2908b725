// Maps keys to table actions. Pure; use-row-keys.ts listens.

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

"use client";
// The button in a row that opens its details, and which row of the table is open.
import { createContext, use } from "react";

interface OpenRow {
  readonly id: string | null;
  readonly onToggle: (id: string) => void;
}

const Context = createContext<OpenRow>({ id: null, onToggle: () => undefined });

/** Provided by the list around its table. */
export const OpenRowProvider = Context;

interface RowOpenerProps {
  readonly id: string;
  readonly words: string;
  readonly className?: string | undefined;
}

export function RowOpener({ id, words, className = "text-medium" }: RowOpenerProps) {
  const open = use(Context);
  return (
    <button
      type="button"
      className={`opener ${className}`}
      aria-expanded={id === open.id}
      onClick={() => open.onToggle(id)}
    >
      {words}
    </button>
  );
}

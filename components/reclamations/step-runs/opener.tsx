// The words of a row that opens: a button where there is something to show.
import type { ReactNode } from "react";

/** A button where there is something to open; else only the words. */
export function Opener({
  isOpen,
  onToggle,
  what,
  title,
  className = "",
  children,
}: {
  isOpen: boolean;
  onToggle: (() => void) | undefined;
  /** What it opens, for its title. */
  what: string;
  title?: string;
  className?: string;
  children: ReactNode;
}) {
  if (onToggle === undefined)
    return (
      <span className={`cut ${className}`} title={title}>
        {children}
      </span>
    );
  return (
    <button
      type="button"
      className={`opener cut ${className}`}
      aria-expanded={isOpen}
      onClick={onToggle}
      title={`${title === undefined ? "" : `${title}; `}${isOpen ? "hide" : "show"} ${what}`}
    >
      {children}
    </button>
  );
}

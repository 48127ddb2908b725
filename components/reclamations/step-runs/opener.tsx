// The label of an expandable row.
import type { ReactNode } from "react";

/** A button if there is something to expand; otherwise plain text. */
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
  /** What it expands to, for the tooltip. */
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

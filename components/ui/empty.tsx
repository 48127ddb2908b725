// An empty place: what would be here, and how to get it there.
import type { ReactNode } from "react";

/** Words for a list without entries. */
export function Empty({ title, children, act }: { title: string; children: ReactNode; act?: ReactNode }) {
  return (
    <div className="empty">
      <b>{title}</b>
      <p>{children}</p>
      {act}
    </div>
  );
}

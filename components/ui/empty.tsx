// An empty state: what will appear here, and what makes it appear.
import type { ReactNode } from "react";

export function Empty({ title, children, act }: { title: string; children: ReactNode; act?: ReactNode }) {
  return (
    <div className="empty">
      <b>{title}</b>
      <p>{children}</p>
      {act}
    </div>
  );
}

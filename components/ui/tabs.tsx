"use client";
// Tabs as links: the URL says which one is open.
import Link from "next/link";
import { useEffect, useRef } from "react";

export interface Tab {
  href: string;
  words: string;
  /** A count, or "7/14"; undefined if there is nothing to count. */
  count?: string | undefined;
  current: boolean;
}

/** If the row is wider than the window, the open tab is scrolled into view. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const row = useRef<HTMLElement>(null);
  const open = tabs.find(({ current }) => current)?.href;
  useEffect(() => {
    const tab = row.current?.querySelector("[aria-current]");
    if (!row.current || !tab) return;
    const [seen, wanted] = [row.current.getBoundingClientRect(), tab.getBoundingClientRect()];
    if (wanted.right > seen.right) row.current.scrollLeft += wanted.right - seen.right;
    if (wanted.left < seen.left) row.current.scrollLeft -= seen.left - wanted.left;
  }, [open]);
  return (
    <nav className="tabs" aria-label={label} ref={row}>
      {tabs.map((tab) => (
        <Link
          key={tab.href}
          href={tab.href}
          scroll={false}
          {...(tab.current ? { "aria-current": "page" as const } : {})}
        >
          {tab.words}
          {tab.count === undefined ? null : <span className="count"> {tab.count}</span>}
        </Link>
      ))}
    </nav>
  );
}

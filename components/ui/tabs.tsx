// Tabs, which are links: the URL holds which one is open.
import Link from "next/link";

export interface Tab {
  href: string;
  words: string;
  /** A count, or "7/14"; nothing where there is nothing to count. */
  count?: string | undefined;
  current: boolean;
}

/** A row of links. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  return (
    <nav className="tabs" aria-label={label}>
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

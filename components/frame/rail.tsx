"use client";
// The rail: the pages this user may see, with a count only where something needs attention.
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { useDemoMenu } from "@/components/demo/demo-menu";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { useTRPC } from "@/components/trpc/trpc";
import { Brand } from "@/components/frame/brand";
import { useMe } from "@/components/frame/me";
import { isBelow, pages } from "@/server/domain/console/routes";
import { formatCount } from "@/components/ui/format/numbers";

const countsMs = 5000;

/** Hosts that need attention; undefined while loading, or if this user may not know. */
function useNeedPerson(asked: boolean): number | undefined {
  const trpc = useTRPC();
  const views = useQuery({ ...trpc.hosts.views.queryOptions(), enabled: asked });
  useLiveRefresh(() => views.refetch(), { everyMs: countsMs, enabled: asked });
  return views.data?.find((view) => view.name === "needPerson")?.count;
}

/** Security events that nobody has acknowledged; undefined while loading, or if this user may not know. */
function useOpenSecurityEvents(asked: boolean): number | undefined {
  const trpc = useTRPC();
  const { data, refetch } = useQuery({ ...trpc.security.open.queryOptions(), enabled: asked });
  useLiveRefresh(() => refetch(), { everyMs: countsMs, enabled: asked });
  return data?.open;
}

interface CountProps {
  readonly count: number | undefined;
  readonly title: string;
}

const Count = ({ count, title }: CountProps) =>
  count === undefined || count === 0 ? null : (
    <span className="count" title={`${count} ${title}`}>
      {formatCount(count)}
    </span>
  );

/** On the left from 900 px, a bar at the top below that. */
export function Rail({ onHide }: { onHide: () => void }) {
  const me = useMe();
  const path = usePathname();
  const openDemo = useDemoMenu();
  const needPerson = useNeedPerson(me.pages.includes("hosts"));
  const openEvents = useOpenSecurityEvents(me.pages.includes("security"));
  return (
    <nav className="rail" aria-label="Pages">
      <Link className="brand" href={pages[me.pages[0] ?? "instances"].href} aria-label="Reclaim, home page">
        <Brand />
      </Link>
      <ul>
        {me.pages.map((name) => (
          <li key={name}>
            <Link
              href={pages[name].href}
              {...(isBelow(pages[name].href, path) ? { "aria-current": "page" as const } : {})}
            >
              {pages[name].words}
              {name === "hosts" ? <Count count={needPerson} title="need attention" /> : null}
              {name === "security" ? <Count count={openEvents} title="not acknowledged" /> : null}
            </Link>
          </li>
        ))}
      </ul>
      <footer>
        {me.siteLabel === null ? null : (
          <>
            {me.siteLabel}
            <br />
          </>
        )}
        Reclaim {me.version}
        <br />
        {openDemo === undefined ? null : (
          <>
            <button type="button" onClick={openDemo}>
              Demo menu
            </button>
            <br />
          </>
        )}
        <button type="button" onClick={onHide}>
          Hide pages
        </button>
      </footer>
    </nav>
  );
}

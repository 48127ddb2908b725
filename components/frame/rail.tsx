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

/** On the left from 900 px, a bar at the top below that. */
export function Rail({ onHide }: { onHide: () => void }) {
  const me = useMe();
  const path = usePathname();
  const openDemo = useDemoMenu();
  const needPerson = useNeedPerson(me.pages.includes("hosts"));
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
              {name === "hosts" && needPerson !== undefined && needPerson > 0 ? (
                <span className="count" title={`${needPerson} need attention`}>
                  {formatCount(needPerson)}
                </span>
              ) : null}
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

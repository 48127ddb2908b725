"use client";
// The frame around every page: rail, top bar, live stream, keyboard shortcuts, toasts.
import { type DehydratedState, HydrationBoundary, useQuery } from "@tanstack/react-query";
import { type ReactNode, useRef, useState } from "react";
import { DemoProvider, useDemoMenu } from "@/components/demo/demo-menu";
import { LiveProvider, useLiveStatus } from "@/components/live/live-provider";
import { ServerProvider } from "@/components/trpc/provider";
import { ToastProvider } from "@/components/ui/toast";
import type { Me } from "@/server/surfaces/trpc/types";
import { Keyboard, useKey } from "@/components/frame/keyboard";
import { LeftOutBanner } from "@/components/frame/left-out-banner";
import { MeProvider, useMe } from "@/components/frame/me";
import { leave } from "@/components/frame/sign-out";
import { PageActsProvider } from "@/components/frame/page-acts";
import { StopBanner } from "@/components/frame/stop-banner";
import type { Theme } from "@/components/frame/theme";
import { ThemeChoice, ThemeMenu, ThemeProvider } from "@/components/frame/theme-menu";
import { SessionEnded } from "@/components/frame/session-ended";
import { UnsavedProvider, useGo } from "@/components/frame/unsaved";
import { Palette } from "@/components/frame/palette/palette";
import { formatClockSeconds } from "@/components/ui/format/times";
import { useNow, useTimeZone } from "@/components/ui/time/clock";
import { Mark } from "@/components/ui/mark";
import { Menu, MenuAct, MenuLabel, MenuRule } from "@/components/ui/menu";
import { reachOf } from "@/server/domain/access/access";
import { isBelow, pages, routes } from "@/server/domain/console/routes";
import { helpOfPage } from "@/server/domain/help/help-of-page";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { useTRPC } from "@/components/trpc/trpc";
import { Brand } from "@/components/frame/brand";
import { formatCount } from "@/server/domain/numbers";
import { initials } from "@/components/ui/format/initials";

const countsMs = 5000;

/** Hosts that need attention; undefined while loading, or if this user may not know. */
function useNeedPerson(asked: boolean): number | undefined {
  const trpc = useTRPC();
  const views = useQuery({ ...trpc.hosts.views.queryOptions(), enabled: asked });
  useLiveRefresh(() => views.refetch(), { everyMs: countsMs, enabled: asked });
  return views.data?.find((view) => view.name === "needPerson")?.count;
}

/** Groups that need this person; undefined while loading. */
function useNext(): number | undefined {
  const trpc = useTRPC();
  const { data, refetch } = useQuery(trpc.next.count.queryOptions());
  useLiveRefresh(() => refetch(), { everyMs: countsMs });
  return data?.groups;
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
function Rail({ onHide }: { onHide: () => void }) {
  const me = useMe();
  const path = usePathname();
  const openDemo = useDemoMenu();
  const needPerson = useNeedPerson(me.pages.includes("hosts"));
  const next = useNext();
  const openEvents = useOpenSecurityEvents(me.pages.includes("security"));
  return (
    <nav className="rail" aria-label="Pages">
      <Link className="brand" href={pages[me.pages[0] ?? "next"].href} aria-label="Reclaim, home page">
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
              {name === "next" ? <Count count={next} title="to do" /> : null}
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
        <Link href={helpOfPage(path)}>Help</Link>
        <br />
        <button type="button" onClick={onHide}>
          Hide pages
        </button>
      </footer>
    </nav>
  );
}

interface PersonMenuProps {
  name: string;
  email: string;
  /** "operator", "tenant admin of Acme". */
  roleWords: string;
}

/** Signing out ends the session here and opens the sign-in page. */
function PersonMenu({ name, email, roleWords }: PersonMenuProps) {
  const openDemo = useDemoMenu();
  const go = useGo();
  const path = usePathname();
  const { role } = useMe();
  return (
    <Menu
      trigger={
        <button type="button" className="menu who">
          <span className="full cut" aria-hidden="true">
            {name}, {roleWords}
          </span>
          <span className="short" aria-hidden="true">
            {initials(name)}
          </span>
          <span className="visually-hidden">
            {name}, {roleWords}, menu
          </span>
        </button>
      }
    >
      <MenuLabel>
        {name}, {roleWords}
        <br />
        {email}
      </MenuLabel>
      <div className="narrow-only">
        <MenuRule />
        <ThemeChoice />
      </div>
      <MenuRule />
      {openDemo === undefined ? null : <MenuAct onSelect={openDemo}>Demo menu</MenuAct>}
      <MenuAct onSelect={() => go(routes.account())}>Account</MenuAct>
      <MenuAct onSelect={() => go(helpOfPage(path))}>Help</MenuAct>
      {/* Users who may read everybody's find them in the settings. */}
      {reachOf(role, "webhook.read") === "own" ? (
        <MenuAct onSelect={() => go(routes.settings.webhooks())}>Webhooks</MenuAct>
      ) : null}
      <MenuAct onSelect={() => void leave()}>Sign out</MenuAct>
    </Menu>
  );
}

/** "Live, 14:40:07" or "Reconnecting since 14:38:51; values are 76 s old". */
function LiveStatusLine() {
  const status = useLiveStatus();
  const now = useNow();
  const zone = useTimeZone();
  const clock = (ms: number) => formatClockSeconds(ms, zone);
  if (status.kind === "reconnecting") {
    return (
      <span className="marked-text" data-tone="attention" role="status">
        <Mark tone="attention" label="" />
        <span className="tone">
          Reconnecting
          <span className="seq">
            {" "}
            since {clock(status.sinceMs)}; values are {Math.max(0, Math.round((now - status.sinceMs) / 1000))}{" "}
            s old
          </span>
        </span>
      </span>
    );
  }
  return (
    <span className="marked-text" data-tone="neutral">
      <Mark tone={status.kind === "live" ? "neutral" : "waiting"} label="" />
      <span>
        {status.kind === "live" ? "Live" : "Connecting"}
        <span className="seq">, {clock(now)}</span>
      </span>
    </span>
  );
}

/** Sticks to the top; has a button for the rail while that is hidden. */
function TopBar({ onShowRail }: { onShowRail: (() => void) | undefined }) {
  const me = useMe();
  return (
    <header className="top">
      {onShowRail === undefined ? null : (
        <button type="button" className="btn plain pages" onClick={onShowRail}>
          Pages
        </button>
      )}
      <Palette shown={me.pages} />
      <div className="end">
        <LiveStatusLine />
        <ThemeMenu />
        <PersonMenu name={me.name} email={me.email} roleWords={me.roleWords} />
      </div>
    </header>
  );
}

interface FrameProps {
  me: Me;
  theme: Theme;
  /** Whether the user has hidden the rail. */
  railClosed: boolean;
  /** The frame's prefetched queries. They must be hydrated before the frame's own queries run, or those would wait forever. */
  read: DehydratedState;
  children: ReactNode;
}

/** Wraps everything that a signed-in user sees. */
export function Frame({ me, theme, railClosed, read, children }: FrameProps) {
  const main = useRef<HTMLElement>(null);
  const [closed, setClosed] = useState(railClosed);
  const toggleRail = () => {
    document.cookie = `rail=${closed ? "open" : "closed"}; path=/; max-age=31536000; samesite=lax`;
    setClosed(!closed);
  };
  useKey("[", toggleRail);
  return (
    <ServerProvider>
      <HydrationBoundary state={read}>
        <MeProvider me={me}>
          <LiveProvider personId={me.personId} after={me.feedPosition}>
            <ThemeProvider initial={theme}>
              <ToastProvider>
                <PageActsProvider>
                  <UnsavedProvider>
                    <SessionEnded />
                    <DemoProvider>
                      <div className="app" data-rail={closed ? "closed" : "open"}>
                        <button type="button" className="btn main skip" onClick={() => main.current?.focus()}>
                          Skip to content
                        </button>
                        <Rail onHide={toggleRail} />
                        <TopBar onShowRail={closed ? toggleRail : undefined} />
                        <main className="page" ref={main} tabIndex={-1}>
                          {me.demo ? (
                            <p className="print-only">
                              Printed from a demo: its machines are simulated, and this proves nothing about
                              real hardware.
                            </p>
                          ) : null}
                          <StopBanner />
                          <LeftOutBanner />
                          {children}
                        </main>
                        <Keyboard shown={me.pages} />
                      </div>
                    </DemoProvider>
                  </UnsavedProvider>
                </PageActsProvider>
              </ToastProvider>
            </ThemeProvider>
          </LiveProvider>
        </MeProvider>
      </HydrationBoundary>
    </ServerProvider>
  );
}

"use client";
// The frame around every page: rail, top bar, live stream, keyboard shortcuts, toasts.
import { HydrationBoundary, type DehydratedState } from "@tanstack/react-query";
import { useRef, useState, type ReactNode } from "react";
import { DemoProvider } from "@/components/demo/demo-menu";
import { LiveProvider } from "@/components/live/live-provider";
import { ServerProvider } from "@/components/trpc/provider";
import { ToastProvider } from "@/components/ui/toast";
import type { Me } from "@/server/surfaces/trpc/types";
import { Keyboard, useKey } from "@/components/frame/keyboard";
import { LeftOutBanner } from "@/components/frame/left-out-banner";
import { MeProvider } from "@/components/frame/me";
import { PageActsProvider } from "@/components/frame/page-acts";
import { Rail } from "@/components/frame/rail";
import { StopBanner } from "@/components/frame/stop-banner";
import type { Theme } from "@/components/frame/theme";
import { ThemeProvider } from "@/components/frame/theme-menu";
import { TopBar } from "@/components/frame/top-bar";
import { UnsavedProvider } from "@/components/frame/unsaved";

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

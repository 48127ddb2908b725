"use client";
// The page's single clock: it ticks once a second for every age shown, and starts at the server's time, so that
// the first render in the browser matches the server's.
import {
  createContext,
  useContext,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from "react";

interface Clock {
  subscribe: (listener: () => void) => () => void;
  now: () => number;
  serverNow: () => number;
  timeZone: string;
}

const ClockContext = createContext<Clock | undefined>(undefined);

/** A clock in whole seconds that follows the server's, by the offset measured when the page loaded. */
function makeTicker(serverNowMs: number) {
  const listeners = new Set<() => void>();
  let current = serverNowMs;
  let offsetMs: number | undefined;
  let timer: ReturnType<typeof setInterval> | undefined;
  const tick = () => {
    offsetMs ??= serverNowMs - Date.now();
    const next = Date.now() + offsetMs;
    if (Math.floor(next / 1000) === Math.floor(current / 1000)) return;
    current = next;
    for (const listener of listeners) listener();
  };
  return {
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      timer ??= setInterval(tick, 1000);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
    now: () => current,
    serverNow: () => serverNowMs,
  };
}

const neverChanges = () => () => undefined;
const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Provides the clock and the viewer's time zone, which a cookie tells the server from the second visit on. */
export function ClockProvider({
  serverNowMs,
  timeZone,
  children,
}: {
  serverNowMs: number;
  timeZone: string;
  children: ReactNode;
}) {
  const [ticker] = useState(() => makeTicker(serverNowMs));
  const zone = useSyncExternalStore(neverChanges, ownZone, () => timeZone);
  useEffect(() => {
    if (zone !== timeZone)
      document.cookie = `zone=${encodeURIComponent(zone)}; path=/; max-age=31536000; samesite=lax`;
  }, [zone, timeZone]);
  const clock = useMemo(() => ({ ...ticker, timeZone: zone }), [ticker, zone]);
  return <ClockContext value={clock}>{children}</ClockContext>;
}

function useClock(): Clock {
  const clock = useContext(ClockContext);
  if (clock === undefined) throw new Error("no ClockProvider above this component");
  return clock;
}

/** The server's time in ms since 1970; re-renders the component each second. */
export function useNow(): number {
  const clock = useClock();
  return useSyncExternalStore(clock.subscribe, clock.now, clock.serverNow);
}

/** The viewer's time zone, an IANA name. */
export function useTimeZone(): string {
  return useClock().timeZone;
}

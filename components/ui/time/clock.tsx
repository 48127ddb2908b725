"use client";
// One clock for the page: every age reads it, it ticks once a second, and it starts at the server's time so that
// the first paint on the client says what the server said.
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

/** A clock that follows the server's by the offset seen when the page came, in whole seconds. */
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

/** Gives the page its clock and the viewer's time zone, which a cookie tells the server from the second visit on. */
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

/** The time in ms since 1970, by the server's clock; the component renders again each second. */
export function useNow(): number {
  const clock = useClock();
  return useSyncExternalStore(clock.subscribe, clock.now, clock.serverNow);
}

/** The viewer's time zone, an IANA name. */
export function useTimeZone(): string {
  return useClock().timeZone;
}

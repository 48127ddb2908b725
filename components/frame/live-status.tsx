"use client";
// In the top bar: whether the page is live, or since when it is not.
import { useLiveStatus } from "@/components/live/live-provider";
import { formatClockSeconds } from "@/components/ui/format/times";
import { useNow, useTimeZone } from "@/components/ui/time/clock";
import { Mark } from "@/components/ui/mark";

/** "Live, 14:40:07" or "Reconnecting since 14:38:51; values are 76 s old". */
export function LiveStatusLine() {
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

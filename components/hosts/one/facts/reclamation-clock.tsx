"use client";
// A reclamation's two clocks: the time that counts against its limit, and total time.
import { useNow } from "@/components/ui/time/clock";
import { formatTimer } from "@/components/ui/format/duration";
import { ProofTime, Time } from "@/components/ui/time/time";
import { clocksAt } from "@/server/domain/cleaning/clocks";
import type { ReclamationHead } from "@/server/surfaces/trpc/types";

type Clocks = Pick<
  ReclamationHead,
  "startedAt" | "limitAt" | "pausedMs" | "pausedAt" | "stoppedAt" | "endedAt"
>;

const toClock = ({ startedAt, limitAt, pausedMs, pausedAt }: Clocks) => ({
  startedAtMs: startedAt.getTime(),
  limitAtMs: limitAt?.getTime() ?? null,
  pausedMs,
  pausedAtMs: pausedAt?.getTime() ?? null,
});

/** "24:15 of 81:00": counted time; it stops while waiting for people. */
export function ReclamationClock({ reclamation }: { reclamation: Clocks }) {
  const now = useNow();
  const { endedAt, stoppedAt, limitAt, startedAt, pausedMs, pausedAt } = reclamation;
  const { workedMs } = clocksAt(toClock(reclamation), (endedAt ?? stoppedAt)?.getTime() ?? now);
  const limitMs = limitAt === null ? null : limitAt.getTime() - startedAt.getTime() - pausedMs;
  const stood = endedAt ?? stoppedAt;
  return (
    <span className={limitMs !== null && workedMs > limitMs ? "tone" : undefined} data-tone="attention">
      {formatTimer(workedMs)}
      {limitMs === null ? null : ` of ${formatTimer(limitMs)}`}
      {stood !== null ? (
        <>
          , {endedAt === null ? "stopped" : "ended"} at <ProofTime at={stood} />
        </>
      ) : pausedAt === null ? null : (
        <>
          , paused since <Time at={pausedAt} />
        </>
      )}
    </span>
  );
}

/** "24:54, of which 0:39 on hold or waiting for people". */
export function WholeTime({ reclamation }: { reclamation: Clocks }) {
  const now = useNow();
  const { wholeMs, workedMs } = clocksAt(toClock(reclamation), reclamation.endedAt?.getTime() ?? now);
  return (
    <>
      {formatTimer(wholeMs)}, of which {formatTimer(wholeMs - workedMs)} stopped, held or queued
    </>
  );
}

/** Whether the two clocks differ. Pure. */
export const hasPaused = ({ pausedMs, pausedAt }: Clocks): boolean => pausedMs >= 1000 || pausedAt !== null;

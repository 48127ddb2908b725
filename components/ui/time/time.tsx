"use client";
// Times: ages and exact times, in the viewer's zone, with UTC on hover.
import { formatMoment, formatUtc } from "@/components/ui/format/times";
import { useNow, useTimeZone } from "@/components/ui/time/clock";
import { formatProofTime } from "@/server/domain/proof-time";
import { formatAge, formatTimer, formatShortAge } from "@/components/ui/format/duration";

type Moment = Date | string;

const toDate = (at: Moment) => (typeof at === "string" ? new Date(at) : at);

/** The exact time. */
export function Time({ at }: { at: Moment }) {
  const date = toDate(at);
  const now = useNow();
  const zone = useTimeZone();
  return (
    <time dateTime={date.toISOString()} title={formatUtc(date)}>
      {formatMoment(date, now, zone)}
    </time>
  );
}

/** Width of a column of such times, in px: the longest names a zone as GMT+5:30. */
export const proofTimeWidth = 212;

/** A time that proves something: always with day and zone. */
export function ProofTime({ at }: { at: Moment }) {
  const date = toDate(at);
  const zone = useTimeZone();
  return (
    <time dateTime={date.toISOString()} title={formatUtc(date)}>
      {formatProofTime(date, zone)}
    </time>
  );
}

/** The age of a time, such as "38 min"; the exact time on hover. */
export function Age({ at, short = false }: { at: Moment; short?: boolean }) {
  const date = toDate(at);
  const age = useNow() - date.getTime();
  return (
    <time dateTime={date.toISOString()} title={formatUtc(date)}>
      {short ? formatShortAge(age) : formatAge(age)}
    </time>
  );
}

/** "since 14:02:00, 38 min ago". */
export function Since({ at }: { at: Moment }) {
  return (
    <>
      since <Time at={at} />, <Age at={at} /> ago
    </>
  );
}

/** A running clock since a time, such as "8:52". */
export function Running({ from }: { from: Moment }) {
  return <>{formatTimer(useNow() - toDate(from).getTime())}</>;
}

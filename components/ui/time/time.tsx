"use client";
// Times: the age beside the exact time; the viewer's zone in the text, UTC on hover.
import { useNow, useTimeZone } from "@/components/ui/time/clock";
import { ageWords, clockWords, shortAgeWords } from "@/components/ui/format/duration";

type Moment = Date | string;

const toDate = (at: Moment) => (typeof at === "string" ? new Date(at) : at);
const utcWords = (at: Date) => `${at.toISOString().replace("T", " ").slice(0, 19)} UTC`;

/** The exact words for a time in a zone: "14:02:00", with the day where it is not today's. */
export function exactWords(at: Date, nowMs: number, timeZone: string): string {
  const day = (value: Date | number) =>
    new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }).format(value);
  const time = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  }).format(at);
  if (day(at) === day(nowMs)) return time;
  const sameYear = at.getUTCFullYear() === new Date(nowMs).getUTCFullYear();
  const date = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    day: "numeric",
    month: "short",
    ...(sameYear ? {} : { year: "numeric" as const }),
  }).format(at);
  return `${date}, ${time}`;
}

/** The exact time. */
export function Time({ at }: { at: Moment }) {
  const date = toDate(at);
  const now = useNow();
  const zone = useTimeZone();
  return (
    <time dateTime={date.toISOString()} title={utcWords(date)}>
      {exactWords(date, now, zone)}
    </time>
  );
}

/** The age of a time: "38 min"; the exact time on hover. */
export function Age({ at, short = false }: { at: Moment; short?: boolean }) {
  const date = toDate(at);
  const age = useNow() - date.getTime();
  return (
    <time dateTime={date.toISOString()} title={utcWords(date)}>
      {short ? shortAgeWords(age) : ageWords(age)}
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

/** A clock that runs since a time: "8:52". */
export function Running({ from }: { from: Moment }) {
  return <>{clockWords(useNow() - toDate(from).getTime())}</>;
}

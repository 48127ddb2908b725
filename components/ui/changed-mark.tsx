// A status in a row: its mark and its word, marked for a second when a live event changed it.
import { Changed } from "@/components/ui/changed";
import { Mark } from "@/components/ui/mark";
import type { Tone } from "@/components/ui/tone";

interface ChangedMarkProps {
  tone: Tone;
  /** The system acts on it now. */
  live: boolean;
  words: string;
}

export function ChangedMark({ tone, live, words }: ChangedMarkProps) {
  return (
    <Changed of={words} className="marked-text">
      <Mark tone={tone} live={live} label="" />
      <span>{words}</span>
    </Changed>
  );
}

// A status in a row: mark and label, highlighted for a second after a live event changed it.
import { Changed } from "@/components/ui/changed";
import { Mark } from "@/components/ui/mark";
import type { Tone } from "@/components/ui/tone";

interface ChangedMarkProps {
  tone: Tone;
  /** The system is acting on it now. */
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

// The state mark: a shape for every tone, so that colour is never alone.
import { toneWords, type Tone } from "@/components/ui/tone";

interface MarkProps {
  tone: Tone;
  /** Pulses slowly: the system is at work on it right now. */
  live?: boolean;
  /** A dash instead of a shape: does not apply. */
  none?: boolean;
  /** What a screen reader says; an empty string where the words beside it say the same. */
  label?: string;
}

/** A 10 px mark. */
export function Mark({ tone, live = false, none = false, label }: MarkProps) {
  const words = label ?? (none ? "not required" : toneWords[tone]);
  const className = `mark${live ? " live" : ""}${none ? " none" : ""}`;
  return words === "" ? (
    <i className={className} data-tone={tone} aria-hidden="true" />
  ) : (
    <i className={className} data-tone={tone} role="img" aria-label={words} />
  );
}

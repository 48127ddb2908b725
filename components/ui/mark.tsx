// The state mark: a shape for each tone, so that colour never carries the meaning alone.
import { toneLabels, type Tone } from "@/components/ui/tone";

interface MarkProps {
  tone: Tone;
  /** Pulses slowly: the system is working on it right now. */
  live?: boolean;
  /** A dash instead of a shape: not applicable. */
  none?: boolean;
  /** Text for screen readers; empty if the text beside the mark says the same. */
  label?: string;
}

/** A 10 px mark. */
export function Mark({ tone, live = false, none = false, label }: MarkProps) {
  const words = label ?? (none ? "not required" : toneLabels[tone]);
  const className = `mark${live ? " live" : ""}${none ? " none" : ""}`;
  return words === "" ? (
    <i className={className} data-tone={tone} aria-hidden="true" />
  ) : (
    <i className={className} data-tone={tone} role="img" aria-label={words} />
  );
}

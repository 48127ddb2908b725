// A progress bar.
import { formatPercent } from "@/server/domain/numbers";
import type { Tone } from "@/components/ui/tone";

interface ProgressProps {
  /** 0 to 100. */
  percent: number;
  widthPx?: number;
  tone?: Tone;
}

/** A 4 px bar. Screen readers get the percentage; the caller shows it beside the bar if there is room. */
export function Progress({ percent, widthPx = 64, tone }: ProgressProps) {
  const shown = Math.min(100, Math.max(0, percent));
  return (
    <svg
      className="bar"
      width={widthPx}
      height="4"
      role="img"
      aria-label={formatPercent(shown)}
      {...(tone === undefined ? {} : { "data-tone": tone })}
    >
      <rect className="done" width={`${shown}%`} height="4" />
    </svg>
  );
}

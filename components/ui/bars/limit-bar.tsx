"use client";
// How long against how long it may: 40 px are the limit, the tick marks it, the bar ends at 52.
import { useNow } from "@/components/ui/time/clock";

const limitPx = 40;
const widestPx = 52;

interface LimitBarProps {
  since: Date | string;
  /** Milliseconds; null where the state has no limit, and nothing is drawn but the room. */
  limitMs: number | null;
}

/** The time in a state against its limit. */
export function LimitBar({ since, limitMs }: LimitBarProps) {
  const now = useNow();
  if (limitMs === null || limitMs <= 0) return <svg className="limit" aria-hidden="true" />;
  const share = (now - new Date(since).getTime()) / limitMs;
  const width = Math.min(widestPx, Math.max(1.5, share * limitPx));
  return (
    <svg className="limit" aria-hidden="true" {...(share > 1 ? { "data-tone": "attention" } : {})}>
      <path d="M0 5.5H56" stroke="var(--n6)" />
      <rect y="4" width={width} height="3" fill="currentColor" />
      <path d="M40.5 1V10" stroke="var(--n11)" />
    </svg>
  );
}

"use client";
// Elapsed time against a limit: 40 px represent the limit, a tick marks it, and the bar ends at 52 px.
import { useNow } from "@/components/ui/time/clock";

const limitPx = 40;
const widestPx = 52;

interface LimitBarProps {
  since: Date | string;
  /** Milliseconds; null if the state has no limit, which draws an empty space of the same size. */
  limitMs: number | null;
}

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
